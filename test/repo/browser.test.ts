import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { findBrowser, findTestBrowser } from '../../scripts/browser.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/browser.ts', import.meta.url));
// Contains characters that XML must escape.
const folder = mkdtempSync(join(tmpdir(), 'docshare-browser-&<'));
const before = process.env.CHROMIUM_PATH;

afterEach(() => {
  if (before === undefined) delete process.env.CHROMIUM_PATH;
  else process.env.CHROMIUM_PATH = before;
  rmSync(folder, { recursive: true, force: true });
});

const packagedRunsHere = process.platform === 'linux' && process.arch === 'x64';

test.runIf(packagedRunsHere)('a full disk is reported with the message of the system', async () => {
  const env = { ...process.env, TMPDIR: mkdtempSync(join(folder, '..', 'docshare-full-')), CHROMIUM_PATH: 'packaged' };
  const args = ['-c', 'ulimit -f 1000; exec "$0" "$1"', process.execPath, SCRIPT];
  const { stderr } = await promisify(execFile)('bash', args, { env });
  const left = readdirSync(env.TMPDIR);
  rmSync(env.TMPDIR, { recursive: true });
  expect(stderr).toMatch(
    /^The browser from npm can't be unpacked in \S+ or started \(EFBIG: file too large, write\)\. [^\n]+\n$/,
  );
  expect(left).toEqual([]);
});

test.runIf(packagedRunsHere)('the tests use the npm browser unless another is configured', () => {
  delete process.env.CHROMIUM_PATH;
  expect(findTestBrowser().executablePath).toMatch(/docshare-chromium-[\d.]+-\d+\/chromium$/);
  process.env.CHROMIUM_PATH = process.execPath;
  expect(findTestBrowser().executablePath).toBe(process.execPath);
});

test.runIf(packagedRunsHere)('an archive that cannot be unpacked is skipped in favour of an installed browser', () => {
  vi.stubEnv('TMPDIR', '/nowhere/at-all');
  vi.stubEnv('CHROMIUM_PATH', '');
  expect(findTestBrowser(['/nowhere/chromium', process.execPath]).executablePath).toBe(process.execPath);
  const words = /^The browser from npm can't be unpacked in \/nowhere\/at-all or started \(ENOENT[^\n]+CHROMIUM_PATH/;
  expect(() => findTestBrowser([])).toThrow(words);
});

test('the preparation of the tests reports in one line which browser is present or missing', async () => {
  const saidWith = async (more: Record<string, string>) =>
    (await promisify(execFile)(process.execPath, [SCRIPT], { env: { ...process.env, ...more } })).stderr;
  expect(await saidWith({ CHROMIUM_PATH: '/nowhere/chromium' })).toBe(
    'CHROMIUM_PATH is not a file: /nowhere/chromium\n',
  );
  // Whatever browser this machine has installed.
  expect(await saidWith({ CHROMIUM_PATH: '', TMPDIR: '/nowhere/at-all' })).toMatch(
    /^(Browser for tests: \/[^\n]+|The browser (from npm can't be unpacked in [^\n]+|tests need Chromium[^\n]+))\n$/,
  );
});

test.each([
  ['leads nowhere', '/nowhere/chromium', 'CHROMIUM_PATH is not a file: /nowhere/chromium'],
  ['leads to a folder', tmpdir(), `CHROMIUM_PATH is not executable: ${tmpdir()}`],
  ['leads to a text', SCRIPT, `CHROMIUM_PATH is not executable: ${SCRIPT}`],
])('a configured path that %s is reported, not skipped', (_, path, words) => {
  process.env.CHROMIUM_PATH = path;
  expect(() => findBrowser()).toThrow(words);
});
