/**
 * Finds the Chromium for tests, demo and screenshots: `CHROMIUM_PATH`, an installed browser, or the headless one of the npm
 * package `@sparticuz/chromium`, unpacked into the temporary folder (`CHROMIUM_PATH=packaged` forces it). Tests prefer the
 * packaged one, which opens a page in a quarter of the time. Nothing is installed. As a script it prepares the browser
 * before the tests start; without a browser it reports that and exits with 0, since most tests need none.
 */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { withProcessLock } from './process-lock.ts';
import { readOptions } from './read-options.ts';

/** Options for `chromium.launch` of playwright-core. */
export interface BrowserLaunchOptions {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

const BROWSER_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Unpacks the browser into `TMPDIR`, the only way to tell the package where. Prints just the system's message on failure,
 * and exits when its parent process is gone.
 */
const UNPACK_SCRIPT = `
import { join } from 'node:path';
const [, entry, bin, parent] = process.argv;
setInterval(() => process.ppid === Number(parent) || process.exit(1), 200).unref();
const fail = (error) => process.stderr.write(error.message, () => process.exit(1));
process.on('uncaughtException', fail);
const chromium = await import(entry);
await chromium.default.executablePath();
await chromium.inflate(join(bin, 'al2023.tar.br'));
`;

/** @throws Error that says how to get a browser */
export function findBrowser(): BrowserLaunchOptions {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath === 'packaged') return findPackaged();
  if (configuredPath && !existsSync(configuredPath)) throw new Error(`CHROMIUM_PATH is not a file: ${configuredPath}`);
  if (configuredPath && !isExecutable(configuredPath))
    throw new Error(`CHROMIUM_PATH is not executable: ${configuredPath}`);
  if (configuredPath) return { executablePath: configuredPath, env: getEnvironment() };
  return findInstalled(BROWSER_PATHS) ?? findPackaged();
}

/** @param paths where a browser may be installed. @throws Error that says how to get one */
export function findTestBrowser(paths: readonly string[] = BROWSER_PATHS): BrowserLaunchOptions {
  if (process.env.CHROMIUM_PATH) return findBrowser();
  try {
    return findPackaged();
  } catch (error) {
    const installed = findInstalled(paths);
    if (installed) return installed;
    throw error;
  }
}

function findInstalled(paths: readonly string[]): BrowserLaunchOptions | undefined {
  const path = paths.find(isExecutable);
  return path === undefined ? undefined : { executablePath: path, env: getEnvironment() };
}

function findPackaged(): BrowserLaunchOptions {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The browser tests need Chromium. Install it, or set CHROMIUM_PATH.');
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'));
  const parent = resolve(tmpdir());
  const folder = join(parent, `docshare-chromium-${version}-${process.getuid?.()}`);
  assertOwnedByUser(folder);
  try {
    if (isComplete(folder)) removeDrafts(folder);
    else
      withProcessLock(`${folder}.lock`, (hasLock) => {
        if (isComplete(folder)) return;
        if (hasLock) removeDrafts(folder);
        unpack(entry, folder);
      });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : cause;
    throw new Error(
      `The browser from npm can't be unpacked in ${parent} or started (${reason}). Set TMPDIR to a writable folder with 220 MB free, or CHROMIUM_PATH to a Chromium.`,
      { cause },
    );
  }
  assertOwnedByUser(folder);
  return createLaunchOptions(folder);
}

/** The folder name can be guessed, so a folder of another user is neither run nor removed. */
function assertOwnedByUser(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && found.uid !== process.getuid?.())
    throw new Error(`${folder} belongs to another user. Remove it, or set TMPDIR or CHROMIUM_PATH.`);
}

/** Checks single files, because cleaners of temporary folders remove some of them. */
function isComplete(folder: string): boolean {
  const requiredPaths = ['al2023/lib', 'fonts/fonts.conf'];
  return isExecutable(join(folder, 'chromium')) && requiredPaths.every((path) => existsSync(join(folder, path)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function createLaunchOptions(folder: string): BrowserLaunchOptions {
  const env = getEnvironment();
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...env,
      // The package brings its libraries, and a font for machines without any.
      LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  };
}

/** Removes what killed processes left behind, each as large as the browser. */
function removeDrafts(folder: string): void {
  const name = `${basename(folder)}.draft-`;
  for (const draftName of readdirSync(dirname(folder)).filter((entry) => entry.startsWith(name)))
    try {
      rmSync(join(dirname(folder), draftName), { recursive: true, force: true });
    } catch {
      // Owned by another user, or still being written.
    }
}

/** Unpacks the browser whole or not at all, even if several processes do so at once. */
function unpack(entry: string, folder: string): void {
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    const bin = join(dirname(entry), '..', 'bin');
    inflate([entry, bin], draft);
    // The packaged configuration looks for fonts only in /tmp.
    const escapedFolder = folder.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
    const fonts = `<fontconfig><dir>${escapedFolder}/fonts</dir><cachedir>${escapedFolder}/cache</cachedir></fontconfig>\n`;
    writeFileSync(join(draft, 'fonts', 'fonts.conf'), fonts);
    // A browser that this system can't run is not kept.
    const { executablePath, env: browserEnv } = createLaunchOptions(draft);
    execFileSync(executablePath, ['--no-sandbox', '--version'], { env: browserEnv, stdio: 'ignore' });
    // An incomplete folder, or a file, would be in the way.
    if (!isComplete(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isComplete(folder)) throw error;
  }
}

function inflate([entry, bin]: readonly [string, string], draft: string): void {
  const args = ['--input-type=module', '-e', UNPACK_SCRIPT, entry, bin, String(process.pid)];
  try {
    execFileSync(process.execPath, args, { env: { ...getEnvironment(), TMPDIR: draft }, stdio: 'pipe' });
  } catch (error) {
    const stderr = String((error as { stderr?: unknown }).stderr ?? '').trim();
    throw stderr === '' ? error : new Error(stderr, { cause: error });
  }
}

function getEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

if (import.meta.main) {
  readOptions({});
  try {
    const { executablePath } = findTestBrowser();
    console.error(`Browser for tests: ${executablePath}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}
