import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProcessStart, isSameProcess } from './process-liveness.ts';

/** Temporary folders of the sandboxes that run: a process that ends by itself without closing them leaves none behind. */
const tempFolders = new Set<string>();

/** Where numbers of processes mean the same: a temporary folder may be shared by machines and containers. */
const machineId = createHash('sha256').update(`${hostname()} ${getPidNamespace()}`).digest('hex').slice(0, 8);
const PREFIX = `docshare-sandbox-${machineId}-`;
const FOLDER_NAME = new RegExp(`^${PREFIX}(\\d{1,9})-(\\d*)-`);

/** Makes a temporary folder, which goes with the process. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${getProcessStart(process.pid)}-`));
  if (tempFolders.size === 0) process.on('exit', removeTempFolders);
  tempFolders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  tempFolders.delete(folder);
  if (tempFolders.size === 0) process.off('exit', removeTempFolders);
}

function removeTempFolders(): void {
  for (const folder of tempFolders)
    tryOrElse(() => rmSync(folder, { recursive: true, force: true }), undefined);
}

/** Removes the folders of processes that are gone: a signal ends one without a word. Their names say whose they were. */
export function removeOrphans(): void {
  const root = tmpdir();
  for (const name of tryOrElse(() => readdirSync(root), [])) {
    const [, pid, start = ''] = FOLDER_NAME.exec(name) ?? [];
    const path = join(root, name);
    if (pid !== undefined && !isSameProcess(Number(pid), start) && isOwnedFolder(path))
      tryOrElse(() => rmSync(path, { recursive: true, force: true }), undefined);
  }
}

/** What can't be tidied up is no reason not to start, or to end. */
function tryOrElse<T>(operation: () => T, fallback: T): T {
  try {
    return operation();
  } catch {
    return fallback;
  }
}

/** Whether a folder lies there that is this user's own, and no link. */
export function isOwnedFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
}

function getPidNamespace(): string {
  return tryOrElse(() => readlinkSync('/proc/self/ns/pid'), '');
}
