import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary folders of the sandboxes that run: a process that ends without closing them leaves none behind. */
const passing = new Set<string>();

/** Where numbers of processes mean the same: a temporary folder may be shared by machines and containers. */
const where = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8);
const PREFIX = 'docshare-sandbox-';
const OWNED = new RegExp(`^${PREFIX}${where}-(\\d{1,10})-`);

/** A temporary folder of a sandbox, which goes with the process; what killed ones left goes now. */
export function makePassing(): string {
  if (passing.size === 0) {
    process.on('exit', removePassing);
    removeOrphans();
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${where}-${process.pid}-`));
  passing.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  passing.delete(folder);
  if (passing.size === 0) process.off('exit', removePassing);
}

function removePassing(): void {
  for (const folder of passing) rmSync(folder, { recursive: true, force: true });
}

/** A signal ends a process without a word. Its folder says whose it was. */
function removeOrphans(): void {
  const root = tmpdir();
  for (const name of namesIn(root)) {
    const pid = Number(OWNED.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isAlive(pid) && isOwn(join(root, name)))
      rmSync(join(root, name), { recursive: true, force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A folder of this user's own, not a link. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
