/** Uploaded bytes on disk: faults are reported precisely, no half-written file is left, and links of other users are not followed. */
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFileStore } from '../../../../sandbox/filesystem/file-store.ts';
import {
  createTempFolder,
  isOwnedFolder,
  removeFolder,
  removeOrphans,
} from '../../../../sandbox/filesystem/temp-dir.ts';
import { isProcessAlive, isSameProcess } from '../../../../src/process-liveness.ts';
import { texts } from '../../../sandbox/texts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-file-store-'));
  vi.stubEnv('TMPDIR', folder);
  return () => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

function open(given?: string) {
  const names = new Map<string, string>();
  const files = createFileStore({ names: () => names, folder: given });
  onTestFinished(() => files.close());
  return { files, names };
}

/** The folders of another process, as it were. */
const loadAnew = (
  name: string,
): Promise<{ createTempFolder: typeof createTempFolder; removeFolder: typeof removeFolder }> =>
  import(`../../../../sandbox/filesystem/temp-dir.ts?${name}`);

test.each(['read', 'getSize'] as const)('%s of a deleted file is an error with a message', async (ask) => {
  const { files } = open();
  await files.write('key', Buffer.from('x'));
  rmSync(files.getPath('key'));
  await expect(files[ask]('key')).rejects.toMatchObject({ reason: 'unknownId', message: texts.theStoredFileIsMissing });
});

test('an unreadable file is not reported as missing', async () => {
  const { files, names } = open();
  names.set('key', 'a-folder');
  mkdirSync(join(files.folder(), 'a-folder'));
  await expect(files.read('key')).rejects.toMatchObject({ code: 'EISDIR' });
});

test('a broken stream is not a disk error, and leaves nothing behind', async () => {
  const { files } = open();
  const broken = new Error('The caller hung up');
  const bytes = Readable.from(
    (async function* () {
      yield Buffer.from('half of it');
      throw broken;
    })(),
  );
  await expect(files.receive('key', bytes)).rejects.toBe(broken);
  expect([files.has('key'), readdirSync(files.folder())]).toEqual([false, []]);
});

test('a link that replaces a deleted folder is not followed', async () => {
  const { files } = open();
  const was = files.folder();
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  rmSync(was, { recursive: true });
  symlinkSync(elsewhere, was);
  await files.write('key', Buffer.from('x'));
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a folder of another user is not used', () => {
  expect(isOwnedFolder(folder)).toBe(true);
  vi.spyOn(process, 'getuid').mockReturnValue(4_000_000);
  expect(isOwnedFolder(folder)).toBe(false);
});

test('a process of another user counts as alive', () => {
  const refuse = (code: string) =>
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
  refuse('EPERM');
  expect([isProcessAlive(7), isSameProcess(7, '')]).toEqual([true, true]);
  refuse('ESRCH');
  expect([isProcessAlive(7), isSameProcess(7, '')]).toEqual([false, false]);
});

test.each<[string, () => void]>([
  ['machine', () => vi.spyOn(os, 'hostname').mockReturnValue('another')],
  ['container', () => vi.spyOn(fs, 'readlinkSync').mockReturnValue('pid:[1]')],
])('another %s that shares the temporary folder uses another name', async (name, move) => {
  const own = createTempFolder();
  onTestFinished(() => removeFolder(own));
  move();
  syncBuiltinESMExports();
  const there = await loadAnew(name);
  const theirs = there.createTempFolder();
  onTestFinished(() => there.removeFolder(theirs));
  const whereOf = (path: string) => basename(path).split('-')[2];
  expect(whereOf(theirs)).not.toBe(whereOf(own));
});

test('the exit of the process is watched as long as there is a temporary folder', async () => {
  const { createTempFolder, removeFolder } = await loadAnew('watched');
  const count = () => process.listenerCount('exit');
  const before = count();
  const made = [createTempFolder(), createTempFolder()];
  const during = count();
  for (const one of made) removeFolder(one);
  expect([during, count()]).toEqual([before + 1, before]);
});

test('a start succeeds even if old files cannot be cleaned up', () => {
  const made = createTempFolder();
  onTestFinished(() => removeFolder(made));
  mkdirSync(join(folder, basename(made).replace(/-\d+-\d*-\w+$/, '-999999999-1-left')));
  const removing = vi.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw new Error('EPERM');
  });
  syncBuiltinESMExports();
  expect(removeOrphans).not.toThrow();
  expect(removing).toHaveBeenCalledOnce();
  removing.mockRestore();
  syncBuiltinESMExports();
});
