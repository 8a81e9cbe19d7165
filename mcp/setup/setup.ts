import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ConfigChange, type ConfigFile, getBackupPath, readConfig, updateConfig } from './config-file.ts';
import { createRemoveChange, createSetChange, findEntry, isDocshareEntry } from './host-entry.ts';
import { getAddCommand, getInstallLink, getRemoveCommand, renderHostConfig } from './host-text.ts';
import { createEntry, type HostDefinition, hosts, type ServerToAdd } from './hosts.ts';
import {
  getLaunchCommand,
  getNpxSourceFile,
  getShellCommand,
  type LaunchCommand,
  type Program,
  quoteArgument,
} from './launch-command.ts';
import {
  findBaseUrl,
  getNetworkEnv,
  getPrintableLaunchConfig,
  promptForFolder,
  promptForLaunchConfig,
} from './launch-config.ts';
import type { Prompter } from './prompter.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import { parseSetupOptions, SETUP_USAGE, type ServerOptionSpec, type SetupOptions } from './setup-options.ts';
import { getUserFolders } from './user-folders.ts';

/** Machine that hosts are set up on. */
export interface Machine extends Program {
  readonly prompter: Prompter;
  readonly print: (text: string) => void;
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
  const { print, env, platform } = machine;
  if (options.help) print(SETUP_USAGE);
  if (options.help) return 0;
  const { host } = options;
  if (!host) return listHosts(machine);
  const name = options.file === undefined ? getConfigPath(host, machine) : resolve(options.file);
  const file = options.remove ? undefined : getNpxSourceFile(machine.main);
  if (file !== undefined)
    throw new SetupError(
      `Hosts can't start a package that npx fetched from a file. Install it (npm install --global ${quoteArgument(file)}), then run docshare-mcp setup.`,
    );
  const { url } = options;
  const { start, folders, omitted } = await createStart(host, { options, machine });
  const preview = () => {
    const server = url === undefined ? getPrintableServer(host, { options, start, env }) : { url };
    return renderInstructions(host, { server, name, platform });
  };
  if (options.print) {
    print(preview());
    return 0;
  }
  const setup: Setup = { host, options, machine, name, folders, omitted };
  if (host.form !== 'json') return printManualSteps(setup, preview);
  if (options.remove) return uninstall(setup);
  if (url !== undefined) return installEntry(setup, { url });
  const { path } = await readConfig(name);
  return installEntry(
    setup,
    await promptForLaunchConfig(host, { options, start, env, prompter: machine.prompter, path }),
  );
}

/** Returns the command for the host's entry, after asking for a folder if the host starts servers elsewhere. */
async function createStart(host: HostDefinition, { options, machine }: { options: SetupOptions; machine: Machine }) {
  const { env, platform, prompter } = machine;
  const { command, args, env: commandEnv } = getLaunchCommand(machine);
  const { networkEnv, omitted } = getNetworkEnv(options.sandbox ? {} : env);
  const needsFolder =
    host.startsElsewhere && options.folders.length === 0 && !(options.url || options.print || options.remove);
  const folder = needsFolder ? await promptForFolder(prompter, getUserFolders(env, platform).home) : undefined;
  const named = folder === undefined ? [] : ['--files', folder];
  const start = { command, args: [...args, ...options.args, ...named], env: { ...commandEnv, ...networkEnv } };
  return { start, folders: folder === undefined ? options.folders : [folder], omitted };
}

function getPrintableServer(
  host: HostDefinition,
  { options, start, env }: { options: SetupOptions; start: LaunchCommand; env: NodeJS.ProcessEnv },
): ServerToAdd {
  const { sandbox, envKey } = options;
  const url = sandbox ? undefined : (findBaseUrl(options, env) ?? serverInfo.settings.baseUrl.placeholder);
  return getPrintableLaunchConfig(host, { start, url, envKey });
}

interface Setup {
  readonly host: HostDefinition;
  readonly options: SetupOptions;
  readonly machine: Machine;
  /** Path of the host's settings file. */
  readonly name: string;
  /** Allowed folders of the server. */
  readonly folders: readonly string[];
  /** Variables of the network that have a password. */
  readonly omitted: readonly string[];
}

/** Returns the existing settings file, otherwise the usual one. */
function getConfigPath(host: HostDefinition, { env, platform }: Machine): string {
  const files = host.files(getUserFolders(env, platform));
  return files.find((file) => existsSync(file)) ?? files.find((file) => existsSync(dirname(file))) ?? files[0] ?? '';
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
      `${getShellCommand()} setup HOST adds the server, after asking; --print only shows the settings; --remove removes it.`,
      '',
    ].join('\n'),
  );
  return 0;
}

async function getHostState(host: HostDefinition, name: string): Promise<string> {
  if (!existsSync(name)) {
    // Hosts whose file is directly in the home folder also have a folder there.
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

/** Explains how to add the server by hand, with the host's own command, or with a link. */
function renderInstructions(
  host: HostDefinition,
  { server, name, platform }: { server: ServerToAdd; name: string; platform: NodeJS.Platform },
): string {
  const command = getAddCommand(host, server, platform);
  const link = getInstallLink(host, server);
  return [
    `${host.title}: ${name}`,
    '',
    renderHostConfig(host, server),
    ...(command === undefined ? [] : ['', 'Or with its own command:', '', command]),
    ...(link === undefined ? [] : ['', 'Or with its install link:', '', link]),
    '',
    getNextSteps(host, server),
    '',
  ].join('\n');
}

function getNextSteps(host: HostDefinition, server: ServerToAdd): string {
  if ('url' in server) return host.remoteNextSteps ?? host.nextSteps;
  return [host.nextSteps, ...(server.key === undefined ? [] : [host.keySteps ?? []].flat())].join(' ');
}

/** For files that only the host's own command edits safely. @returns 2, because the user has yet to do it. */
function printManualSteps({ host, options, machine, name }: Setup, preview: () => string): number {
  if (options.remove)
    machine.print(
      `Nothing was changed. Remove the server with ${host.title} itself:\n\n${getRemoveCommand(host) ?? name}\n`,
    );
  else {
    machine.print(preview());
    machine.print(`\nNothing was changed. You must add this to ${host.title} yourself, as shown above.\n`);
  }
  return 2;
}

/** Changes the file once the user agrees. @throws SetupError if the terminal is not interactive. */
async function updateAfterConfirmation(
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
      throw new SetupError(
        'This is not an interactive terminal, so setup can’t ask you. Run it again with --yes. Nothing was changed.',
      );
    isAgreed = await machine.prompter.confirm(question);
    isDenied = !isAgreed;
    return isAgreed ? change : undefined;
  });
  if (isDenied) machine.print('Nothing was changed.\n');
  return isDenied ? 'denied' : isChanged ? 'changed' : 'unchanged';
}

async function installEntry(setup: Setup, server: ServerToAdd): Promise<number> {
  const { host, machine, name, folders, omitted } = setup;
  const { print } = machine;
  const entry = createEntry(host, server);
  const key = 'url' in server ? undefined : server.key;
  const isKeyInFile = key !== undefined && host.getKeyReference?.(serverInfo.settings.apiKey.env) !== key;
  const preview = isKeyInFile ? createEntry(host, { ...server, key: '(your key)' }) : entry;
  const outcome = await updateAfterConfirmation(setup, {
    decide: (current) => createSetChange(current, { host, entry }),
    explain: (current, change) => {
      print(
        `${host.title}: ${name}\n\n${host.serversKey}.${serverInfo.name} = ${JSON.stringify(preview, null, 2)}\n\n`,
      );
      if (isKeyInFile) print('The key will be written to this file.\n');
      const existing = findEntry(current.text, { host, name });
      if (existing !== undefined && !isDocshareEntry(existing))
        print(`This replaces another server named ${serverInfo.name}; --remove restores it.\n`);
      if (change.backup !== undefined)
        print(`A copy of the current file will be saved as ${getBackupPath(current.path)}.\n`);
      return current.text === undefined ? 'Create this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  for (const folder of folders.filter((path) => !existsSync(path)))
    print(`The folder ${folder} does not exist yet. The server won't start without it.\n`);
  if (host.startsElsewhere && !('url' in server) && folders.length === 0)
    print(
      'No folder is allowed, so the assistant can’t use files of this computer. To change that, add --files DIR.\n',
    );
  for (const variable of omitted)
    print(
      `${variable} has a password and was not written to the file. Add it to ${host.envField} yourself if needed.\n`,
    );
  if (isKeyInFile) await warnIfReadableByOthers(name, machine);
  print(
    outcome === 'changed'
      ? `Added the server to ${host.title} (${name}). ${getNextSteps(host, server)}\n`
      : `${host.title} already has the server; nothing was changed.\n`,
  );
  return 0;
}

/** Permissions are the owner's choice, but a readable key deserves a warning. */
async function warnIfReadableByOthers(name: string, { print, platform }: Machine): Promise<void> {
  const { path, mode } = await readConfig(name);
  if (platform !== 'win32' && (mode & 0o044) !== 0)
    print(`Other users of this machine can read the key in this file. Run chmod 600 ${quoteArgument(path)}\n`);
}

async function uninstall(setup: Setup): Promise<number> {
  const { host, machine, name } = setup;
  const outcome = await updateAfterConfirmation(setup, {
    decide: (current) => createRemoveChange(current, host),
    explain: (_, change) => {
      machine.print(`${host.title}: ${serverInfo.name} will be removed from ${name}.\n`);
      return change.text === undefined ? 'Delete this file?' : 'Change this file?';
    },
  });
  if (outcome === 'denied') return 1;
  machine.print(
    outcome === 'changed'
      ? `Removed the server from ${host.title} (${name}).\n`
      : `${host.title} does not have the server; nothing was changed.\n`,
  );
  return 0;
}
