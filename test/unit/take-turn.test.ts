/** A lock for a task that two shells start at once: they run one after the other, and no lock outlives its process. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { acquireProcessLock } from '../../scripts/process-lock.ts';
import { createFolderForFile } from '../support/cleanup.ts';

const folder = createFolderForFile('docshare-turn-');

test('the second process waits for the end of the first one and then gets the lock', async () => {
  const path = join(folder, 'lock');
  const end = acquireProcessLock(path);
  const module = JSON.stringify(resolve('scripts/process-lock.ts'));
  const waiter = promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `import { acquireProcessLock } from ${module};
     const path = ${JSON.stringify(path)};
     const end = acquireProcessLock(path) ?? acquireProcessLock(path);
     console.log(typeof end);
     end();`,
  ]);
  setTimeout(() => end?.(), 600);
  expect((await waiter).stdout).toBe('function\n');
  expect(existsSync(path)).toBe(false);
});
