import {
  CommandLineError,
  describeOptions,
  flag,
  formatRows,
  integer,
  list,
  parseOptions,
  text,
} from '../../src/command-line.ts';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { DEFAULT_CALL_BUDGET, DEFAULT_WRITE_CALL_BUDGET } from '../probes/recorder.ts';
import { TOPICS, type Topic } from '../questions/question.ts';

const repeatsAllCalls = { check: '--check repeats all calls' };
const makesNoCalls = { openapi: '--openapi makes no calls' };
const withWrite = { needs: ['write'] };
const REMOVABLE = 'documents, rooms, contacts and drafts only if the service can remove them';

export const LEARN_OPTIONS = {
  budget: integer(
    'N',
    `maximum number of calls to the service (default: ${DEFAULT_CALL_BUDGET}; with --write: ${DEFAULT_WRITE_CALL_BUDGET})`,
    { min: 1, max: 1000, conflicts: makesNoCalls },
  ),
  only: list('a,b', `learn only about these topics: ${TOPICS.join(', ')}`, {
    expectedValues: `topics: ${TOPICS.join(', ')}`,
    conflicts: makesNoCalls,
  }),
  resume: flag('continue from the existing profile and keep what it knows', {
    conflicts: { ...repeatsAllCalls, ...makesNoCalls },
  }),
  check: flag(
    'learn again and report what changed since the existing profile (DOCSHARE_PROFILE, otherwise the one in the folder); writes nothing; exit code 1 if something changed',
    { conflicts: makesNoCalls },
  ),
  out: text('DIR', 'folder for profile and report (default: the working folder)', { expectedValues: 'a folder' }),
  write: flag(
    `create throwaway objects named docshare-learn-…, record every response and remove the objects again, even after Ctrl-C or a crash: a webhook, a template, a link, an upload; ${REMOVABLE}. Nothing is sent to anyone`,
    { conflicts: makesNoCalls },
  ),
  leave: flag('also create objects that the service can’t remove, and leave them there', withWrite),
  wait: integer('SECONDS', 'wait for an event that you cause by opening a link or signing, to learn its format', {
    min: 0,
    max: 3600,
    fallback: 0,
    ...withWrite,
  }),
  'webhook-url': text(
    'URL',
    'URL for the throwaway webhook; it must lead to --webhook-port of this machine',
    withWrite,
  ),
  'webhook-port': integer('N', 'port of this machine that receives events; 0 picks a free one', {
    ...{ min: 0, max: 65_535, fallback: 0 },
    ...withWrite,
  }),
  'keep-names': flag('keep field names that no other API uses: they may be names that users of the account chose', {
    conflicts: { check: '--check uses the names in the profile', ...makesNoCalls },
  }),
  'cleanup-process': flag('', { isHidden: true }),
  openapi: flag(
    'call nothing: write docshare.openapi.json and docshare.api.d.ts from the existing profile (DOCSHARE_PROFILE, otherwise the one in the folder), or from the API document alone',
  ),
  help: flag('print this help', { short: 'h' }),
} as const;

export const LEARN_USAGE = `Usage: docshare learn [options]

Learns what the API document of a service leaves open, and writes docshare.profile.json and a report.
Only reads, unless --write is given.

${formatRows(describeOptions(LEARN_OPTIONS))}

Environment: DOCSHARE_API_KEY, DOCSHARE_BASE_URL (ends in /api/v1)
`;

export type LearnCommand = ReturnType<typeof parseLearnOptions>;

/** @throws CommandLineError for an unknown option or an invalid value. */
export function parseLearnOptions(args: readonly string[]) {
  const { values } = parseOptions(args, { options: LEARN_OPTIONS, hint: 'See docshare learn --help.' });
  return {
    ...values,
    budget: values.budget ?? (values.write ? DEFAULT_WRITE_CALL_BUDGET : DEFAULT_CALL_BUDGET),
    only: values.only && parseTopics(values.only),
    out: values.out ?? '.',
    webhookUrl: parseWebhookUrl(values.webhookUrl),
    waitSeconds: values.wait,
  };
}

function parseWebhookUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { url } = parseWebUrl(text);
  if (url && !url.search && !url.hash) return text.replace(/\/+$/, '');
  throw new CommandLineError('--webhook-url must be an http:// or https:// URL without a query.');
}

function parseTopics(names: readonly string[]): readonly Topic[] {
  for (const name of names) {
    if (TOPICS.some((topic) => topic === name)) continue;
    const suggestion = findClosestMatch(name, TOPICS);
    throw new CommandLineError(
      `--only: unknown topic "${name}"${suggestion ? `; did you mean ${suggestion}?` : '.'} Topics: ${TOPICS.join(', ')}.`,
    );
  }
  return TOPICS.filter((topic) => names.includes(topic));
}
