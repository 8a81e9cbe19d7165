import { readdirSync, readlinkSync } from 'node:fs';

/** Files of a folder that this process has open, including deleted ones. */
export function listOpenFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}
