import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { version } from '../../src/version.ts';
import { serverInfo } from './server-info.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Caches of package runners, which may be deleted at any time. */
const EPHEMERAL_PATH = /[\\/](?:_npx|dlx[^\\/]*|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/**
 * Returns the command that starts this program: its own path if installed, `npx` with this exact version if a
 * runner fetched it. An exact version starts without asking the registry.
 */
export function getLaunchCommand(from: {
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly path?: string | undefined;
  readonly platform: NodeJS.Platform;
}): LaunchCommand {
  const { main, node, version, path = '', platform } = from;
  if (!EPHEMERAL_PATH.test(main)) return { command: findStableNode(node, path), args: [main] };
  return getNpxCommand({ version, platform });
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
  return getLaunchCommand({ main: resolve(argv[1] ?? ''), node: execPath, version, path: env['PATH'], platform });
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function getNpxCommand(from: { readonly version: string; readonly platform: NodeJS.Platform }): LaunchCommand {
  const npx = ['npx', '-y', `${serverInfo.package}@${from.version}`];
  // On Windows `npx` is a batch file, which hosts can start only through cmd.
  const [command = '', ...args] = from.platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/**
 * Returns a path to the same Node that survives its next update: version managers put the version into the real path.
 */
function findStableNode(node: string, path: string): string {
  const folders = path.split(delimiter).filter(Boolean);
  const same = folders.map((folder) => join(folder, 'node')).find((file) => isSameFile(file, node));
  return same ?? node;
}

function isSameFile(file: string, other: string): boolean {
  try {
    return realpathSync(file) === realpathSync(other);
  } catch {
    return false;
  }
}
