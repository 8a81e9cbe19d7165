import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const app = fileURLToPath(new URL('../../zapier/', import.meta.url));
const bin = fileURLToPath(new URL('../../node_modules/.bin/zapier-platform', import.meta.url));
const inTurn = fileURLToPath(new URL('zapier-commands.ts', import.meta.url));

/** Runs commands of Zapier's CLI in the app's folder, in one process. Returns the output of each. */
export async function runCommands(commands: readonly (readonly string[])[], env: NodeJS.ProcessEnv): Promise<string[]> {
  return (await runHere([inTurn, JSON.stringify(commands)], env)).split('\0').slice(0, -1);
}

async function runHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: app,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    maxBuffer: 32 * 1024 * 1024,
  });
  return stdout;
}

/** The unzipped `build.zip`: the first test file builds it, the others wait. @returns its folder. */
export async function unzipArtefact(): Promise<string> {
  const hash = (of: string | Buffer) => createHash('sha256').update(of).digest('hex').slice(0, 12);
  const own = `docshare-zapier-zip-${hash(app)}-`;
  const folder = join(tmpdir(), own + hash(readFileSync(`${app}dist/index.js`)));
  const ready = join(folder, 'ready');
  for (const deadline = Date.now() + 120_000; !existsSync(ready); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`The app was not built in time; remove ${folder}.lock and try again.`);
    try {
      mkdirSync(`${folder}.lock`);
    } catch {
      continue;
    }
    try {
      // Keeps one for the next run and deletes those of older sources.
      for (const name of readdirSync(tmpdir()))
        if (name.startsWith(own) && !join(tmpdir(), name).startsWith(folder))
          rmSync(join(tmpdir(), name), { recursive: true, force: true });
      if (!existsSync(ready)) await build(folder, ready);
    } finally {
      rmdirSync(`${folder}.lock`);
    }
  }
  return folder;
}

async function build(folder: string, ready: string): Promise<void> {
  await runHere([bin, 'build', '--skip-dep-install', '--skip-validation']);
  // The CLI includes the library that it zips with.
  const cli = createRequire(createRequire(`${app}package.json`).resolve('zapier-platform-cli/package.json'));
  const AdmZip = cli('adm-zip');
  new AdmZip(`${app}build/build.zip`).extractAllTo(folder, true);
  copyFileSync(`${app}build/build.zip`, join(folder, 'build.zip'));
  writeFileSync(ready, '');
}
