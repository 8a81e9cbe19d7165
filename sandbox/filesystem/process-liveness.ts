import { readFileSync } from 'node:fs';

/** Whether a process of this number runs, of whatever user. */
export function isProcessAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, in its system's own count; empty where the system does not say. */
export function getProcessStart(pid: number): string {
  try {
    // Behind the name in brackets, which may hold anything.
    return /.*\) (?:\S+ ){19}(\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Whether the process still runs that began `expectedStart`: the number of one that is gone may be another program's now. */
export function isSameProcess(pid: number, expectedStart: string): boolean {
  const now = getProcessStart(pid);
  return isProcessAlive(pid) && (expectedStart === '' || now === '' || expectedStart === now);
}
