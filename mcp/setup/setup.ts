import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type ConfigChange,
  type ConfigFile,
  getBackupPath,
  readConfig,
  updateConfig,
} from './config-file.ts';
import { createRemoveChange, createSetChange, findEntry, isDocshareEntry } from './host-entry.ts';
import { getAddCommand, getRemoveCommand, renderHostConfig } from './host-instructions.ts';
import { createEntry, type Entry, type HostDefinition, hosts } from './hosts.ts';
import { getInstallLink, getRemoteInstallLink } from './install-link.ts';
import { getLaunchCommand, getNpxSourceFile, type LaunchCommand, shellQuote } from './launch-command.ts';
import { getPrintableLaunchConfig, promptForLaunchConfig } from './launch-config.ts';
import type { Prompter } from './prompter.ts';
import { getRemoteAddCommand, getRemoteEntry, renderRemoteConfig } from './remote-server.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import { parseSetupOptions, SETUP_USAGE, type ServerOptionSpec, type SetupOptions } from './setup-options.ts';
import { getUserFolders } from './user-folders.ts';

/** Machine that hosts are set up on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Main file of this program, and its Node. */
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly prompter: Prompter;
  readonly print: (text: string) => void;
}

/** One host to set up, with its config file. */
interface SetupTarget {
  readonly host: HostDefinition;
  readonly options: SetupOptions;
  readonly machine: Machine;
  readonly name: string;
}

/**
 * Adds the server to a host's settings, or removes it. @returns the exit code.
 * @throws SetupError if that is not possible; nothing was changed then.
 */
export async function runSetup(
  args: readonly string[],
  { machine, serverSpec }: { machine: Machine; serverSpec: ServerOptionSpec },
): Promise<number> {
  const options = parseSetupOptions(args, serverSpec);
  if (options.help) machine.print(SETUP_USAGE);
  if (options.help) return 0;
  const { host } = options;
  if (!host) return listHosts(machine);
  const file = options.remove ? undefined : getNpxSourceFile(machine.main);
  if (file !== undefined)
    throw new SetupError(
      `Hosts can't start a package that npx fetched from a file. Install it (npm install --global ${shellQuote(file)}), then run docshare-mcp setup.`,
    );
  if (options.print && options.remove)
    throw new SetupError("--print and --remove can't be combined. Leave one of them out.");
  const name = options.file === undefined ? getConfigPath(host, machine) : resolve(options.file);
  const target: SetupTarget = { host, options, machine, name };
  if (options.print) machine.print(renderInstructions(target));
  if (options.print) return 0;
  if (host.form !== 'json') return printManualSteps(target);
  if (options.remove) return uninstall(target);
  if (options.url === undefined) return installLocal(target);
  const entry = getRemoteEntry(host, options.url);
  return installEntry(target, { entry, preview: entry, isKeyInFile: false });
}

/** Returns the existing config file, otherwise the usual one. */
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
      'docshare-mcp setup HOST adds the server, after asking; --print only shows the settings; --remove removes it.',
      '',
    ].join('\n'),
  );
  return 0;
}

async function getHostState(host: HostDefinition, name: string): Promise<string> {
  if (!existsSync(name)) {
    const installFolder = host.folder === undefined ? dirname(name) : join(dirname(name), host.folder);
    return existsSync(installFolder) ? 'found' : 'not found';
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

function getNextSteps({ host, options }: SetupTarget): string {
  return options.url === undefined ? host.nextSteps : (host.remoteNextSteps ?? host.nextSteps);
}

function getStartCommand(machine: Machine): LaunchCommand {
  return getLaunchCommand({ ...machine, path: machine.env['PATH'] });
}

function renderInstructions(target: SetupTarget): string {
  const { host, name } = target;
  const { config, command, link } = getInstructions(target);
  return [
    `${host.title}: ${name}`,
    '',
    config,
    ...(command === undefined ? [] : ['', 'Or with its own command:', '', command]),
    ...(link === undefined ? [] : ['', 'Or with its install link:', '', link]),
    '',
    getNextSteps(target),
    '',
  ].join('\n');
}

function getInstructions({ host, options, machine }: SetupTarget) {
  const { url } = options;
  if (url !== undefined)
    return {
      config: renderRemoteConfig(host, url),
      command: getRemoteAddCommand(host, url),
      link: getRemoteInstallLink(host, url),
    };
  const start = getStartCommand(machine);
  const launchConfig = getPrintableLaunchConfig(host, { line: options, start, env: machine.env });
  return {
    config: renderHostConfig(host, launchConfig),
    command: getAddCommand(host, launchConfig, machine.platform),
    link: getInstallLink(host, launchConfig),
  };
}

/** For hosts whose file format only their own command can edit safely. */
function printManualSteps(target: SetupTarget): number {
  const { host, options, machine, name } = target;
  machine.print(
    options.remove
      ? `Remove the server with ${host.title} itself:\n\n${getRemoveCommand(host) ?? name}\n`
      : `Nothing was changed: set up ${host.title} with its own command, or by hand.\n\n${renderInstructions(target)}`,
  );
  return 0;
}

async function installLocal(target: SetupTarget): Promise<number> {
  const { host, options, machine, name } = target;
  const { prompter, env } = machine;
  const { path } = await readConfig(name);
  const launchConfig = await promptForLaunchConfig(host, {
    line: options,
    start: getStartCommand(machine),
    env,
    person: prompter,
    path,
  });
  const isKeyInFile =
    launchConfig.key !== undefined &&
    host.getKeyReference?.(serverInfo.settings.apiKey.env) !== launchConfig.key;
  return installEntry(target, {
    entry: createEntry(host, launchConfig),
    preview: createEntry(host, isKeyInFile ? { ...launchConfig, key: '(your key)' } : launchConfig),
    isKeyInFile,
  });
}

interface InstallOptions {
  readonly entry: Entry;
  /** The entry without the key. */
  readonly preview: Entry;
  readonly isKeyInFile: boolean;
}

async function installEntry(
  target: SetupTarget,
  { entry, preview, isKeyInFile }: InstallOptions,
): Promise<number> {
  const { host, options, machine, name } = target;
  const { print } = machine;
  const outcome = await updateAfterConfirmation(target, {
    createChange: (current) => createSetChange(current, { host, entry }),
    printPreview(current, change) {
      print(
        `${host.title}: ${name}\n\n${host.serversKey}.${serverInfo.name} = ${JSON.stringify(preview, null, 2)}\n\n`,
      );
      if (isKeyInFile) print('The key will be written to this file.\n');
      const existing = findEntry(current.text, { host, name });
      if (existing !== undefined && !isDocshareEntry(existing))
        print(`This replaces another server named ${serverInfo.name}; --remove restores it.\n`);
      if (change.backup !== undefined)
        print(`A backup of the current file will be saved as ${getBackupPath(current.path)}.\n`);
      return current.text === undefined ? 'Create this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  for (const folder of options.folders.filter((path) => !existsSync(path)))
    print(`The folder ${folder} does not exist yet. The server won't start without it.\n`);
  if (isKeyInFile) await warnIfReadableByOthers(name, machine);
  print(
    outcome === 'changed'
      ? `Added the server to ${host.title} (${name}). ${getNextSteps(target)}\n`
      : `${host.title} already has the server; nothing was changed.\n`,
  );
  return 0;
}

/** Permissions are the owner's choice, but a readable key deserves a warning. */
async function warnIfReadableByOthers(name: string, { print, platform }: Machine): Promise<void> {
  const { path, mode } = await readConfig(name);
  if (platform !== 'win32' && (mode & 0o044) !== 0)
    print(`Other users of this machine can read the key in this file. Run chmod 600 ${shellQuote(path)}\n`);
}

async function uninstall(target: SetupTarget): Promise<number> {
  const { host, machine, name } = target;
  const { print } = machine;
  const outcome = await updateAfterConfirmation(target, {
    createChange: (current) => createRemoveChange(current, host),
    printPreview(_current, change) {
      print(`${host.title}: ${serverInfo.name} will be removed from ${name}.\n`);
      return change.text === undefined ? 'Delete this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  print(
    outcome === 'changed'
      ? `Removed the server from ${host.title} (${name}).\n`
      : `${host.title} does not have the server; nothing was changed.\n`,
  );
  return 0;
}

/**
 * Changes the config file once the person agrees, or at once with `--yes`.
 * @throws SetupError if there is no terminal to ask at.
 */
async function updateAfterConfirmation(
  { options, machine, name }: SetupTarget,
  update: {
    createChange: (current: ConfigFile) => Promise<ConfigChange | undefined>;
    /** Returns the question to ask. */
    printPreview: (current: ConfigFile, change: ConfigChange) => string;
  },
): Promise<'changed' | 'unchanged' | 'denied'> {
  const { prompter, print } = machine;
  let isAgreed = options.yes;
  let isDenied = false;
  const isChanged = await updateConfig(name, async (current) => {
    const change = await update.createChange(current);
    if (!change || isAgreed) return change;
    const question = update.printPreview(current, change);
    if (!prompter.isInteractive)
      throw new SetupError('There is no terminal to ask at. Run it again with --yes. Nothing was changed.');
    isAgreed = await prompter.confirm(question);
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) print('Nothing was changed.\n');
  if (isDenied) return 'denied';
  return isChanged ? 'changed' : 'unchanged';
}
