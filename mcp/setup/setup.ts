import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Person } from './ask.ts';
import { changeConfig, getBackupPath, readConfig } from './config-file.ts';
import { changeToRemove, changeToSet, entryIn, isOurs } from './entry-text.ts';
import { commandFor, configurationFor, removalFor } from './host-words.ts';
import { type Entry, entryFor, type Host, hosts, type Wanted } from './hosts.ts';
import { linkFor } from './links.ts';
import { offer } from './offer.ts';
import { findPlace } from './place.ts';
import { remoteCommand, remoteEntry, remoteLink, remoteText } from './remote.ts';
import { SetupError } from './setup-error.ts';
import { parseSetupLine, SETUP_USAGE, type Serving, type SetupLine } from './setup-line.ts';
import { fetchedFile, quoted, type StartLine, startLine } from './start-line.ts';
import { wantedToPrint, wantedToWrite } from './wanted.ts';

/** The machine that hosts are set up on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** This program's own file and Node. */
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly person: Person;
  readonly print: (text: string) => void;
}

/**
 * Puts the server into a host's settings, or takes it out. @returns the exit code.
 * @throws SetupError where it can't be done; nothing was changed then.
 */
export async function runSetup(
  args: readonly string[],
  { machine, serving }: { machine: Machine; serving: Serving },
): Promise<number> {
  const line = parseSetupLine(args, serving);
  const { print, env, platform } = machine;
  if (line.help) print(SETUP_USAGE);
  if (line.help) return 0;
  const start = startLine({ ...machine, path: env['PATH'] });
  const { host } = line;
  if (!host) return survey(machine);
  const name = line.file === undefined ? getConfigPath(host, machine) : resolve(line.file);
  const file = line.remove ? undefined : fetchedFile(machine.main);
  if (file !== undefined)
    throw new SetupError(
      `A host can't start what npx fetched from a file. Install it (npm install --global ${quoted(file)}), then run docshare-mcp setup.`,
    );
  if (line.print && line.remove)
    throw new SetupError('--print shows what would be put there: leave out --print or --remove.');
  const shown = () =>
    line.url === undefined
      ? printed(host, { wanted: wantedToPrint(host, { line, start, env }), name, platform })
      : printedRemote(host, { url: line.url, name });
  if (line.print) {
    print(shown());
    return 0;
  }
  if (host.form !== 'json') return sayHow(host, { line, shown, machine, name });
  if (line.remove) return remove(host, { line, machine, name });
  if (line.url !== undefined) {
    const entry = remoteEntry(host, line.url);
    return put(host, { entry, shown: entry, isKeyInFile: false, line, machine, name });
  }
  return putStarted(host, { line, start, machine, name });
}

/** The file that is there, else the usual one. */
function getConfigPath(host: Host, { env, platform }: Machine): string {
  const files = host.files(findPlace(env, platform));
  return (
    files.find((file) => existsSync(file)) ??
    files.find((file) => existsSync(dirname(file))) ??
    files[0] ??
    ''
  );
}

async function survey(machine: Machine): Promise<number> {
  const rows = await Promise.all(
    hosts.map(async (host) => {
      const name = getConfigPath(host, machine);
      return `  ${host.id.padEnd(16)}${(await getHostState(host, name)).padEnd(20)}${name}`;
    }),
  );
  machine.print(
    [
      'Hosts on this machine:',
      '',
      ...rows,
      '',
      'docshare-mcp setup HOST puts the server in, after asking; --print only shows it; --remove takes it out.',
      '',
    ].join('\n'),
  );
  return 0;
}

async function getHostState(host: Host, name: string): Promise<string> {
  if (!existsSync(name)) {
    // A host whose file stands in the home itself leaves a folder of its own beside it.
    const trace = host.folder === undefined ? dirname(name) : join(dirname(name), host.folder);
    return existsSync(trace) ? 'found' : 'not found here';
  }
  if (host.form !== 'json') return 'found';
  try {
    const { text } = await readConfig(name);
    return entryIn(text, { host, name }) === undefined ? 'found' : 'has the server';
  } catch (error) {
    if (error instanceof SetupError) return 'not readable';
    throw error;
  }
}

function printed(
  host: Host,
  { wanted, name, platform }: { wanted: Wanted; name: string; platform: NodeJS.Platform },
): string {
  const command = commandFor(host, wanted, platform);
  const link = linkFor(host, wanted);
  return ways(host, { name, text: configurationFor(host, wanted), command, link, next: host.next });
}

function printedRemote(host: Host, { url, name }: { url: string; name: string }): string {
  const [text, command, link] = [remoteText(host, url), remoteCommand(host, url), remoteLink(host, url)];
  return ways(host, { name, text, command, link, next: host.nextRemote ?? host.next });
}

function ways(
  host: Host,
  by: { name: string; text: string; command: string | undefined; link: string | undefined; next: string },
): string {
  const { name, text, command, link, next } = by;
  return [
    `${host.title}: ${name}`,
    '',
    text,
    ...(command === undefined ? [] : ['', 'or by its own command:', '', command]),
    ...(link === undefined ? [] : ['', 'or by its link:', '', link]),
    '',
    next,
    '',
  ].join('\n');
}

/** A host whose file has a form that only its own command edits without harm. */
function sayHow(
  host: Host,
  { line, shown, machine, name }: { line: SetupLine; shown: () => string; machine: Machine; name: string },
): number {
  if (line.remove) machine.print(`${host.title} takes it out itself:\n\n${removalFor(host) ?? name}\n`);
  else {
    machine.print(`Nothing was changed: ${host.title} is set up by its own command, or by hand.\n\n`);
    machine.print(shown());
  }
  return 0;
}

async function putStarted(
  host: Host,
  { line, start, machine, name }: { line: SetupLine; start: StartLine; machine: Machine; name: string },
): Promise<number> {
  const { person, env } = machine;
  const { path } = await readConfig(name);
  const wanted = await wantedToWrite(host, { line, start, env, person, path });
  const entry = entryFor(host, wanted);
  const isKeyInFile = wanted.key !== undefined && host.reference?.(offer.settings.apiKey.env) !== wanted.key;
  const shown = entryFor(host, isKeyInFile ? { ...wanted, key: '(your key)' } : wanted);
  return put(host, { entry, shown, isKeyInFile, line, machine, name });
}

interface Put {
  readonly entry: Entry;
  /** The same without the key. */
  readonly shown: Entry;
  readonly isKeyInFile: boolean;
  readonly line: SetupLine;
  readonly machine: Machine;
  readonly name: string;
}

async function put(host: Host, { entry, shown, isKeyInFile, line, machine, name }: Put): Promise<number> {
  const { print } = machine;
  const next = line.url === undefined ? host.next : (host.nextRemote ?? host.next);
  let isAgreed = line.yes;
  let isDenied = false;
  const done = await changeConfig(name, async (now) => {
    const change = await changeToSet(now, { host, entry });
    if (!change || isAgreed) return change;
    print(`${host.title}: ${name}\n\n${host.at}.${offer.name} = ${JSON.stringify(shown, null, 2)}\n\n`);
    if (isKeyInFile) print('The key will stand in this file.\n');
    const there = entryIn(now.text, { host, name });
    if (there !== undefined && !isOurs(there))
      print(`It takes the place of another server of the name ${offer.name}; --remove puts that one back.\n`);
    if (change.copy !== undefined) print(`What is there now is kept as ${getBackupPath(now.path)}.\n`);
    isAgreed = await agreed(machine, now.text === undefined ? 'Make this file?' : 'Change this file?');
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) print('Nothing was changed.\n');
  else {
    for (const folder of line.folders.filter((one) => !existsSync(one)))
      print(`There is no folder ${folder} yet: the server won't start without it.\n`);
    if (isKeyInFile) await warnOfReaders(name, machine);
    print(
      done
        ? `${host.title} has the server now (${name}). ${next}\n`
        : `${host.title} has it already; nothing was changed.\n`,
    );
  }
  return isDenied ? 1 : 0;
}

/** The rights of a file are its owner's to choose; that others read a key by them has to be said. */
async function warnOfReaders(name: string, { print, platform }: Machine): Promise<void> {
  const { path, mode } = await readConfig(name);
  if (platform !== 'win32' && (mode & 0o044) !== 0)
    print(`Others on this machine can read the key in this file: chmod 600 ${quoted(path)}\n`);
}

async function remove(
  host: Host,
  { line, machine, name }: { line: SetupLine; machine: Machine; name: string },
): Promise<number> {
  const { print } = machine;
  let isAgreed = line.yes;
  let isDenied = false;
  const done = await changeConfig(name, async (now) => {
    const change = await changeToRemove(now, host);
    if (!change || isAgreed) return change;
    print(`${host.title}: ${offer.name} goes out of ${name}.\n`);
    isAgreed = await agreed(machine, change.text === undefined ? 'Remove this file?' : 'Change this file?');
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) print('Nothing was changed.\n');
  else
    print(
      done
        ? `${host.title} has it no more (${name}).\n`
        : `${host.title} does not have it; nothing was changed.\n`,
    );
  return isDenied ? 1 : 0;
}

/** @throws SetupError where nobody is there to ask. */
async function agreed({ person }: Machine, question: string): Promise<boolean> {
  if (!person.isThere)
    throw new SetupError('Nobody is there to ask, and nothing was changed: run it again with --yes.');
  return person.confirm(question);
}
