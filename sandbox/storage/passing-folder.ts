import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProcessStart, isStillThere } from '../other-process.ts';

/** Temporary folders of the sandboxes that run: a process that ends by itself without closing them leaves none behind. */
const passing = new Set<string>();

/** Where numbers of processes mean the same: a temporary folder may be shared by machines and containers. */
const where = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8);
const PREFIX = `docshare-sandbox-${where}-`;
const OWNER = new RegExp(`^${PREFIX}(\\d{1,9})-(\\d*)-`);

/** Makes a temporary folder, which goes with the process. */
export function makePassing(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${getProcessStart(process.pid)}-`));
  if (passing.size === 0) process.on('exit', removePassing);
  passing.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  passing.delete(folder);
  if (passing.size === 0) process.off('exit', removePassing);
}

function removePassing(): void {
  for (const folder of passing) orElse(() => rmSync(folder, { recursive: true, force: true }), undefined);
}

/** Removes the folders of processes that are gone: a signal ends one without a word. Their names say whose they were. */
export function removeOrphans(): void {
  const root = tmpdir();
  for (const name of orElse(() => readdirSync(root), [])) {
    const [, pid, start = ''] = OWNER.exec(name) ?? [];
    const path = join(root, name);
    if (pid !== undefined && !isStillThere(Number(pid), start) && isOwnFolder(path))
      orElse(() => rmSync(path, { recursive: true, force: true }), undefined);
  }
}

/** What can't be tidied up is no reason not to start, or to end. */
function orElse<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** Whether a folder lies there that is this user's own, and no link. */
export function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
}

function pidNamespace(): string {
  return orElse(() => readlinkSync('/proc/self/ns/pid'), '');
}
