/** A program that exits without closing its sandboxes: its files are removed, and its exit is unchanged. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { createFolderForTest } from '../../support/temp-folder.ts';

const store = new URL('../../../sandbox/filesystem/file-store.ts', import.meta.url).href;
let folder: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-unclosed-');
});

/** Runs a program that stores a file and exits as given. */
function run(end: string) {
  const program = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { createFileStore } from ${JSON.stringify(store)};
    const names = new Map();
    const files = createFileStore({ names: () => names });
    await files.write('key', new Uint8Array(1));
    console.log(fs.readdirSync(${JSON.stringify(folder)}).length);
    ${end}`;
  const env = { ...process.env, TMPDIR: folder };
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
}

test.each([
  ['normally', '', 0],
  ['by process.exit', 'process.exit(3);', 3],
])('its temporary folder is removed when it ends %s', (_, end, status) => {
  expect(run(end)).toMatchObject({ status, stdout: '1\n' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that cannot be removed does not change the exit', () => {
  const { status, stderr } = run(
    `fs.rmSync = () => { throw new Error('EPERM'); }; syncBuiltinESMExports(); process.exit(3);`,
  );
  expect([status, stderr]).toEqual([3, '']);
});
