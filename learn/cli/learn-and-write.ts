import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { formatCount } from '../format-count.ts';
import { isEmptyResult, learn } from '../learn.ts';
import { createReport, type Report } from '../report/create-report.ts';
import { describeOmittedNames } from '../report/omitted-names.ts';
import { formatCounts, renderMarkdown } from '../report/render-markdown.ts';
import { MARKDOWN_FILE, PROFILE_FILE, writeFileAtomically } from '../write/atomic-file.ts';
import { checkService } from './check-service.ts';
import type { CommandIo } from './command-io.ts';
import type { LearnCommand } from './learn-options.ts';

/** Learns the service and writes profile and report, or prints the changes (`--check`). Returns the exit code. */
export async function learnAndWrite(command: LearnCommand, io: CommandIo): Promise<number> {
  const { env, print, printStatus, signal, cleanupCommand } = io;
  const { apiKey, baseUrl } = readSettings(env);
  const { budget, only, out, write, leave, webhookUrl, webhookPort, waitSeconds } = command;
  const writeOptions = { apiKey, cleanupCommand, allowUnremovable: leave, webhookUrl, webhookPort, waitSeconds };
  const path = join(out, PROFILE_FILE);
  const previousProfile = command.resume && existsSync(path) ? await readProfile(path, baseUrl) : undefined;
  const runLearning = async (keepNames: boolean) => {
    printStatus(describePlan(command, new URL(baseUrl).origin));
    return learn({
      apiKey,
      baseUrl,
      budget,
      topics: only,
      previousProfile,
      signal,
      onProgress: (text) => printStatus(`${text}\n`),
      write: write ? writeOptions : undefined,
      keepNames,
    });
  };
  if (command.check) {
    const profilePath = env['DOCSHARE_PROFILE']?.trim() || path;
    return checkService({ path: profilePath, baseUrl, runLearning }, print);
  }
  const result = await runLearning(command.keepNames);
  // An existing profile is worth more than an empty one.
  if (isEmptyResult(result)) {
    printStatus(`${result.stopReason ?? 'The service did not respond.'} Nothing was written.\n`);
    return 2;
  }
  const report = createReport(result);
  const profile = `${JSON.stringify(result.profile, null, 2)}\n`;
  const paths = [
    await writeFileAtomically(out, PROFILE_FILE, profile),
    await writeFileAtomically(out, MARKDOWN_FILE, renderMarkdown(report)),
  ];
  print(formatSummary(report, paths));
  for (const message of result.unremoved) printStatus(`${message}\n`);
  if (result.stopReason !== undefined) printStatus('Run again with --resume to continue.\n');
  return result.stopReason === undefined && result.unremoved.length === 0 ? 0 : 2;
}

function readSettings(env: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } {
  const apiKey = env['DOCSHARE_API_KEY']?.trim();
  const baseUrl = env['DOCSHARE_BASE_URL']?.trim();
  if (!apiKey) throw new InputError('No API key: set DOCSHARE_API_KEY. Create a key in Settings → API keys.');
  if (!baseUrl || !parseWebUrl(baseUrl).url)
    throw new InputError('No base URL: set DOCSHARE_BASE_URL to the URL of the API, which ends in /api/v1.');
  return { apiKey, baseUrl };
}

/** Describes what the run will do, before the first call. */
function describePlan(
  { budget, only, resume, out, write, leave, check, keepNames }: LearnCommand,
  origin: string,
): string {
  return [
    `Learning ${origin}: at most ${formatCount(budget, 'call')}, within the limit of 120 per minute.`,
    ...(write
      ? [
          'Reads, then creates throwaway objects named docshare-learn-…: a webhook, a template, an upload of a few bytes and an',
          'email-gated link that lives for seconds. Documents, rooms, contacts and drafts are created only if the service can',
          leave ? 'remove them, and because of --leave also if it cannot.' : 'remove them.',
          'All of these are removed, even after Ctrl-C or a crash. Nothing is sent to anyone and no existing object is changed.',
        ]
      : [
          'Only reads lists, single objects, analytics and billing, and provokes harmless errors (unknown IDs, a wrong key).',
          'Nothing is created, changed, sent or deleted. No URL in a response is followed.',
        ]),
    ...(keepNames ? ['Keeps all field names (--keep-names): review the files before you share them.'] : []),
    ...(only ? [`Only ${only.join(', ')}.`] : []),
    ...(resume ? ['Keeps what the existing profile knows.'] : []),
    check
      ? 'Compares the result with the existing profile; nothing is written.'
      : `Writes ${join(out, PROFILE_FILE)} and a report next to it: field names and types, never a value of the account.`,
    `Press Ctrl-C to stop and ${check ? 'print the changes' : 'keep what was learned'} so far.`,
    '',
    '',
  ].join('\n');
}

function formatSummary({ counts, profile, omittedNames, stopReason }: Report, paths: readonly string[]): string {
  return [
    `${formatCounts(counts)}, in ${formatCount(profile.learned.calls, 'call')}.`,
    ...(stopReason === undefined ? [] : [`The run ended early: ${stopReason}`]),
    ...(omittedNames.length > 0 || profile.learned.names ? [describeOmittedNames(omittedNames, profile.learned)] : []),
    ...paths.map((path) => `  ${path}`),
    '',
  ].join('\n');
}
