import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExpectStatic, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createFolderForTest } from '../support/cleanup.ts';
import { collectText } from '../support/collect-text.ts';
import { NOTHING_LEARNED } from '../support/create-profile.ts';
import { COMPILED, sandboxMain } from '../support/entry.ts';
import { root } from '../support/root-folder.ts';

async function run(...args: string[]) {
  const child = spawn(process.execPath, [sandboxMain, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const getOutput = collectText(child.stdout, child.stderr);
  const [code] = await once(child, 'close');
  return { code, out: getOutput() };
}

test('prints its version and rejects a port out of range', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await run('--version')).toEqual({ code: 0, out: `${version}\n` });
  expect(await run('--port', '99999')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Invalid value of --port. Use a whole number from 0 to 65535\.\n/),
  });
});

test.each([
  [['--port', 'many'], 'Invalid value of --port. Use a whole number from 0 to 65535.'],
  [['--colour'], 'Unknown option --colour.'],
  [['--data', ''], 'Invalid value of --data. Use a folder.'],
  [['--port'], '--port has no value. Write the value right after it. See --help.'],
])('%j is rejected before anything is created', async (args, sentence) => {
  const { code, out } = await run(...args);
  expect([code, out.split('\n')[0]]).toEqual([1, expect.stringContaining(sentence)]);
});

test.each([[{ at: 'nope' }], [{ profile: 'nope' }], [{ fixtures: 'nope.json' }], [{ cors: ['nope'] }]])(
  '%j, which is invalid, leaves no folder behind',
  async (options) => {
    const folder = createFolderForTest('docshare-refused-');
    await expect(createSandbox({ dataFolder: join(folder, 'kept'), ...options })).rejects.toThrow('nope');
    expect(await readdir(folder)).toEqual([]);
  },
);

test('a learned profile is played, and a missing or hostile one stops the start with one sentence', async () => {
  const path = join(createFolderForTest('docshare-profile-'), 'docshare.profile.json');
  const start = () => run('--port', '0', '--profile', path);
  expect(await start()).toEqual({
    code: 1,
    out: expect.stringMatching(/^The profile \S+ can't be read \(ENOENT\)\. [^\n]+\n$/),
  });
  const answer = { status: 999, media: null, headers: {}, seen: 1 };
  await writeFile(path, JSON.stringify({ ...NOTHING_LEARNED, rejections: { unknownId: answer } }));
  expect(await start()).toEqual({
    code: 1,
    out: expect.stringMatching(/^\S+: Invalid profile: `rejections\.unknownId\.status` [^\n]+\n$/),
  });
  await writeFile(path, JSON.stringify(NOTHING_LEARNED));
  const child = spawn(process.execPath, [sandboxMain, '--port', '0', '--profile', path]);
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toContain('profile learned from https://api.example.com on 2026-11-21, otherwise preset:');
  child.kill();
  await once(child, 'close');
});

/** The demo as a user runs it, without a browser. Its files go to a folder of the test. */
function startDemo(expect: ExpectStatic, ...args: string[]) {
  expect(existsSync(`${root}dist/whole/main.js`), 'npm run build comes first').toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const env = { ...process.env, ...COMPILED, TMPDIR: folder, CHROMIUM_PATH: '/nonexistent' };
  const child = spawn(process.execPath, ['scripts/demo.ts', ...args], { cwd: root, env });
  return {
    child,
    output: collectText(child.stdout, child.stderr),
    leftovers: () => readdirSync(folder).filter((name) => name.startsWith('docshare-demo')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test.concurrent('the demo runs from an upload to a signed PDF and describes the path of the visitor', async ({
  expect,
}) => {
  const demo = startDemo(expect);
  const [code] = await once(demo.child, 'exit');
  expect(demo.output()).toContain('All 16 steps went through');
  expect(demo.output()).toContain("the pages' own routes, since no browser could be started");
  expect([code, demo.leftovers()]).toEqual([0, []]);
  demo.remove();
});

test.concurrent('--keep keeps everything open until Ctrl-C', async ({ expect }) => {
  const demo = startDemo(expect, '--keep');
  await expect.poll(demo.output).toContain('with the key');
  expect((await fetch(demo.output().match(/the shared deck\s+(\S+)/)?.[1] ?? '')).status).toBe(200);
  expect(demo.leftovers()).toHaveLength(1);
  demo.child.kill('SIGINT');
  const [code] = await once(demo.child, 'exit');
  expect([code, demo.leftovers()]).toEqual([0, []]);
  demo.remove();
});
