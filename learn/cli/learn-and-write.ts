import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/create-client.ts';
import { InputError } from '../../src/errors.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isEmptyResult, learn } from '../learn.ts';
import { formatCount } from '../probes/format-count.ts';
import { createReport, type Report } from '../report/create-report.ts';
import { describeOmittedNames } from '../report/omitted-names.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { MARKDOWN_FILE, PROFILE_FILE, writeFileAtomically } from '../write/atomic-file.ts';
import { deleteJournal, readStaleJournals } from '../write/journal.ts';
import { removeAll } from '../write/remove.ts';
import { checkService } from './check-service.ts';
import type { CommandIo } from './command-io.ts';
import type { LearnCommand } from './learn-options.ts';

/** Learns, and writes what came of it, or says what has changed; gives the exit code. */
export async function learnAndWrite(command: LearnCommand, io: CommandIo): Promise<number> {
  const { env, print, printStatus, signal } = io;
  const { apiKey, baseUrl } = readSettings(env);
  const { budget, only, out, write, leave, webhookUrl, webhookPort, waitSeconds, limit } = command;
  const path = join(out, PROFILE_FILE);
  const previousProfile = command.resume ? await readPreviousProfile(path, baseUrl) : undefined;
  const runLearning = async (keepNames: boolean) => {
    printStatus(describePlan(command, new URL(baseUrl).origin));
    await removeLeftovers(out, { apiKey, baseUrl, printStatus });
    return learn({
      apiKey,
      baseUrl,
      budget,
      topics: only,
      previousProfile,
      signal,
      onProgress: (text) => printStatus(`${text}\n`),
      ...(write
        ? {
            write: {
              apiKey,
              folder: out,
              cleanupCommand: io.cleanupCommand,
              allowUnremovable: leave,
              webhookUrl,
              webhookPort,
              waitSeconds,
            },
          }
        : {}),
      ...(limit ? { limit: {} } : {}),
      keepNames,
    });
  };
  if (command.check) {
    const profilePath = env['DOCSHARE_PROFILE']?.trim() || path;
    return checkService({ path: profilePath, baseUrl, runLearning }, print);
  }
  const result = await runLearning(command.keepNames);
  // A profile that is there is worth more than one that says nothing.
  if (isEmptyResult(result)) {
    printStatus(`${result.stopReason ?? 'No answer came.'} Nothing was written.\n`);
    return 2;
  }
  const report = createReport(result);
  const profile = `${JSON.stringify(result.profile, null, 2)}\n`;
  const files = [
    [PROFILE_FILE, profile],
    [MARKDOWN_FILE, renderMarkdown(report)],
  ] as const;
  const paths = await writeFiles(out, files).catch(async (error: unknown) => {
    // What the calls have cost is not lost with a full disk.
    const other = await mkdtemp(join(tmpdir(), 'docshare-learn-'));
    const written = await writeFiles(other, files).catch(async () => {
      await rm(other, { recursive: true, force: true });
      throw error;
    });
    printStatus(`${(error as Error).message} What was learned is in ${other} instead.\n`);
    return written;
  });
  print(formatSummary(report, paths));
  for (const message of result.unremoved) printStatus(`${message}\n`);
  if (result.stopReason !== undefined) printStatus('The same with --resume goes on from here.\n');
  const isComplete = result.stopReason === undefined && result.unremoved.length === 0;
  return isComplete && paths.includes(path) ? 0 : 2;
}

async function writeFiles(folder: string, files: readonly (readonly [string, string])[]): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, content] of files) paths.push(await writeFileAtomically(folder, name, content));
  return paths;
}

function readSettings(env: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } {
  const apiKey = env['DOCSHARE_API_KEY']?.trim();
  const baseUrl = env['DOCSHARE_BASE_URL']?.trim();
  if (!apiKey)
    throw new InputError('No API key: set DOCSHARE_API_KEY. Keys are made in Settings → API keys.');
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new InputError('No base URL: set DOCSHARE_BASE_URL to the address that ends in /api/v1.');
  return { apiKey, baseUrl };
}

/** What a run made that could not end itself is removed first. */
async function removeLeftovers(
  folder: string,
  { apiKey, baseUrl, printStatus }: { apiKey: string; baseUrl: string; printStatus: (text: string) => void },
): Promise<void> {
  const client = createClient({ apiKey, baseUrl });
  try {
    for (const journal of await readStaleJournals(folder, { service: client.baseUrl, apiKey })) {
      printStatus(`An earlier run left throwaway objects (${journal.marker}): removing them first.\n`);
      const { unremoved } = await removeAll(client, journal);
      if (unremoved.length === 0) await deleteJournal(journal.path);
      else
        printStatus(
          `${unremoved.length} could not be removed, and ${unremoved.length === 1 ? 'is' : 'are'} still there under that name.\n`,
        );
    }
  } finally {
    await client.close();
  }
}

async function readPreviousProfile(path: string, baseUrl: string): Promise<ServiceProfile | undefined> {
  return existsSync(path) ? readProfile(path, baseUrl) : undefined;
}

/** What will be done, before anything is. */
function describePlan(
  { budget, only, resume, out, write, leave, check, limit, keepNames }: LearnCommand,
  origin: string,
): string {
  return [
    `Learning ${origin}: at most ${formatCount(budget, 'call')}, within its limit of 120 a minute.`,
    ...(write
      ? [
          'It reads, and then makes throwaway objects under the name docshare-learn-…: a webhook, a template, an upload of a few',
          'bytes and an e-mail-gated link for the seconds it lives; documents, rooms, contacts and drafts only where the service',
          leave ? 'removes them, and because of --leave also where it does not.' : 'removes them.',
          'All that it made is removed, also after Ctrl-C or a kill. Nothing is sent to anybody, nothing that was there is changed.',
        ]
      : [
          'Only reads: lists, single objects, figures, billing; and refusals that change nothing (unknown ids, a wrong key).',
          'Nothing is created, changed, sent or deleted. No address in an answer is followed.',
        ]),
    ...(limit
      ? [
          'At the end the limit is used up, because of --limit: other programs with this key are refused meanwhile.',
        ]
      : []),
    ...(keepNames
      ? [
          'Names of fields are kept whatever their words are: look through what is written before you share it.',
        ]
      : []),
    ...(only ? [`Only ${only.join(', ')}.`] : []),
    ...(resume ? ['What the profile that is there knows stands.'] : []),
    check
      ? 'What it finds is compared with the profile that is there; nothing is written.'
      : `Forms are written to ${join(out, PROFILE_FILE)} and a report beside it: names of fields and types, never a value of the account.`,
    `Ctrl-C ends it and ${check ? 'says what has changed' : 'writes what was learned'} so far.`,
    '',
    '',
  ].join('\n');
}

function formatSummary(
  { counts, profile, omittedNames, stopReason }: Report,
  paths: readonly string[],
): string {
  return [
    `${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen, in ${formatCount(profile.learned.calls, 'call')}.`,
    ...(stopReason === undefined ? [] : [`It ended early: ${stopReason}`]),
    ...(omittedNames.length > 0 || profile.learned.names
      ? [describeOmittedNames(omittedNames, profile.learned)]
      : []),
    ...paths.map((path) => `  ${path}`),
    '',
  ].join('\n');
}
