import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

/** The user's home folder; undefined if `HOME` is relative, or unset for a user without a passwd entry (containers). */
export function getHomeFolder(homeVariable: string | undefined): string | undefined {
  try {
    const home = homeVariable || homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
