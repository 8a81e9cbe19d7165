import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { findBrowser, findTestBrowser } from '../../scripts/browser.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/browser.ts', import.meta.url));
// Contains characters that XML must escape.
const folder = mkdtempSync(join(tmpdir(), 'docshare-browser-&<'));
const before = process.env.CHROMIUM_PATH;

afterEach(() => {
  vi.unstubAllEnvs();
  if (before === undefined) delete process.env.CHROMIUM_PATH;
  else process.env.CHROMIUM_PATH = before;
  rmSync(folder, { recursive: true, force: true });
});

const packagedRunsHere = process.platform === 'linux' && process.arch === 'x64';

test.runIf(packagedRunsHere)(
  'without an installed browser, two processes at once unpack the npm browser completely, even after a killed attempt or over an invalid file',
  async () => {
    const env = { ...process.env, TMPDIR: folder, CHROMIUM_PATH: 'packaged' };
    process.env.CHROMIUM_PATH = 'packaged';
    const name = basename(dirname(findTestBrowser().executablePath));
    const killed = join(folder, await killAtIt(env));
    expect(statSync(join(killed, 'chromium'), { throwIfNoEntry: false })?.size ?? 0).toBeLessThan(200e6);
    expect(existsSync(join(folder, `${name}.lock`))).toBe(true);
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'chromium'), 'no program');
    const drafts = new Set<string | null>();
    const watcher = watch(folder, (_, entry) => entry?.includes('.draft-') && drafts.add(entry));
    const run = (TMPDIR: string) =>
      promisify(execFile)(process.execPath, [SCRIPT], { env: { ...env, TMPDIR }, cwd: dirname(folder) });
    const [first, second] = await Promise.all([run(folder), run(basename(folder))]);
    await expect.poll(() => drafts.size).toBeGreaterThan(1);
    watcher.close();
    expect([...drafts].filter((draft) => draft !== basename(killed))).toHaveLength(1);
    expect(first.stderr).toBe(second.stderr);
    expect(readdirSync(folder).filter((name) => name.startsWith('docshare'))).toHaveLength(1);
    const path = /for tests: (.+)\n/.exec(first.stderr)?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    const libraries = { ...env, LD_LIBRARY_PATH: join(path, '..', 'al2023', 'lib') };
    const { stdout } = await promisify(execFile)(path, ['--no-sandbox', '--version'], { env: libraries });
    expect(stdout).toMatch(/\d+\.\d+/);
    const fonts = readFileSync(join(folder, name, 'fonts', 'fonts.conf'), 'utf8');
    expect(fonts).toContain(`<dir>${join(folder, name).replace('&', '&#38;').replace('<', '&#60;')}/fonts</dir>`);
    // One interrupted copy beside one complete copy.
    vi.stubEnv('TMPDIR', folder);
    mkdirSync(join(folder, `${name}.draft-late`));
    expect(findTestBrowser().executablePath).toBe(path);
    expect(readdirSync(folder)).toEqual([name]);
  },
);

/**
 * An ended process can stay listed until its parent reaps it. Like a process that is just starting, it has no command
 * line, so its state decides once its last thread has ended.
 */
function isRunning(pid: string): boolean {
  try {
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return state !== 'Z' || readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/**
 * Kills the script while its child unpacks; the child then exits by itself. @returns the name of the draft that
 * remains.
 */
async function killAtIt(env: NodeJS.ProcessEnv): Promise<string> {
  const script = spawn(process.execPath, [SCRIPT], { env, stdio: 'ignore' });
  const children = () => readFileSync(`/proc/${script.pid}/task/${script.pid}/children`, 'utf8').trim();
  await expect.poll(children, { interval: 5, timeout: 20_000 }).toMatch(/^\d+$/);
  const child = children();
  script.kill('SIGKILL');
  await expect.poll(() => isRunning(child), { interval: 10, timeout: 20_000 }).toBe(false);
  return readdirSync(folder).find((name) => name.includes('.draft-')) ?? '';
}

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
