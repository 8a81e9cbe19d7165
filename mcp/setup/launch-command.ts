import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, posix, resolve, win32 } from 'node:path';
import { version } from '../../src/version.ts';
import { serverInfo } from './server-info.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An installed copy of this program, and the machine that it runs on. */
export interface Program {
  /** Main file of the program, and its Node. */
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** Caches of package runners, which may be deleted at any time. */
const EPHEMERAL_PATH = /[\\/](?:_npx|dlx[^\\/]*|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/**
 * Returns the command that starts this program: its own path if installed, `npx` with this exact version if a
 * runner fetched it. An exact version starts without asking the registry.
 */
export function getLaunchCommand(program: Program): LaunchCommand {
  const { main, env, platform } = program;
  const command = findStableNode(program);
  if (!EPHEMERAL_PATH.test(main)) return { command, args: [main] };
  const npx = join(dirname(env['npm_execpath'] ?? ''), 'npx-cli.js');
  const start = getNpxCommand(program);
  if (!existsSync(npx)) return start;
  // Programs that are started from the Dock or the Start menu find neither npx nor the Node that it needs.
  const args = [npx, ...start.args.slice(start.args.indexOf('-y'))];
  return { command, args, ...(platform === 'win32' ? {} : { env: { PATH: `${dirname(command)}:/usr/bin:/bin` } }) };
}

/** Returns the file that `npx` installed this program from, or undefined if it came from a registry. */
export function getNpxSourceFile(main: string): string | undefined {
  const folder = main.match(/^.*[\\/]_npx[\\/][^\\/]+(?=[\\/])/)?.[0];
  if (folder === undefined) return undefined;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const from = String(dependencies[serverInfo.package]);
    return from.startsWith('file:') ? resolve(folder, from.slice('file:'.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the command that starts this program again. */
export function getCurrentLaunchCommand(): LaunchCommand {
  const { argv, execPath, env, platform } = process;
  return getLaunchCommand({ main: resolve(argv[1] ?? ''), node: execPath, version, env, platform });
}

/** Returns what a person types to run this program. */
export function getShellCommand(): string {
  const main = process.argv[1] ?? '';
  if (EPHEMERAL_PATH.test(main)) return `npx ${serverInfo.package}`;
  if (process.env['npm_lifecycle_event'] === 'mcp') return 'npm run mcp --';
  return /(?:docshare-mcp|bin\.cjs)$/.test(main) ? serverInfo.package : `node ${quoteArgument(main)}`;
}

/** Quotes an argument for a POSIX shell, or for both cmd.exe and PowerShell, which drops a bare `--`. */
export function quoteArgument(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32')
    return text !== '--' && /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function getNpxCommand({ version, platform }: Pick<Program, 'version' | 'platform'>): LaunchCommand {
  const npx = ['npx', '-y', `${serverInfo.package}@${version}`];
  // On Windows `npx` is a batch file, which hosts can start only through cmd.
  const [command = '', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/**
 * Returns a path to the same Node that survives its next update, for which version managers put its version into the real
 * path. A path of one shell's session, as fnm makes, ends with that session.
 */
function findStableNode({ node, env, platform }: Program): string {
  const { delimiter, join, isAbsolute } = platform === 'win32' ? win32 : posix;
  // Hosts start programs in another folder than this one.
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const files = folders.map((folder) => join(folder, platform === 'win32' ? 'node.exe' : 'node'));
  return files.find((file) => !file.includes('fnm_multishells') && isSameFile(file, node)) ?? realpath(node);
}

function realpath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function isSameFile(file: string, other: string): boolean {
  try {
    return realpathSync(file) === realpathSync(other);
  } catch {
    return false;
  }
}
