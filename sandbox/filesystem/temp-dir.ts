import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getProcessStart, isSameProcess } from '../../src/process-liveness.ts';

/** Temporary folders of running sandboxes, removed when the process exits. */
const tempFolders = new Set<string>();

/** Limits pids to this machine: several machines or containers may share a temporary folder. */
const machineId = createHash('sha256').update(`${hostname()} ${getPidNamespace()}`).digest('hex').slice(0, 8);
const PREFIX = `docshare-sandbox-${machineId}-`;
const FOLDER_NAME = new RegExp(`^${PREFIX}(\\d{1,9})-(\\d*)-`);

/** Creates a temporary folder that is removed when the process exits. */
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
  for (const folder of tempFolders) tryOrElse(() => rmSync(folder, { recursive: true, force: true }), undefined);
}

/** Removes the temporary folders of processes that were killed. Folder names include the pid. */
export function removeOrphans(): void {
  const root = tmpdir();
  for (const name of tryOrElse(() => readdirSync(root), [])) {
    const [, pid, start = ''] = FOLDER_NAME.exec(name) ?? [];
    const path = join(root, name);
    if (pid !== undefined && !isSameProcess(Number(pid), start) && isOwnedFolder(path))
      tryOrElse(() => rmSync(path, { recursive: true, force: true }), undefined);
  }
}

/** Failing to clean up must not prevent a start or an exit. */
function tryOrElse<T>(operation: () => T, fallback: T): T {
  try {
    return operation();
  } catch {
    return fallback;
  }
}

/** Returns true for a folder of this user that is not a symbolic link. */
export function isOwnedFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
}

function getPidNamespace(): string {
  return tryOrElse(() => readlinkSync('/proc/self/ns/pid'), '');
}
