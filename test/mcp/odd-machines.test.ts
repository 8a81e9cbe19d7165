import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getCacheFolder } from '../../mcp/compile-cache.ts';
import { getUserFolders } from '../../mcp/setup/user-folders.ts';
import { getStateFolder } from '../../mcp/state/state-folder.ts';
import { mcpMain, sandboxMain } from '../support/entry.ts';
import { fileIn, KEY, newHome, setup, writeIn } from '../support/setup-run.ts';
import { texts } from './texts.ts';

const OTHER = '{"mcpServers":{"docshare":{"command":"/opt/docshare","args":["serve"],"env":{"TOKEN":"t"}}}}';

test.each([
  [mcpMain, ['--help']],
  [mcpMain, ['setup']],
  [mcpMain, ['setup', 'cursor', '--print', '--sandbox']],
  [sandboxMain, ['--help']],
])('%s %j: a reader that went first brings no stack and no fault', async (file, args) => {
  const child = spawn(process.execPath, [file, ...args], {
    env: { HOME: newHome(), PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toBe('');
});

test('a home that is no absolute path is none: nothing is kept in whatever folder the program was started in', () => {
  for (const HOME of ['relative', './x']) {
    expect(getStateFolder({ HOME }, 'linux')).toBeUndefined();
    expect(getCacheFolder({ HOME }, 'linux')).toBeUndefined();
    expect(() => getUserFolders({ HOME }, 'linux')).toThrow(/--file/);
  }
  expect(getStateFolder({ HOME: 'relative', XDG_STATE_HOME: '/s' }, 'linux')).toBe('/s/docshare');
});

test('a server without a home starts, remembers in memory, and says so', async () => {
  const folder = newHome();
  const child = spawn(process.execPath, [mcpMain], {
    cwd: folder,
    env: { HOME: 'relative', DOCSHARE_API_KEY: KEY, DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toMatch(/"event":"state_in_memory".*"code":"NO_HOME"/);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('settings below a folder that can never be made are refused', async () => {
  expect(await setup(newHome(), ['cursor', '--yes', '--sandbox', '--file', '/proc/none/of/it.json'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/can't be written to \(\w+\). Nothing was changed/),
  });
});

test('another server of the same name is kept in a copy, and stands in its place again when ours goes', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', OTHER);
  const asked = await setup(home, ['cursor', '--sandbox']);
  expect(asked.out).toContain('another server named docshare');
  await setup(home, ['cursor', '--yes', '--sandbox']);
  expect(readFileSync(`${file}.before-docshare`, 'utf8')).toBe(OTHER);
  await setup(home, ['cursor', '--yes', '--sandbox', '--read-only']);
  expect(readFileSync(`${file}.before-docshare`, 'utf8')).toBe(OTHER);
  await setup(home, ['cursor', '--yes', '--remove']);
  expect(readFileSync(file, 'utf8')).toBe(OTHER);
  expect(existsSync(`${file}.before-docshare`)).toBe(false);
});

test('a key in a file that others may read is said, with the mend', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}');
  expect((await setup(home, ['cursor', '--yes'])).out).toContain(`chmod 600 '${file}'`);
  expect((await setup(newHome(), ['cursor', '--yes'])).out).not.toContain('chmod');
});

test('a host counts as here by what it left, not by the home that everybody has', async () => {
  const home = newHome();
  expect((await setup(home, [])).out).toMatch(/claude-code +not found/);
  mkdirSync(join(home, '.claude'));
  expect((await setup(home, [])).out).toMatch(/claude-code +found/);
});

test.each([
  [['cursor', '--sandbox', '--data', ''], 'Invalid value of --data. Use a folder'],
  [['cursor', '--sandbox', '--files', ' '], 'Invalid value of --files. Use a folder'],
  [['cursor', '--yes', '--tools', ''], 'Invalid value of --tools. Use names of tools'],
  [['cursor', '--yes', '--audit', '-'], texts.auditIsStdout2],
  [['cursor', '--yes', '--file', ''], "Invalid value of --file. Use the host's settings file"],
  [['cursor', '--yes', '--file', 'a', '--file', 'b'], '--file is set twice'],
  [['cursor', '--yes', '--sandbox', '--base-url', ' '], texts.baseUrlTakesUrl],
  [['cursor', '--yes', '--url', ''], texts.urlTakesUrlHosted],
  [['', '--yes'], texts.setupNeedsNameHost],
  [['cursor', '--print', '--remove'], "--print can't be combined with --remove"],
  [['cursor', '--yes=1'], 'argument. See'],
])('%j is refused: it would mean the folder one stands in, or nothing', async (args, sentence) => {
  const home = newHome();
  const { code, out } = await setup(home, args);
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(sentence) });
  expect(existsSync(fileIn(home, 'cursor'))).toBe(false);
});

test('a folder for files that is not there yet is said when it is put in', async () => {
  const { out } = await setup(newHome(), ['cursor', '--yes', '--sandbox', '--files', '/none/of it']);
  expect(out).toContain('The folder /none/of it does not exist yet');
});

test.each([
  [['-h'], 0, /^Usage: docshare-mcp/],
  [['-v'], 0, /^\d+\.\d+\.\d+\n$/],
  [['help'], 1, /positional arguments are doctor, setup and learn/],
  [['-x'], 1, /Unknown option '-x'\. See --help/],
  [['--files'], 1, /--files has no value\. Write the value right after it\. See --help/],
])('%j is answered in whole sentences', async (args, code, said) => {
  const child = spawn(process.execPath, [mcpMain, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(out).toMatch(said);
});
