import { realpathSync } from 'node:fs';

/** How this program was started, so that a host can do the same: the Node that runs it, and its first file. */
export function launchCommand(): { readonly command: string; readonly main: string } {
  const [, main = 'docshare-mcp'] = process.argv;
  try {
    return { command: process.execPath, main: realpathSync(main) };
  } catch {
    return { command: process.execPath, main };
  }
}

/** A word that a shell takes as it stands. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
