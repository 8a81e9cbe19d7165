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
