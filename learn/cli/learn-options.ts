import { describeBlankOption, parseCommandArgs } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import { suggestName } from '../../src/request/did-you-mean.ts';
import { DEFAULT_CALL_BUDGET, DEFAULT_WRITE_CALL_BUDGET } from '../probes/call-budget.ts';
import { TOPICS, type Topic } from '../questions/question.ts';

export interface LearnCommand {
  readonly budget: number;
  readonly topics: readonly Topic[] | undefined;
  /** The folder that profile and report are written to. */
  readonly out: string;
  readonly resume: boolean;
  /** Compares with the profile that is there, and writes nothing. */
  readonly check: boolean;
  /** Makes throwaway objects too. */
  readonly write: boolean;
  readonly allowUnremovable: boolean;
  readonly webhookUrl: string | undefined;
  readonly webhookPort: number;
  readonly waitSeconds: number;
  /** Keeps names of fields that may be those of the account. */
  readonly keepNames: boolean;
  /** Uses the limit up. */
  readonly limit: boolean;
  /** Waits inside a pipe for what has to be removed. */
  readonly isCleanupProcess: boolean;
  /** Makes documents of what is known already, and asks nothing. */
  readonly openapi: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  budget: { type: 'string' },
  only: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'boolean' },
  check: { type: 'boolean' },
  write: { type: 'boolean' },
  leave: { type: 'boolean' },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string' },
  wait: { type: 'string' },
  'keep-names': { type: 'boolean' },
  limit: { type: 'boolean' },
  janitor: { type: 'boolean' },
  openapi: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const LEARN_USAGE = `Usage: docshare learn [options]

Asks the service what its API document leaves open, and writes docshare.profile.json and a report (Markdown and HTML).
It only reads, unless --write is given.

  --budget N       calls to the service, at most (default ${DEFAULT_CALL_BUDGET}, with --write ${DEFAULT_WRITE_CALL_BUDGET})
  --only a,b       only these topics: ${TOPICS.slice(0, 8).join(', ')},
                   ${TOPICS.slice(8).join(', ')}
  --resume         goes on from the profile that is there: what it knows stands
  --check          asks again and says what changed since the profile that is there (DOCSHARE_PROFILE, else in the
                   folder); writes nothing. Exit code 1 where something changed
  --out DIR        where profile and report are written (default: the working folder)
  --write          makes throwaway objects under the name docshare-learn-…, looks at every answer and removes
                   what it made, also after Ctrl-C or a kill: a webhook, a template, a link, an upload; documents,
                   rooms, contacts and drafts only where the service removes them. It never sends anything
  --leave          with --write: makes also what the service does not remove, and leaves it there
  --wait SECONDS   with --write: waits for an event that you bring about by opening a link or signing, for its form
  --webhook-url U  with --write: the address that the throwaway webhook is registered for; it has to lead to
  --webhook-port N this port of this machine (default: a free one, and its address on this machine)
  --keep-names     keeps names of fields whose words no API uses: they may be names that people of the account gave
  --limit          uses the limit up on purpose, to see how it is counted: two to four minutes
  --openapi        asks nothing: writes docshare.openapi.json and docshare.api.d.ts from the profile that is there
                   (DOCSHARE_PROFILE, else in the folder), or from the API document alone
  -h, --help       prints this

Environment: DOCSHARE_API_KEY, DOCSHARE_BASE_URL (ends in /api/v1)
`;

/** @throws InputError for what can't be meant, naming what is known. */
export function parseLearnOptions(args: readonly string[]): LearnCommand {
  const known = Object.keys(OPTIONS).filter((name) => name !== 'janitor');
  for (const arg of args) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || name in OPTIONS) continue;
    const suggestion = suggestName(name, known);
    throw new InputError(
      `There is no option --${name}${suggestion ? `; did you mean --${suggestion}?` : '.'} Known: ${known.map((one) => `--${one}`).join(', ')}.`,
    );
  }
  const { values } = parseArguments(args);
  const blankMessage = describeBlankOption(values, { out: 'a folder' });
  if (blankMessage) throw new InputError(blankMessage);
  if (values.check && values.resume)
    throw new InputError('--check asks everything again: leave out --resume.');
  if (values.check && values['keep-names'])
    throw new InputError('--check keeps the names that the profile kept: leave out --keep-names.');
  const conflictingOption = (
    ['budget', 'only', 'resume', 'check', 'write', 'limit', 'keep-names'] as const
  ).find((name) => values[name] !== undefined);
  if (values.openapi && conflictingOption)
    throw new InputError(`--openapi asks nothing: leave out --${conflictingOption}.`);
  for (const name of ['leave', 'webhook-url', 'webhook-port', 'wait'] as const)
    if (values[name] !== undefined && !values.write) throw new InputError(`--${name} belongs to --write.`);
  return {
    budget: parseInteger(
      'budget',
      values.budget ?? `${values.write ? DEFAULT_WRITE_CALL_BUDGET : DEFAULT_CALL_BUDGET}`,
      {
        from: 1,
        to: 1000,
      },
    ),
    topics: parseTopics(values.only),
    out: values.out ?? '.',
    resume: values.resume ?? false,
    check: values.check ?? false,
    write: values.write ?? false,
    allowUnremovable: values.leave ?? false,
    webhookUrl: parseWebUrl(values['webhook-url']),
    webhookPort: parseInteger('webhook-port', values['webhook-port'] ?? '0', { from: 0, to: 65_535 }),
    waitSeconds: parseInteger('wait', values.wait ?? '0', { from: 0, to: 3600 }),
    keepNames: values['keep-names'] ?? false,
    limit: values.limit ?? false,
    isCleanupProcess: values.janitor ?? false,
    openapi: values.openapi ?? false,
    help: values.help ?? false,
  };
}

function parseWebUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return text.replace(/\/+$/, '');
  throw new InputError(
    '--webhook-url takes an address that begins with http:// or https://, without a query.',
  );
}

function parseArguments(args: readonly string[]) {
  try {
    return parseCommandArgs({ args: [...args], options: OPTIONS });
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${error.message} See docshare learn --help.`);
    throw error;
  }
}

function parseTopics(texts: readonly string[] | undefined): readonly Topic[] | undefined {
  if (texts === undefined) return undefined;
  const names = texts
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  for (const name of names)
    if (!TOPICS.some((topic) => topic === name)) {
      const suggestion = suggestName(name, TOPICS);
      throw new InputError(
        `--only: there is no topic "${name}"${suggestion ? `; did you mean ${suggestion}?` : '.'} Known: ${TOPICS.join(', ')}.`,
      );
    }
  if (names.length === 0) throw new InputError(`--only takes topics: ${TOPICS.join(', ')}.`);
  return TOPICS.filter((topic) => names.includes(topic));
}

function parseInteger(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new InputError(`--${name} takes a whole number from ${from} to ${to}, not "${text}".`);
}
