import { existsSync, readFileSync } from 'node:fs';

/**
 * The most memory that a running process ever held, in MiB, by the kernel's own account of it (`VmHWM`, proc(5)); 0 on
 * systems that keep none. Not `maxRSS` of getrusage(2): a process that was just started takes its parent's over.
 */
export function readPeakMiB(pid: number | 'self' | undefined): number {
  if (!existsSync('/proc/self/status')) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
