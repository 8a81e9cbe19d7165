import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

interface Part {
  close(): unknown;
}

/** Closes a part after the last test of the file, later parts first: `const sandbox = await closeAfterAll(createSandbox())`. */
export async function closeAfterAll<Opened extends Part>(opening: Promise<Opened> | Opened): Promise<Opened> {
  const part = await opening;
  afterAll(async () => void (await part.close()));
  return part;
}

/** Closes a part after the test that opened it, later parts first. Not for concurrent tests. */
export async function closeAfterTest<Opened extends Part>(opening: Promise<Opened> | Opened): Promise<Opened> {
  const part = await opening;
  onTestFinished(async () => void (await part.close()));
  return part;
}

/** Disposes of a value when the test ends, like `await using`, which Node 22 does not support. */
export function endWithTest<Begun extends AsyncDisposable>(begun: Begun): Begun {
  onTestFinished(() => begun[Symbol.asyncDispose]());
  return begun;
}

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
