/** A full disk: the error names the folder. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createFolderForTest } from '../../support/temp-folder.ts';

const newFolder = () => createFolderForTest('docshare-full-');

test.skipIf(process.platform !== 'linux')('an error while saving the state names the folder', async () => {
  const folder = newFolder();
  symlinkSync('/dev/full', join(folder, 'state.bin.tmp'));
  const sandbox = await createSandbox({ data: 'empty', dataFolder: folder });
  await expect(sandbox.close()).rejects.toMatchObject({
    message: `The folder ${folder} can't be written (ENOSPC). Free space there or choose another folder`,
    code: 'ENOSPC',
  });
  expect(readdirSync(folder)).not.toContain('lock');
});

test.skipIf(process.platform === 'win32')('an error during an upload names the folder', () => {
  const folder = newFolder();
  const store = new URL('../../../sandbox/filesystem/file-store.ts', import.meta.url).href;
  const program = `import { createFileStore } from ${JSON.stringify(store)};
    const files = createFileStore({ names: () => new Map(), folder: ${JSON.stringify(folder)} });
    await files.write('key', new Uint8Array(100_000)).catch(({ message }) => console.log(message));`;
  const run = ['ulimit -f 20; exec "$0" --input-type=module -e "$1"', process.execPath, program];
  expect(execFileSync('sh', ['-c', ...run], { encoding: 'utf8' }).trim()).toBe(
    `The sandbox can't write the file to ${folder} (EFBIG)`,
  );
});

test('a signed document that did not fit is generated again once there is space', async () => {
  const folder = newFolder();
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  const sandbox = await createSandbox({ clock: 'manual' });
  onTestFinished(() => sandbox.close());
  const headers = { authorization: `Bearer ${sandbox.key()}` };
  const { agreements } = sandbox.snapshot().state;
  const id = [...agreements.values()].find(({ status }) => status === 'signed')?.id;
  const ask = async () => (await fetch(`${sandbox.url}/agreements/${id}/document`, { headers })).status;
  expect(await ask()).toBe(507);
  mkdirSync(join(folder, 'none'));
  expect(await ask()).toBe(200);
});
