import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getBackupPath, readConfig, updateConfig } from './config-file.ts';
import { createRemoveChange, createSetChange, findEntry, isDocshareEntry } from './host-entry.ts';
import { getAddCommand, getRemoveCommand, renderHostConfig } from './host-instructions.ts';
import { createEntry, type Entry, type HostDefinition, hosts, type LaunchConfig } from './hosts.ts';
import { getInstallLink } from './install-link.ts';
import { getLaunchCommand, getNpxSourceFile, type LaunchCommand, shellQuote } from './launch-command.ts';
import { getPrintableLaunchConfig, promptForLaunchConfig } from './launch-config.ts';
import type { Prompter } from './prompter.ts';
import {
  getRemoteAddCommand,
  getRemoteEntry,
  getRemoteInstallLink,
  renderRemoteConfig,
} from './remote-server.ts';
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
  if (options.print && options.remove)
    throw new SetupError('--print shows what would be put there: leave out --print or --remove.');
  const preview = () =>
    options.url === undefined
      ? renderInstructions(host, {
          launchConfig: getPrintableLaunchConfig(host, { line: options, start: launchCommand, env }),
          name,
          platform,
        })
      : renderRemoteInstructions(host, { url: options.url, name });
  if (options.print) {
    print(preview());
    return 0;
  }
  if (host.form !== 'json') return printManualSteps(host, { options, preview, machine, name });
  if (options.remove) return uninstall(host, { options, machine, name });
  if (options.url !== undefined) {
    const entry = getRemoteEntry(host, options.url);
    return installEntry(host, { entry, preview: entry, isKeyInFile: false, options, machine, name });
  }
  return installLocal(host, { options, launchCommand, machine, name });
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

function renderInstructions(
  host: HostDefinition,
  { launchConfig, name, platform }: { launchConfig: LaunchConfig; name: string; platform: NodeJS.Platform },
): string {
  const command = getAddCommand(host, launchConfig, platform);
  const link = getInstallLink(host, launchConfig);
  return formatInstructions(host, {
    name,
    text: renderHostConfig(host, launchConfig),
    command,
    link,
    nextSteps: host.nextSteps,
  });
}

function renderRemoteInstructions(
  host: HostDefinition,
  { url, name }: { url: string; name: string },
): string {
  const [text, command, link] = [
    renderRemoteConfig(host, url),
    getRemoteAddCommand(host, url),
    getRemoteInstallLink(host, url),
  ];
  return formatInstructions(host, {
    name,
    text,
    command,
    link,
    nextSteps: host.remoteNextSteps ?? host.nextSteps,
  });
}

function formatInstructions(
  host: HostDefinition,
  instructions: {
    name: string;
    text: string;
    command: string | undefined;
    link: string | undefined;
    nextSteps: string;
  },
): string {
  const { name, text, command, link, nextSteps } = instructions;
  return [
    `${host.title}: ${name}`,
    '',
    text,
    ...(command === undefined ? [] : ['', 'or by its own command:', '', command]),
    ...(link === undefined ? [] : ['', 'or by its link:', '', link]),
    '',
    nextSteps,
    '',
  ].join('\n');
}

/** A host whose file has a form that only its own command edits without harm. */
function printManualSteps(
  host: HostDefinition,
  {
    options,
    preview,
    machine,
    name,
  }: { options: SetupOptions; preview: () => string; machine: Machine; name: string },
): number {
  if (options.remove)
    machine.print(`${host.title} takes it out itself:\n\n${getRemoveCommand(host) ?? name}\n`);
  else {
    machine.print(`Nothing was changed: ${host.title} is set up by its own command, or by hand.\n\n`);
    machine.print(preview());
  }
  return 0;
}

async function installLocal(
  host: HostDefinition,
  {
    options,
    launchCommand,
    machine,
    name,
  }: { options: SetupOptions; launchCommand: LaunchCommand; machine: Machine; name: string },
): Promise<number> {
  const { prompter, env } = machine;
  const { path } = await readConfig(name);
  const launchConfig = await promptForLaunchConfig(host, {
    line: options,
    start: launchCommand,
    env,
    person: prompter,
    path,
  });
  const entry = createEntry(host, launchConfig);
  const isKeyInFile =
    launchConfig.key !== undefined &&
    host.getKeyReference?.(serverInfo.settings.apiKey.env) !== launchConfig.key;
  const preview = createEntry(host, isKeyInFile ? { ...launchConfig, key: '(your key)' } : launchConfig);
  return installEntry(host, { entry, preview, isKeyInFile, options, machine, name });
}

interface InstallOptions {
  readonly entry: Entry;
  /** The same without the key. */
  readonly preview: Entry;
  readonly isKeyInFile: boolean;
  readonly options: SetupOptions;
  readonly machine: Machine;
  readonly name: string;
}

async function installEntry(
  host: HostDefinition,
  { entry, preview, isKeyInFile, options, machine, name }: InstallOptions,
): Promise<number> {
  const { print } = machine;
  const nextSteps = options.url === undefined ? host.nextSteps : (host.remoteNextSteps ?? host.nextSteps);
  let isAgreed = options.yes;
  let isDenied = false;
  const isChanged = await updateConfig(name, async (current) => {
    const change = await createSetChange(current, { host, entry });
    if (!change || isAgreed) return change;
    print(
      `${host.title}: ${name}\n\n${host.serversKey}.${serverInfo.name} = ${JSON.stringify(preview, null, 2)}\n\n`,
    );
    if (isKeyInFile) print('The key will stand in this file.\n');
    const existing = findEntry(current.text, { host, name });
    if (existing !== undefined && !isDocshareEntry(existing))
      print(
        `It takes the place of another server of the name ${serverInfo.name}; --remove puts that one back.\n`,
      );
    if (change.backup !== undefined) print(`What is there now is kept as ${getBackupPath(current.path)}.\n`);
    isAgreed = await confirmChange(
      machine,
      current.text === undefined ? 'Make this file?' : 'Change this file?',
    );
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) print('Nothing was changed.\n');
  else {
    for (const folder of options.folders.filter((one) => !existsSync(one)))
      print(`There is no folder ${folder} yet: the server won't start without it.\n`);
    if (isKeyInFile) await warnIfReadableByOthers(name, machine);
    print(
      isChanged
        ? `${host.title} has the server now (${name}). ${nextSteps}\n`
        : `${host.title} has it already; nothing was changed.\n`,
    );
  }
  return isDenied ? 1 : 0;
}

/** The rights of a file are its owner's to choose; that others read a key by them has to be said. */
async function warnIfReadableByOthers(name: string, { print, platform }: Machine): Promise<void> {
  const { path, mode } = await readConfig(name);
  if (platform !== 'win32' && (mode & 0o044) !== 0)
    print(`Others on this machine can read the key in this file: chmod 600 ${shellQuote(path)}\n`);
}

async function uninstall(
  host: HostDefinition,
  { options, machine, name }: { options: SetupOptions; machine: Machine; name: string },
): Promise<number> {
  const { print } = machine;
  let isAgreed = options.yes;
  let isDenied = false;
  const isChanged = await updateConfig(name, async (current) => {
    const change = await createRemoveChange(current, host);
    if (!change || isAgreed) return change;
    print(`${host.title}: ${serverInfo.name} goes out of ${name}.\n`);
    isAgreed = await confirmChange(
      machine,
      change.text === undefined ? 'Remove this file?' : 'Change this file?',
    );
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) print('Nothing was changed.\n');
  else
    print(
      isChanged
        ? `${host.title} has it no more (${name}).\n`
        : `${host.title} does not have it; nothing was changed.\n`,
    );
  return isDenied ? 1 : 0;
}

/** @throws SetupError where nobody is there to ask. */
async function confirmChange({ prompter }: Machine, question: string): Promise<boolean> {
  if (!prompter.isInteractive)
    throw new SetupError('Nobody is there to ask, and nothing was changed: run it again with --yes.');
  return prompter.confirm(question);
}
