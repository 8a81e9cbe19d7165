import { posix, win32 } from 'node:path';

/** Machine whose programs keep settings and keys in known places. */
export interface UserMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string | undefined;
  /** Folders of this server's own state. */
  readonly privateFolders?: readonly string[];
}

/**
 * Returns whether a path below an allowed folder is hidden: a part of it starts with a dot, or it leads into a place
 * where programs keep settings, keys and browser profiles. A person who allows a folder in such a place has chosen it.
 */
export function isHiddenPath(
  { root, path }: { root: string; path: string },
  { platform, home, privateFolders = [] }: UserMachine,
): boolean {
  const { sep, join, relative, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (path.split(sep).some((part) => part.startsWith('.'))) return true;
  // The disks of macOS and Windows don't distinguish case.
  const fold = (text: string) => (platform === 'linux' ? text : text.normalize('NFC').toLowerCase());
  const isBelow = (folder: string, below: string) => {
    const between = relative(fold(folder), fold(below));
    return !between.startsWith('..') && !isAbsolute(between);
  };
  const file = join(root, path);
  const inHome = (...names: readonly string[]) => (home === undefined ? [] : names.map((name) => join(home, name)));
  const synchronized = platform === 'darwin' ? inHome('Library/CloudStorage', 'Library/Mobile Documents') : [];
  if (synchronized.some((folder) => isBelow(folder, file))) return false;
  const places =
    platform === 'darwin'
      ? [...inHome('Library'), '/Library', '/private/var/db']
      : platform === 'win32'
        ? inHome('AppData', 'Application Data', 'Local Settings')
        : [];
  return (
    [...places, ...privateFolders].some((folder) => isBelow(folder, file) && !isBelow(folder, root)) ||
    // The user's registry, and its logs.
    (platform === 'win32' && /^ntuser\./i.test(win32.basename(file)))
  );
}
