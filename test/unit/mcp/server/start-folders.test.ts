/** The folders of which files may be sent, as the command line gives them. */
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { resolveAllowedFolders } from '../../../../mcp/server/allowed-folders.ts';
import { parseCommandLine } from '../../../../mcp/server/parse-command-line.ts';
import { texts } from '../../../mcp/texts.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'docshare-folders-')));
  mkdirSync(join(folder, 'decks'));
  symlinkSync(join(folder, 'decks'), join(folder, 'link'));
  writeFileSync(join(folder, 'file'), 'x');
  return () => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(folder, { recursive: true, force: true });
  };
});

const opened = (...args: string[]) =>
  resolveAllowedFolders(parseCommandLine(args.map((arg) => arg.replace('FOLDER', folder))));

test.each<[string, string[], string[]]>([
  ['a folder as it is', ['--files', 'FOLDER/decks'], ['decks']],
  ['a link to one as what it leads to', ['--files', 'FOLDER/link'], ['decks']],
  ['its own where none is given', [], ['']],
  ['none over HTTP', ['--http'], []],
])('%s', (_, args, names) => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  expect(opened(...args)).toEqual(names.map((name) => join(folder, name)));
});

test('none of the machine that serves a company', () => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  expect(resolveAllowedFolders({ ...parseCommandLine([]), hosted: true })).toEqual([]);
});

test('none where it is started in the root of the disk', () => {
  vi.spyOn(process, 'cwd').mockReturnValue('/');
  expect(opened()).toEqual([]);
});

test.each(['file', 'none'])('%s is refused, for it is no folder', (name) => {
  expect(() => opened('--files', `FOLDER/${name}`)).toThrow(`${name}: this folder does not exist.`);
});

test('a folder that may not be read is refused with the system’s word', () => {
  vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
  expect(() => opened('--files', 'FOLDER/decks')).toThrow(texts.decksFolderCantRead);
});
