import { existsSync, promises, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveFile, moveToReservedName, replaceFile } from '../../../src/move-file.ts';
import { createFolderForTest } from '../../support/cleanup.ts';

/** Makes this many renames fail. */
function failRenames(times: number, code: string): void {
  const { rename, link } = promises;
  promises.link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'EPERM' }));
  promises.rename = (from, to) =>
    times-- > 0 ? Promise.reject(Object.assign(new Error('held'), { code })) : rename(from, to);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(promises, { rename, link });
    syncBuiltinESMExports();
  });
}

test.each([
  ['replaced', replaceFile],
  ['moved', moveFile],
  ['moved with its open handle', moveToReservedName],
] as const)('a briefly locked file is %s, and a file that stays locked leaves no empty file', async (_, move) => {
  const folder = createFolderForTest('docshare-move-');
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, 'text');
  failRenames(2, 'EPERM');
  await move(from, to);
  expect([existsSync(from), readFileSync(to, 'utf8')]).toEqual([false, 'text']);
  failRenames(100, 'EBUSY');
  await expect(move(to, from)).rejects.toMatchObject({ code: 'EBUSY' });
  expect([existsSync(from), existsSync(to)]).toEqual([false, true]);
});
