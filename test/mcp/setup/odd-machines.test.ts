import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpMain, sandboxMain } from '../../support/entry.ts';
import { runMcp } from '../../support/run-mcp.ts';
import { KEY, newHome, setup, writeIn } from '../../support/setup-run.ts';

const OTHER = '{"mcpServers":{"docshare":{"command":"/opt/docshare","args":["serve"],"env":{"TOKEN":"t"}}}}';

test.each([
  [mcpMain, ['--help']],
  [mcpMain, ['setup']],
  [mcpMain, ['setup', 'cursor', '--print', '--sandbox']],
  [sandboxMain, ['--help']],
])('%s %j exits cleanly if the reader of its output has closed the pipe', async (file, args) => {
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

test('a relative HOME is ignored, so nothing is written into the working folder', async () => {
  for (const HOME of ['relative', './x']) {
    const { code, out } = await setup(newHome(), ['cursor', '--yes'], { env: { HOME } });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('--file') });
  }
});

test('a server without a home folder starts, keeps its state in memory, and says so', async () => {
  const folder = newHome();
  const env = { HOME: 'relative', DOCSHARE_API_KEY: KEY, DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' };
  const { code, stderr } = await runMcp([], { cwd: folder, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/"event":"state_in_memory".*"code":"NO_HOME"/);
  expect(readdirSync(folder)).toEqual([]);
});

test('another server of the same name is backed up and restored when ours is removed', async () => {
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

test('a host counts as installed by its own files, not by the home folder', async () => {
  const home = newHome();
  expect((await setup(home, [])).out).toMatch(/claude-code +not found/);
  mkdirSync(join(home, '.claude'));
  expect((await setup(home, [])).out).toMatch(/claude-code +found/);
});

test('setup reports a folder for files that does not exist yet', async () => {
  const { out } = await setup(newHome(), ['cursor', '--yes', '--sandbox', '--files', '/none/of it']);
  expect(out).toContain('The folder /none/of it does not exist yet');
});

test.each([
  [['-h'], 0, /^Usage: docshare-mcp/],
  [['-v'], 0, /^\d+\.\d+\.\d+\n$/],
])('%j is answered in complete sentences', async (args, code, said) => {
  const { code: exitCode, stdout, stderr } = await runMcp(args);
  expect([exitCode, stdout + stderr]).toEqual([code, expect.stringMatching(said)]);
});
