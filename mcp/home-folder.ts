import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The user's own folder. Undefined where there is none: `HOME` is no absolute path, so that it would mean whatever folder
 * the program was started in; or it is not set, and the user has no entry in the system's list, as in containers.
 */
export function getHomeFolder(homeVariable: string | undefined): string | undefined {
  try {
    const home = homeVariable || homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
