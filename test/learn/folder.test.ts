/** The folder that is written to: two runs at once, one that was killed, a disk that is full, and a service that is none. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runLearn } from '../../learn/command/run-learn.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';

const FILES = ['docshare.learned.html', 'docshare.learned.md', 'docshare.profile.json'];
let sandbox: Sandbox;
let folder = '';
beforeAll(async () => {
  sandbox = await createSandbox({ seed: 1 });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-folder-'));
  return () => rmSync(folder, { recursive: true });
});
afterAll(() => sandbox.close());

async function run(url: string, ...args: string[]) {
  let said = '';
  const tell = (text: string) => {
    said += text;
  };
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: url };
  const code = await runLearn(['--out', folder, ...args], { env, print: tell, tell });
  return { code, said };
}

test('of two runs in one folder the second says that the first is at work, and disturbs nothing', async () => {
  const runs = await Promise.all([1, 2].map(() => run(sandbox.url, '--only', 'billing')));
  const [first, second] = runs.toSorted((a, b) => a.code - b.code);
  expect([first?.code, second?.code]).toEqual([0, 2]);
  expect(second?.said).toMatch(
    /^Another run is at work in the folder \S+ \(process \d+\)\. Wait for its end, or give another folder by --out\.\n$/,
  );
  expect(readdirSync(folder).sort()).toEqual(FILES);
});

test.each(['4194305 0123456789ab\n', 'no number', ''])(
  'what a killed run left in the folder keeps nobody out: %j',
  async (left) => {
    writeFileSync(join(folder, '.docshare.learning'), left);
    expect((await run(sandbox.url, '--only', 'billing')).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(FILES);
  },
);

test('where the profile finds no place in its folder, it is written elsewhere and said', async () => {
  mkdirSync(join(folder, 'docshare.profile.json'));
  const { code, said } = await run(sandbox.url, '--only', 'billing');
  expect(code).toBe(2);
  const [, other = ''] =
    /can't be written \(EISDIR\)\..* What was learned is in (\S+) instead\./.exec(said) ?? [];
  expect(readdirSync(other).sort()).toEqual(FILES);
  rmSync(other, { recursive: true });
  expect(readdirSync(folder)).toEqual(['docshare.profile.json']);
});

test('a disk without room is said, and what stood there before is as it was', async () => {
  writeFileSync(join(folder, 'docshare.profile.json'), 'as it was');
  const main = fileURLToPath(new URL('../../learn/main.ts', import.meta.url));
  const command = 'ulimit -f 1; exec "$0" "$1" learn --only billing --out "$2"';
  const env = { ...process.env, DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  const failure = await promisify(execFile)('bash', ['-c', command, process.execPath, main, folder], {
    env,
  }).catch((error: { code: number; stderr: string }) => error);
  expect(failure).toMatchObject({ code: 2 });
  expect(failure.stderr).toMatch(
    /can't be written \(EFBIG\)\. There is no room left\. What stood there before is as it was\.\n$/,
  );
  expect(readdirSync(folder)).toEqual(['docshare.profile.json']);
  expect(readFileSync(join(folder, 'docshare.profile.json'), 'utf8')).toBe('as it was');
});

test.each([
  [
    'a web page answers every call',
    200,
    { 'content-type': 'text/html' },
    '<!doctype html><title>Sign in</title>',
  ],
  ['a web page answers every call', 200, {}, '<html lang="en"><title>Sign in</title></html>'],
  ['every call is sent elsewhere', 302, { location: '/sign-in' }, ''],
  ['every call is answered 404', 404, {}, 'Not Found'],
] as const)('where %s (%i), it is no API: nothing is written', async (words, status, headers, body) => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(join(folder, 'docshare.profile.json'), 'as it was');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const { code, said } = await run(url).finally(() => server.close());
  expect({ code, calls }).toEqual({ code: 2, calls: 9 });
  expect(said).toContain(`This is not the API: ${words}`);
  expect(said).toMatch(/DOCSHARE_BASE_URL has to be .* Nothing was written\.\n$/);
  expect(readdirSync(folder)).toEqual(['docshare.profile.json']);
});
