import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { offer } from './offer.ts';

/** How a host starts the server. */
export interface StartLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where package runners keep what they run: it may be gone tomorrow. */
const PASSING = /[\\/](?:_npx|dlx[^\\/]*|bunx-[^\\/]*|xfs-[^\\/]*)[\\/]/;

/**
 * The command that starts what runs now: this very program where it is installed, `npx` with this very version where a
 * runner fetched it. An exact version starts without asking the registry, and no other version slips in.
 */
export function startLine(from: {
  readonly main: string;
  readonly node: string;
  readonly version: string;
  readonly path?: string | undefined;
  readonly platform: NodeJS.Platform;
}): StartLine {
  const { main, node, version, path = '', platform } = from;
  if (!PASSING.test(main)) return { command: lastingNode(node, path), args: [main] };
  return startByPackage({ version, platform });
}

/** The file that `npx` fetched this program from; undefined where it came from a registry, by its version. */
export function fetchedFile(main: string): string | undefined {
  const folder = main.match(/^.*[\\/]_npx[\\/][^\\/]+(?=[\\/])/)?.[0];
  if (folder === undefined) return undefined;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const from = String(dependencies[offer.package]);
    return from.startsWith('file:') ? resolve(folder, from.slice('file:'.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** How this very process was started. */
export function ownStartLine(version: string): StartLine {
  const { argv, execPath, env, platform } = process;
  return startLine({ main: resolve(argv[1] ?? ''), node: execPath, version, path: env['PATH'], platform });
}

/** A word that a shell takes as it stands. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function startByPackage(from: {
  readonly version: string;
  readonly platform: NodeJS.Platform;
}): StartLine {
  const npx = ['npx', '-y', `${offer.package}@${from.version}`];
  // There `npx` is a batch file, which hosts can start only through the command interpreter.
  const [command = '', ...args] = from.platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/** A name of the same program that outlives its next update: version managers put the version into the real one. */
function lastingNode(node: string, path: string): string {
  const names = path.split(delimiter).filter(Boolean);
  const same = names.map((folder) => join(folder, 'node')).find((file) => isSame(file, node));
  return same ?? node;
}

function isSame(file: string, other: string): boolean {
  try {
    return existsSync(file) && realpathSync(file) === realpathSync(other);
  } catch {
    return false;
  }
}
