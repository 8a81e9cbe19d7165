import { readFileSync } from 'node:fs';

export function isProcessAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the start time of a process in the system's own unit; empty if unknown. */
export function getProcessStart(pid: number): string {
  try {
    // The fields after the process name, which is in parentheses and may contain anything.
    return /.*\) (?:\S+ ){19}(\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Compares start times too: the pid of a dead process may be reused. */
export function isSameProcess(pid: number, expectedStart: string): boolean {
  const now = getProcessStart(pid);
  return isProcessAlive(pid) && (expectedStart === '' || now === '' || expectedStart === now);
}
