/** Which paths lead through the door between a tool and the disk. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileAccess, MAX_FILE_BYTES } from '../../../../mcp/files/file-access.ts';
import { getOpenFilePath } from '../../../../mcp/files/open-file-path.ts';
import { texts } from '../../../mcp/texts.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'docshare-door-')));
const at = (...parts: string[]) => join(root, ...parts);
/** In titles the folder of this run is ROOT: its name is another each time. */
const real = (text: string) => text.replace('ROOT', root);
const inside = at('allowed');
const second = at('second');

beforeAll(() => {
  for (const folder of ['allowed/sub/.git', 'allowed/..dots', 'allowed-not', 'second', '.hidden/own'])
    mkdirSync(at(folder), { recursive: true });
  const files = ['allowed/deck.pdf', 'allowed/sub/deep.pdf', 'allowed/..dots/a.pdf', 'allowed/.env'];
  const others = ['allowed/sub/.git/config', 'allowed-not/a.pdf', 'second/only.pdf', 'second/deck.pdf', 'out.pdf'];
  for (const file of [...files, ...others, '.hidden/own/a.pdf']) writeFileSync(at(file), 'twelve bytes');
  utimesSync(at('allowed/deck.pdf'), 1_700_000_000, 1_700_000_000);
  writeFileSync(at('allowed/empty.pdf'), '');
  for (const [name, size] of [
    ['largest.pdf', MAX_FILE_BYTES],
    ['larger.pdf', MAX_FILE_BYTES + 1],
  ] as const) {
    writeFileSync(at('allowed', name), '');
    truncateSync(at('allowed', name), size);
  }
  symlinkSync(at('out.pdf'), at('allowed/leads-out.pdf'));
  symlinkSync(at('allowed-not'), at('allowed/folder-out'));
  symlinkSync(at('allowed/deck.pdf'), at('leads-in.pdf'));
  symlinkSync(at('allowed/.env'), at('allowed/shown.pdf'));
  symlinkSync(at('allowed'), at('alias'));
});
afterAll(() => rmSync(root, { recursive: true }));

const OUTSIDE = `The path is outside the allowed folders (${inside}, ${second}). Use a file inside them, or start the server with --files DIR.`;
const HIDDEN = texts.hiddenPartStartsDot;
const door = createFileAccess([inside, second]);

describe('a file to read', () => {
  test.each([
    ['deck.pdf', 'allowed/deck.pdf'],
    ['sub/../deck.pdf', 'allowed/deck.pdf'],
    ['sub/deep.pdf', 'allowed/sub/deep.pdf'],
    ['only.pdf', 'second/only.pdf'],
    ['ROOT/allowed/deck.pdf', 'allowed/deck.pdf'],
    ['ROOT/second/deck.pdf', 'second/deck.pdf'],
  ])('%s is %s', async (path, file) => {
    expect(await door.resolveExisting(real(path))).toMatchObject({ path: at(file), sizeBytes: 12 });
  });

  test('is told with its size and its time', async () => {
    expect(await door.resolveExisting('deck.pdf')).toEqual({
      path: at('allowed/deck.pdf'),
      sizeBytes: 12,
      modifiedMs: 1_700_000_000_000,
    });
    expect(MAX_FILE_BYTES).toBe(1_073_741_824);
    expect(await door.resolveExisting('largest.pdf')).toMatchObject({ sizeBytes: MAX_FILE_BYTES });
  });

  test.each([
    ['../out.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/out.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/none.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/allowed-not/a.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT', 'path_not_allowed', OUTSIDE],
    ['/', 'path_not_allowed', OUTSIDE],
    ['leads-out.pdf', 'path_not_allowed', OUTSIDE],
    ['folder-out/a.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/leads-in.pdf', 'path_not_allowed', OUTSIDE],
    ['a\0b', 'path_not_allowed', texts.pathContainsZeroByte],
    ['.env', 'path_not_allowed', `.env ${HIDDEN}`],
    ['sub/.git/config', 'path_not_allowed', `sub/.git/config ${HIDDEN}`],
    ['..dots/a.pdf', 'path_not_allowed', `..dots/a.pdf ${HIDDEN}`],
    ['shown.pdf', 'path_not_allowed', `shown.pdf ${HIDDEN}`],
    ['none.pdf', 'no_file', `File not found: none.pdf. Allowed folders: ${inside}, ${second}.`],
    ['', 'no_file', texts.isAFolderChooseA],
    ['sub', 'no_file', texts.subFolderChooseFile],
    ['empty.pdf', 'no_file', 'empty.pdf is empty.'],
    ['larger.pdf', 'too_large', `larger.pdf has ${MAX_FILE_BYTES + 1} bytes. The limit is ${MAX_FILE_BYTES} bytes.`],
  ])('%j is refused: %s', async (path, code, message) => {
    await expect(door.resolveExisting(real(path))).rejects.toMatchObject({ code, message });
  });

  test('is no device', async () => {
    const devices = createFileAccess(['/dev']);
    await expect(devices.resolveExisting('null')).rejects.toMatchObject({
      code: 'no_file',
      message: texts.nullRegularFileChoose,
    });
  });

  test('is none where no folder is allowed', async () => {
    const closed = createFileAccess([]);
    for (const path of ['deck.pdf', at('allowed/deck.pdf')])
      await expect(closed.resolveExisting(path)).rejects.toMatchObject({
        code: 'path_not_allowed',
        message: texts.foldersAllowedStartServer,
      });
    await expect(closed.resolveNew('new.pdf', 'x.pdf')).rejects.toMatchObject({ code: 'path_not_allowed' });
  });

  test('is let through where its hidden folder is the allowed one, or another allowed one holds it', async () => {
    const own = createFileAccess([at('.hidden/own')]);
    expect(await own.resolveExisting('a.pdf')).toMatchObject({ path: at('.hidden/own/a.pdf') });
    const both = createFileAccess([root, at('.hidden/own')]);
    expect(await both.resolveExisting(at('.hidden/own/a.pdf'))).toMatchObject({ sizeBytes: 12 });
  });

  test('is found in a folder that stands, though another is gone', async () => {
    const partly = createFileAccess([at('gone'), inside]);
    expect(await partly.resolveExisting('deck.pdf')).toMatchObject({ path: at('allowed/deck.pdf') });
  });

  test('is meant by the allowed folder’s own name and by its real one', async () => {
    const alias = createFileAccess([at('alias')]);
    for (const path of ['deck.pdf', at('alias/deck.pdf'), at('allowed/deck.pdf')])
      expect(await alias.resolveExisting(path)).toMatchObject({ path: at('allowed/deck.pdf') });
    for (const path of ['new.pdf', at('alias/new.pdf'), at('allowed/new.pdf')])
      expect(await alias.resolveNew(path, 'NDA.pdf')).toBe(at('allowed/new.pdf'));
    await expect(alias.resolveExisting('.env')).rejects.toMatchObject({ code: 'path_not_allowed' });
  });
});

describe('a file that was opened', () => {
  const opened = async (file: string, asked = file) => {
    const handle = await open(at(file));
    return door.verifyOpened(handle, at(asked)).finally(() => handle.close());
  };
  test('is looked at where it stands, whatever its path says', async () => {
    await expect(opened('allowed/deck.pdf')).resolves.toEqual(['deck.pdf']);
    await expect(opened('out.pdf', 'allowed/deck.pdf')).rejects.toMatchObject({ message: OUTSIDE });
    await expect(opened('allowed/.env', 'allowed/deck.pdf')).rejects.toMatchObject({
      message: `${at('allowed/deck.pdf')} ${HIDDEN}`,
    });
  });
  test('stands nowhere once it is deleted', async () => {
    writeFileSync(at('allowed/short.pdf'), 'x');
    const handle = await open(at('allowed/short.pdf'));
    rmSync(at('allowed/short.pdf'));
    expect(await getOpenFilePath(handle, at('allowed/short.pdf'))).toBeUndefined();
    await expect(door.verifyOpened(handle, at('allowed/short.pdf'))).rejects.toMatchObject({ message: OUTSIDE });
    await handle.close();
  });
});

describe('a file to write', () => {
  test.each([
    ['new.pdf', 'allowed/new.pdf'],
    ['sub/new.pdf', 'allowed/sub/new.pdf'],
    ['sub', 'allowed/sub/NDA.pdf'],
    ['', 'allowed/NDA.pdf'],
    ['ROOT/second', 'second/NDA.pdf'],
    // What stands there is refused by who writes it.
    ['deck.pdf', 'allowed/deck.pdf'],
  ])('at %j is %s', async (path, file) => {
    expect(await door.resolveNew(real(path), '../NDA.pdf')).toBe(at(file));
  });

  test.each([
    ['../new.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/new.pdf', 'path_not_allowed', OUTSIDE],
    ['ROOT/allowed-not', 'path_not_allowed', OUTSIDE],
    ['folder-out', 'path_not_allowed', OUTSIDE],
    ['folder-out/new.pdf', 'path_not_allowed', OUTSIDE],
    ['.env', 'path_not_allowed', `.env ${HIDDEN}`],
    ['.new.pdf', 'path_not_allowed', `.new.pdf ${HIDDEN}`],
    ['sub/.git/hook.pdf', 'path_not_allowed', `sub/.git/hook.pdf ${HIDDEN}`],
    ['a\0b', 'path_not_allowed', texts.pathContainsZeroByte],
    ['none/new.pdf', 'no_folder', texts.folderRootAllowedNone],
    ['deck.pdf/new.pdf', 'no_folder', texts.folderRootAllowedDeck],
    ['none/', 'no_folder', texts.folderRootAllowedNone],
    // Whether there is such a folder elsewhere is not told.
    ['ROOT/none/new.pdf', 'path_not_allowed', OUTSIDE],
    ['../none/', 'path_not_allowed', OUTSIDE],
    ['ROOT/alias/new.pdf', 'path_not_allowed', OUTSIDE],
  ])('at %j is refused: %s', async (path, code, message) => {
    await expect(door.resolveNew(real(path), 'NDA.pdf')).rejects.toMatchObject({ code, message: real(message) });
  });

  test('is a document: nothing that a machine runs', async () => {
    await expect(door.resolveNew('run.sh', 'NDA.pdf')).rejects.toMatchObject({ code: 'path_not_allowed' });
    await expect(door.resolveNew('sub', 'run.sh')).rejects.toThrow();
  });

  test('is none at a door that is for reading', async () => {
    const reading = createFileAccess([inside], { readOnly: true });
    await expect(reading.resolveNew('new.pdf', 'NDA.pdf')).rejects.toMatchObject({
      code: 'read_only',
      message: texts.serverReadCannotSave,
    });
    expect(await reading.resolveExisting('deck.pdf')).toMatchObject({ sizeBytes: 12 });
  });
});
