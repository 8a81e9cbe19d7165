import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { findBrowser, findTestBrowser } from '../../scripts/browser.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/browser.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'docshare-browser-'));
const before = process.env.CHROMIUM_PATH;

afterEach(() => {
  if (before === undefined) delete process.env.CHROMIUM_PATH;
  else process.env.CHROMIUM_PATH = before;
  rmSync(folder, { recursive: true, force: true });
});

const packagedRunsHere = process.platform === 'linux' && process.arch === 'x64';

test.runIf(packagedRunsHere)(
  'without a browser on the machine, one of two at once unpacks the one from npm, whole, and nothing else, also where another was killed at it',
  async () => {
    const env = { ...process.env, TMPDIR: folder, CHROMIUM_PATH: 'packaged' };
    process.env.CHROMIUM_PATH = 'packaged';
    const name = basename(dirname(findTestBrowser().executablePath));
    // So it looks where a process was killed: its lock lies there and nobody holds it.
    writeFileSync(join(folder, `${name}.lock`), '');
    mkdirSync(join(folder, `${name}.draft-killed`));
    const drafts = new Set<string | null>();
    const watcher = watch(folder, (_, entry) => entry?.includes('.draft-') && drafts.add(entry));
    const run = () => promisify(execFile)(process.execPath, [SCRIPT], { env });
    const [first, second] = await Promise.all([run(), run()]);
    await expect.poll(() => drafts.size).toBeGreaterThan(1);
    watcher.close();
    expect([...drafts].filter((draft) => !draft?.endsWith('.draft-killed'))).toHaveLength(1);
    expect(first.stderr).toBe(second.stderr);
    expect(readdirSync(folder).filter((name) => name.startsWith('docshare'))).toHaveLength(1);
    const path = /run in (.+)\n/.exec(first.stderr)?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    const libraries = { ...env, LD_LIBRARY_PATH: join(path, '..', 'al2023', 'lib') };
    const { stdout } = await promisify(execFile)(path, ['--no-sandbox', '--version'], { env: libraries });
    expect(stdout).toMatch(/\d+\.\d+/);
  },
);

test.runIf(packagedRunsHere)('the tests take the one from npm, unless another is named', () => {
  delete process.env.CHROMIUM_PATH;
  expect(findTestBrowser().executablePath).toMatch(/docshare-chromium-[\d.]+-\d+\/chromium$/);
  process.env.CHROMIUM_PATH = process.execPath;
  expect(findTestBrowser().executablePath).toBe(process.execPath);
});

test.runIf(packagedRunsHere)('what can not be unpacked is passed over for what the machine has', () => {
  vi.stubEnv('TMPDIR', '/nowhere/at-all');
  vi.stubEnv('CHROMIUM_PATH', '');
  expect(findTestBrowser(['/nowhere/chromium', process.execPath]).executablePath).toBe(process.execPath);
  const words =
    /^The browser from npm can't be unpacked in \/nowhere\/at-all and run \(ENOENT[^\n]+CHROMIUM_PATH/;
  expect(() => findTestBrowser([])).toThrow(words);
});

test('getting ready for the tests says in one line what is there, or what is missing', async () => {
  const saidWith = async (more: Record<string, string>) =>
    (await promisify(execFile)(process.execPath, [SCRIPT], { env: { ...process.env, ...more } })).stderr;
  expect(await saidWith({ CHROMIUM_PATH: '/nowhere/chromium' })).toBe(
    'CHROMIUM_PATH names no file: /nowhere/chromium\n',
  );
  // Whether or not this machine has one of its own.
  expect(await saidWith({ CHROMIUM_PATH: '', TMPDIR: '/nowhere/at-all' })).toMatch(
    /^The browser (tests run in \/[^\n]+|from npm can't be unpacked in [^\n]+|tests need Chromium[^\n]+)\n$/,
  );
});

test('a path that leads nowhere is said, not passed over', () => {
  process.env.CHROMIUM_PATH = '/nowhere/chromium';
  expect(() => findBrowser()).toThrow('CHROMIUM_PATH names no file: /nowhere/chromium');
});
