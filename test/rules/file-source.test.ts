/** What is opened to be uploaded is given back where it is refused, and read as it is where it is taken. */

/** What is opened to be uploaded is given back where it is refused, and read as it is where it is taken. */
import promises, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/upload/file-source.ts';
import { ownTemporaryFolder } from '../world/upload-service.ts';

/** All files that are opened from now on. */
function watchOpened() {
  const { open: real } = promises;
  const opened: promises.FileHandle[] = [];
  promises.open = async (...args) => {
    const handle = await real(...args);
    opened.push(handle);
    return handle;
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    promises.open = real;
    syncBuiltinESMExports();
  });
  return opened;
}

test.each([
  ['that is empty', '', {}],
  ['of another length than was told', 'text', { sizeBytes: 5 }],
])('a file %s is refused and not left open', async (_, text, options) => {
  const path = join(ownTemporaryFolder(), 'file.txt');
  await writeFile(path, text);
  const opened = watchOpened();
  await expect(openSource(path, options)).rejects.toThrow(/^The file (is empty|has 4 bytes, not the 5)/);
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});
