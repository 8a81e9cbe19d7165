import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { acquireProcessLock, withProcessLock } from '../../scripts/process-lock.ts';
import { createFolderForFile } from '../support/cleanup.ts';

const folder = createFolderForFile('docshare-lock-');

const act = (path: string) => {
  const told: boolean[] = [];
  withProcessLock(path, (isAlone) => told.push(isAlone));
  return told;
};

test('the lock of a killed process is free at once', async () => {
  const path = join(folder, 'killed.lock');
  const program = `
    const { withProcessLock } = await import(${JSON.stringify(new URL('../../scripts/process-lock.ts', import.meta.url).href)});
    withProcessLock(process.argv[1], (isAlone) => {
      process.getBuiltinModule('node:fs').writeSync(1, String(isAlone));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program, path]);
  expect(String((await once(holder.stdout, 'data'))[0])).toBe('true');
  expect(existsSync(path)).toBe(true);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(act(path)).toEqual([true]);
  expect(existsSync(path)).toBe(false);
});

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
