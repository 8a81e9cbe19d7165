import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the peak memory of a running process in MiB (`VmHWM`, proc(5)); 0 on systems without it. Not `maxRSS` of
 * getrusage(2), which a new process inherits from its parent.
 */
export function readPeakMiB(pid: number | 'self' | undefined): number {
  if (!existsSync('/proc/self/status')) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
