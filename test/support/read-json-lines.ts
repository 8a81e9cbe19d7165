import { readFileSync } from 'node:fs';

/** Reads a file with one object per line, such as an audit log. */
export function readJsonLines(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
