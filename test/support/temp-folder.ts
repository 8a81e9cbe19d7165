import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function create(prefix: string): { path: string; remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Creates a temporary folder, and removes it after the last test of the file. */
export function createFolderForFile(prefix: string): string {
  const { path, remove } = create(prefix);
  afterAll(remove);
  return path;
}

/** Creates a temporary folder, and removes it after the test. */
export function createFolderForTest(prefix: string): string {
  const { path, remove } = create(prefix);
  onTestFinished(remove);
  return path;
}
