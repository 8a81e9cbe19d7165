import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ConfigChange, type ConfigFile, copyPath, readConfig, updateConfig } from './config-file.ts';
import { createRemoveChange, createSetChange, findEntry, isDocshareEntry } from './host-entry.ts';
import { commandFor, configurationFor, linkFor, removalFor } from './host-text.ts';
import { createEntry, type HostDefinition, hosts, type Server } from './hosts.ts';
import { getLaunchCommand, getNpxSourceFile, shellQuote } from './launch-command.ts';
import { getPrintableLaunchConfig, promptForLaunchConfig } from './launch-config.ts';
import type { Prompter } from './prompter.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import { parseSetupOptions, SETUP_USAGE, type ServerOptionSpec, type SetupOptions } from './setup-options.ts';
import { getUserFolders } from './user-folders.ts';

/** The machine that hosts are set up on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** This program's own file and Node. */
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly prompter: Prompter;
  readonly print: (text: string) => void;
}

/**
 * Puts the server into a host's settings, or takes it out. @returns the exit code.
 * @throws SetupError where it can't be done; nothing was changed then.
 */
export async function runSetup(
  args: readonly string[],
  { machine, serverSpec }: { machine: Machine; serverSpec: ServerOptionSpec },
): Promise<number> {
  const options = parseSetupOptions(args, serverSpec);
  const { print, env, platform } = machine;
  if (options.help) print(SETUP_USAGE);
  if (options.help) return 0;
  const launchCommand = getLaunchCommand({ ...machine, path: env['PATH'] });
  const { host } = options;
  if (!host) return listHosts(machine);
  const name = options.file === undefined ? getConfigPath(host, machine) : resolve(options.file);
  const file = options.remove ? undefined : getNpxSourceFile(machine.main);
  if (file !== undefined)
    throw new SetupError(
      `A host can't start what npx fetched from a file. Install it (npm install --global ${shellQuote(file)}), then run docshare-mcp setup.`,
    );
  const { url } = options;
  const preview = () =>
    instructions(host, {
      server:
        url === undefined
          ? getPrintableLaunchConfig(host, { line: options, start: launchCommand, env })
          : { url },
      name,
      platform,
    });
  if (options.print) {
    print(preview());
    return 0;
  }
  const setup: Setup = { host, options, machine, name };
  if (host.form !== 'json') return explainByHand(setup, preview);
  if (options.remove) return uninstall(setup);
  if (url !== undefined) return installEntry(setup, { url });
  const { path } = await readConfig(name);
  return installEntry(
    setup,
    await promptForLaunchConfig(host, {
      line: options,
      start: launchCommand,
      env,
      person: machine.prompter,
      path,
    }),
  );
}

interface Setup {
  readonly host: HostDefinition;
  readonly options: SetupOptions;
  readonly machine: Machine;
  /** The host's settings file. */
  readonly name: string;
}

/** The file that is there, else the usual one. */
function getConfigPath(host: HostDefinition, { env, platform }: Machine): string {
  const files = host.files(getUserFolders(env, platform));
  return (
    files.find((file) => existsSync(file)) ??
    files.find((file) => existsSync(dirname(file))) ??
    files[0] ??
    ''
  );
}

async function listHosts(machine: Machine): Promise<number> {
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

async function getHostState(host: HostDefinition, name: string): Promise<string> {
  if (!existsSync(name)) {
    // A host whose file stands in the home itself leaves a folder of its own beside it.
    const installFolder = host.folder === undefined ? dirname(name) : join(dirname(name), host.folder);
    return existsSync(installFolder) ? 'found' : 'not found here';
  }
  if (host.form !== 'json') return 'found';
  try {
    const { text } = await readConfig(name);
    return findEntry(text, { host, name }) === undefined ? 'found' : 'has the server';
  } catch (error) {
    if (error instanceof SetupError) return 'not readable';
    throw error;
  }
}

/** How to add the server by hand, by the host's own command, or by a link. */
function instructions(
  host: HostDefinition,
  { server, name, platform }: { server: Server; name: string; platform: NodeJS.Platform },
): string {
  const command = commandFor(host, server, platform);
  const link = linkFor(host, server);
  return [
    `${host.title}: ${name}`,
    '',
    configurationFor(host, server),
    ...(command === undefined ? [] : ['', 'or by its own command:', '', command]),
    ...(link === undefined ? [] : ['', 'or by its link:', '', link]),
    '',
    nextStep(host, server),
    '',
  ].join('\n');
}

function nextStep(host: HostDefinition, server: Server): string {
  return 'url' in server ? (host.remoteNextSteps ?? host.nextSteps) : host.nextSteps;
}

/** For a file that only the host's own command edits safely. */
function explainByHand({ host, options, machine, name }: Setup, preview: () => string): number {
  if (options.remove) machine.print(`${host.title} takes it out itself:\n\n${removalFor(host) ?? name}\n`);
  else {
    machine.print(`Nothing was changed: ${host.title} is set up by its own command, or by hand.\n\n`);
    machine.print(preview());
  }
  return 0;
}

/** Applies a change after the user agreed to it. @throws SetupError if there is nobody to ask. */
async function changeAfterAsking(
  { options, machine, name }: Setup,
  by: {
    decide: (current: ConfigFile) => Promise<ConfigChange | undefined>;
    /** Prints what will change, and returns the question. */
    explain: (current: ConfigFile, change: ConfigChange) => string;
  },
): Promise<'changed' | 'unchanged' | 'denied'> {
  let isAgreed = options.yes;
  let isDenied = false;
  const isChanged = await updateConfig(name, async (current) => {
    const change = await by.decide(current);
    if (!change || isAgreed) return change;
    const question = by.explain(current, change);
    if (!machine.prompter.isInteractive)
      throw new SetupError('Nobody is there to ask, and nothing was changed: run it again with --yes.');
    isAgreed = await machine.prompter.confirm(question);
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) machine.print('Nothing was changed.\n');
  return isDenied ? 'denied' : isChanged ? 'changed' : 'unchanged';
}

async function installEntry(setup: Setup, server: Server): Promise<number> {
  const { host, options, machine, name } = setup;
  const { print } = machine;
  const entry = createEntry(host, server);
  const key = 'url' in server ? undefined : server.key;
  const isKeyInFile = key !== undefined && host.getKeyReference?.(serverInfo.settings.apiKey.env) !== key;
  const preview = isKeyInFile ? createEntry(host, { ...server, key: '(your key)' }) : entry;
  const outcome = await changeAfterAsking(setup, {
    decide: (current) => createSetChange(current, { host, entry }),
    explain: (current, change) => {
      print(
        `${host.title}: ${name}\n\n${host.serversKey}.${serverInfo.name} = ${JSON.stringify(preview, null, 2)}\n\n`,
      );
      if (isKeyInFile) print('The key will stand in this file.\n');
      const existing = findEntry(current.text, { host, name });
      if (existing !== undefined && !isDocshareEntry(existing))
        print(
          `It takes the place of another server of the name ${serverInfo.name}; --remove puts that one back.\n`,
        );
      if (change.backup !== undefined) print(`What is there now is kept as ${copyPath(current.path)}.\n`);
      return current.text === undefined ? 'Make this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  for (const folder of options.folders.filter((one) => !existsSync(one)))
    print(`There is no folder ${folder} yet: the server won't start without it.\n`);
  if (isKeyInFile) await warnIfReadableByOthers(name, machine);
  print(
    outcome === 'changed'
      ? `${host.title} has the server now (${name}). ${nextStep(host, server)}\n`
      : `${host.title} has it already; nothing was changed.\n`,
  );
  return 0;
}

/** The mode of the file is its owner's choice, but others who can read the key are worth a warning. */
async function warnIfReadableByOthers(name: string, { print, platform }: Machine): Promise<void> {
  const { path, mode } = await readConfig(name);
  if (platform !== 'win32' && (mode & 0o044) !== 0)
    print(`Others on this machine can read the key in this file: chmod 600 ${shellQuote(path)}\n`);
}

async function uninstall(setup: Setup): Promise<number> {
  const { host, machine, name } = setup;
  const outcome = await changeAfterAsking(setup, {
    decide: (current) => createRemoveChange(current, host),
    explain: (_, change) => {
      machine.print(`${host.title}: ${serverInfo.name} goes out of ${name}.\n`);
      return change.text === undefined ? 'Remove this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  machine.print(
    outcome === 'changed'
      ? `${host.title} has it no more (${name}).\n`
      : `${host.title} does not have it; nothing was changed.\n`,
  );
  return 0;
}
