import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll, createFolderForTest } from '../support/cleanup.ts';
import { learnMain } from '../support/entry.ts';
import { listenForTest } from '../support/listen.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { texts } from './texts.ts';

const FILES = ['docshare.learned.md', 'docshare.profile.json'];
let folder = '';
const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
beforeEach(() => {
  folder = createFolderForTest('docshare-folder-');
});

async function run(url: string, ...args: string[]) {
  const env = learnEnvironment(url, sandbox.key());
  const { code, printed } = await runLearnCommand(['--out', folder, ...args], { env });
  return { code, printed };
}

test('a pipe instead of the profile is rejected at once', async () => {
  await promisify(execFile)('mkfifo', [join(folder, 'docshare.profile.json')]);
  for (const argument of ['--resume', '--check', '--openapi']) {
    const { code, printed } = await run(sandbox.url, argument);
    expect(code).toBe(2);
    expect(printed).toMatch(/is not a file\. \S/);
  }
  expect(readdirSync(folder)).toEqual(['docshare.profile.json']);
});

test.skipIf(process.platform === 'win32')('only the owner can read the files', async () => {
  expect(await run(sandbox.url, '--only', 'billing')).toMatchObject({ code: 0 });
  expect(FILES.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('a full disk is reported, and existing files are kept', async () => {
  writeFileSync(join(folder, 'docshare.profile.json'), 'as it was');
  const command = 'ulimit -f 1; exec "$0" "$1" learn --only billing --out "$2"';
  const env = { ...process.env, DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  const failure = await promisify(execFile)('bash', ['-c', command, process.execPath, learnMain, folder], {
    env,
  }).catch((error: { code: number; stderr: string }) => error);
  expect(failure).toMatchObject({ code: 2 });
  expect(failure.stderr).toMatch(/can't be written \(EFBIG\)\. The disk is full\. Any existing file is unchanged\.\n$/);
  expect(readdirSync(folder)).toEqual(['docshare.profile.json']);
  expect(readFileSync(join(folder, 'docshare.profile.json'), 'utf8')).toBe('as it was');
});

test.each([
  [texts.everyCallReturnedWeb, 200, { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title>'],
  [texts.everyCallReturnedWeb, 200, {}, '<html lang="en"><title>Sign in</title></html>'],
  [texts.everyCallWasRedirected, 302, { location: '/sign-in' }, ''],
  [texts.everyCallReturned404, 404, {}, 'Not Found'],
] as const)('nothing is written if the base URL is not the API: %s (%i)', async (words, status, headers, body) => {
  const { code, calls, printed } = await runOn({ status, headers, body });
  expect({ code, calls }).toEqual({ code: 2, calls: 9 });
  expect(printed).toContain(`This is not the API: ${words}`);
  expect(printed).toMatch(/Set DOCSHARE_BASE_URL to .* Nothing was written\.\n$/);
});

test.each([500, 503])('a service that is down (%i) is not learned', async (status) => {
  const { code, printed } = await runOn({ status, headers: { 'retry-after': '3600' }, body: 'Down' });
  expect(code).toBe(2);
  expect(printed).toContain(
    `The service is down: every call returned ${status}. Try again later. Nothing was written.`,
  );
});

async function runOn({ status, headers, body }: { status: number; headers: object; body: string }) {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.writeHead(status, { ...headers }).end(body);
  });
  const url = `${await listenForTest(server)}/api/v1`;
  await run(sandbox.url, '--only', 'lists');
  const path = join(folder, 'docshare.profile.json');
  const learned = readFileSync(path, 'utf8').replaceAll(new URL(sandbox.url).origin, new URL(url).origin);
  writeFileSync(path, learned);
  const ended = await run(url);
  const seen = { ...ended, calls };
  const checked = await run(url, '--check');
  expect(checked.code).toBe(2);
  expect(checked.printed).toMatch(/ Nothing was compared\.\n$/);
  expect(readFileSync(path, 'utf8')).toBe(learned);
  return seen;
}
