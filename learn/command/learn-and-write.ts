import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/create-client.ts';
import { InputError } from '../../src/errors.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import { readProfile } from '../../src/profile/read-profile.ts';
import { counted } from '../counted.ts';
import { isNothingLearned, learn } from '../learn.ts';
import { toHtml } from '../report/html.ts';
import { aboutLeftOut } from '../report/left-out.ts';
import { toMarkdown } from '../report/markdown.ts';
import { makeReport, type Report } from '../report/report.ts';
import { endJournal, readJournals } from '../write/journal.ts';
import { removeAll } from '../write/remove.ts';
import { checkService } from './check-service.ts';
import type { Doors } from './doors.ts';
import type { LearnCommand } from './options.ts';
import { HTML_FILE, MARKDOWN_FILE, PROFILE_FILE, writeWhole } from './write-files.ts';

/** Learns, and writes what came of it, or says what has changed; gives the exit code. */
export async function learnAndWrite(command: LearnCommand, doors: Doors): Promise<number> {
  const { env, print, tell, signal } = doors;
  const { apiKey, baseUrl } = readSettings(env);
  const { budget, only, out, write, leave, webhookUrl, webhookPort, waitSeconds, limit } = command;
  const path = join(out, PROFILE_FILE);
  const past = command.resume ? await readPast(path, baseUrl) : undefined;
  const ask = async (keepNames: boolean) => {
    tell(describePlan(command, new URL(baseUrl).origin));
    await removeLeftBehind(out, { apiKey, baseUrl, tell });
    return learn({
      apiKey,
      baseUrl,
      budget,
      only,
      past,
      signal,
      say: (text) => tell(`${text}\n`),
      ...(write
        ? {
            write: {
              apiKey,
              folder: out,
              janitor: doors.janitor,
              leave,
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
    const known = env['DOCSHARE_PROFILE']?.trim() || path;
    return checkService({ path: known, baseUrl, ask }, print);
  }
  const learned = await ask(command.keepNames);
  // A profile that is there is worth more than one that says nothing.
  if (isNothingLearned(learned)) {
    tell(`${learned.ended ?? 'No answer came.'} Nothing was written.\n`);
    return 2;
  }
  const report = makeReport(learned);
  const profile = `${JSON.stringify(learned.profile, null, 2)}\n`;
  const files = [
    [PROFILE_FILE, profile],
    [MARKDOWN_FILE, toMarkdown(report)],
    [HTML_FILE, toHtml(report)],
  ] as const;
  const paths = await writeAll(out, files).catch(async (error: unknown) => {
    // What the calls have cost is not lost with a full disk.
    const other = await mkdtemp(join(tmpdir(), 'docshare-learn-'));
    const written = await writeAll(other, files).catch(async () => {
      await rm(other, { recursive: true, force: true });
      throw error;
    });
    tell(`${(error as Error).message} What was learned is in ${other} instead.\n`);
    return written;
  });
  print(formatSummary(report, paths));
  for (const words of learned.left) tell(`${words}\n`);
  if (learned.ended !== undefined) tell('The same with --resume goes on from here.\n');
  const isWhole = learned.ended === undefined && learned.left.length === 0;
  return isWhole && paths.includes(path) ? 0 : 2;
}

async function writeAll(folder: string, files: readonly (readonly [string, string])[]): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, content] of files) paths.push(await writeWhole(folder, name, content));
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
async function removeLeftBehind(
  folder: string,
  { apiKey, baseUrl, tell }: { apiKey: string; baseUrl: string; tell: (text: string) => void },
): Promise<void> {
  const client = createClient({ apiKey, baseUrl });
  try {
    for (const journal of await readJournals(folder, { service: client.baseUrl, apiKey })) {
      tell(`An earlier run left throwaway objects (${journal.marker}): removing them first.\n`);
      const { left } = await removeAll(client, journal);
      if (left.length === 0) await endJournal(journal.path);
      else
        tell(
          `${left.length} could not be removed, and ${left.length === 1 ? 'is' : 'are'} still there under that name.\n`,
        );
    }
  } finally {
    await client.close();
  }
}

async function readPast(path: string, baseUrl: string): Promise<ServiceProfile | undefined> {
  return existsSync(path) ? readProfile(path, baseUrl) : undefined;
}

/** What will be done, before anything is. */
function describePlan(
  { budget, only, resume, out, write, leave, check, limit, keepNames }: LearnCommand,
  origin: string,
): string {
  return [
    `Learning ${origin}: at most ${counted(budget, 'call')}, within its limit of 120 a minute.`,
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

function formatSummary({ counts, profile, leftOut, ended }: Report, paths: readonly string[]): string {
  return [
    `${counts.confirmed} confirmed, ${counts.other} other, ${counts.unseen} unseen, in ${counted(profile.learned.calls, 'call')}.`,
    ...(ended === undefined ? [] : [`It ended early: ${ended}`]),
    ...(leftOut.length > 0 || profile.learned.names ? [aboutLeftOut(leftOut, profile.learned)] : []),
    ...paths.map((path) => `  ${path}`),
    '',
  ].join('\n');
}
