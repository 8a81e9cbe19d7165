import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { serverInfo } from './server-info.ts';

/** How a host starts the server. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where package runners keep what they run: it may be gone tomorrow. */
const EPHEMERAL_PATH = /[\\/](?:_npx|dlx[^\\/]*|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/**
 * The command that starts what runs now: this very program where it is installed, `npx` with this very version where a
 * runner fetched it. An exact version starts without asking the registry, and no other version slips in.
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

/** The file that `npx` fetched this program from; undefined where it came from a registry, by its version. */
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

/** How this very process was started. */
export function getCurrentLaunchCommand(version: string): LaunchCommand {
  const { argv, execPath, env, platform } = process;
  return getLaunchCommand({
    main: resolve(argv[1] ?? ''),
    node: execPath,
    version,
    path: env['PATH'],
    platform,
  });
}

/** A word that a shell takes as it stands. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function getNpxCommand(from: {
  readonly version: string;
  readonly platform: NodeJS.Platform;
}): LaunchCommand {
  const npx = ['npx', '-y', `${serverInfo.package}@${from.version}`];
  // There `npx` is a batch file, which hosts can start only through the command interpreter.
  const [command = '', ...args] = from.platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/** A name of the same program that outlives its next update: version managers put the version into the real one. */
function findStableNode(node: string, path: string): string {
  const folders = path.split(delimiter).filter(Boolean);
  const same = folders.map((folder) => join(folder, 'node')).find((file) => isSameFile(file, node));
  return same ?? node;
}

function isSameFile(file: string, other: string): boolean {
  try {
    return existsSync(file) && realpathSync(file) === realpathSync(other);
  } catch {
    return false;
  }
}
