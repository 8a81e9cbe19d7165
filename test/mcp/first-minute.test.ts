import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printBanner } from '../../mcp/server/banner.ts';
import { createFolderForFile } from '../support/cleanup.ts';
import { collectText } from '../support/collect-text.ts';
import { learnMain, mcpMain, sandboxMain } from '../support/entry.ts';
import { rpcAt } from '../support/hosted-calls.ts';
import { tokensAt } from '../support/hosted-visitor.ts';
import { openHost } from '../support/mcp-host.ts';
import { texts } from './texts.ts';

const folder = createFolderForFile('docshare first minute ');

const TERMINAL = `data:text/javascript,${encodeURIComponent(
  'for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;',
)}`;

/** Starts the server as at a terminal, and returns what it prints. It ends with the test. */
async function startAtTerminal(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', TERMINAL, mcpMain, '--state', 'memory', ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
  });
  const getErrorOutput = collectText(child.stderr);
  onTestFinished(async () => {
    child.stdin.end();
    child.kill('SIGINT');
    await once(child, 'close');
  });
  await expect.poll(getErrorOutput).toContain(texts.pressCtrlCStop);
  return getErrorOutput();
}

test('at a terminal the sandbox prints its purpose, its page URLs and how to connect a host', async () => {
  const data = join(folder, "it's kept");
  const [ready, ...lines] = (await startAtTerminal(['--sandbox', '--data', data])).trim().split('\n');
  expect(JSON.parse(ready ?? '')).toMatchObject({ event: 'ready', url: 'stdio:' });
  const said = lines.join('\n');
  expect(said).toContain(`Sandbox data      ${data}`);
  expect(said).toContain("--sandbox --data '");
  expect(await (await fetch(said.match(/Sandbox console +(\S+)/)?.[1] ?? '')).text()).toContain('<!doctype html>');
  const command = said.match(/claude mcp add docshare -- (.+)/)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${command}`]);
  const [node = '', ...args] = stdout.trim().split('\n');
  expect(realpathSync(node)).toBe(realpathSync(process.execPath));
  expect(args).toEqual([mcpMain, '--sandbox', '--data', data]);
});

test('at a terminal the server of the real service and the HTTP server print how to connect', async () => {
  const stdio = await startAtTerminal([]);
  expect(stdio).toMatch(texts.claudeMcpAddDocshare);
  expect(stdio).not.toContain('Sandbox console');
  const http = await startAtTerminal(['--sandbox', '--http', '--port', '0']);
  for (const words of [texts.onALocalSandbox, texts.sandboxDataMemoryUse, 'Listening at http:'])
    expect(http).toContain(words);
  expect(http).toMatch(/claude mcp add --transport http docshare http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
  expect(http).toMatch(/setup HOST --url http:\/\/127\.0\.0\.1:\d+\n/);
  const withKeys = await startAtTerminal(['--http', '--port', '0']);
  expect(withKeys).toMatch(/docshare http\S+ --header "Authorization: Bearer KEY"\n/);
  expect(withKeys).not.toContain('setup HOST');
});

test.each([
  [undefined, / --sandbox\n/],
  ['/kept', / --sandbox --data \/kept\n/],
])('the command for another host keeps the data of the sandbox in the same folder: %s', (data, command) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const sandbox = { origin: 'http://127.0.0.1:7', key: 'dsk_1' };
  printBanner({ server: { url: 'stdio:' }, sandbox, data, missing: [] });
  const [[text] = []] = write.mock.calls;
  write.mockRestore();
  expect(text).toMatch(command);
});

test('at a terminal a hosted server on the sandbox prints a key for the sign-in and how to add the server', async () => {
  const started = await startAtTerminal(['--hosted', '--sandbox', '--port', '0']);
  const key = /Key to sign in +(\S+)/.exec(started)?.[1] ?? '';
  const { origin } = new URL(/claude mcp add --transport http docshare (\S+)/.exec(started)?.[1] ?? '');
  expect(started).toContain(`setup HOST --url ${origin}\n`);
  const { tokens } = await tokensAt(origin, { key });
  expect((await rpcAt(origin, tokens.access_token, 'tools/list')).status).toBe(200);
});

test("the doctor's settings for the sandbox start the same sandbox each day", async () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [mcpMain, 'doctor', '--sandbox', '--json'], { env });
  const { configuration } = JSON.parse(stdout);
  const { command, args, env: given } = configuration.Cursor.mcpServers.docshare;
  expect({ command: realpathSync(command), args, given }).toEqual({
    command: realpathSync(process.execPath),
    args: [mcpMain, '--sandbox', '--data', join(folder, '.local/state/docshare/sandbox')],
    given: undefined,
  });
  expect(stdout).not.toMatch(/127\.0\.0\.1|API_KEY/);
  const today = await openHost({ args: args.slice(1), ownProcess: true });
  const { data } = await today.call('create_contact', { fields: { email: 'kept@example.com' } });
  await today.close();
  const tomorrow = await openHost({ args: args.slice(1), ownProcess: true });
  const found = await tomorrow.call('list_contacts', { match: 'kept@example.com' });
  expect(found.data['items']).toEqual([expect.objectContaining({ id: data['id'] })]);
  const second = await promisify(execFile)(process.execPath, [mcpMain, ...args.slice(1)], { env }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  await tomorrow.close();
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^docshare-mcp: --data \S+ .*in use by another sandbox .*\n$/),
  });
});

/** Runs a command in a deleted folder, with nothing on stdin. */
function runInDeletedFolder(main: string, args: readonly string[]) {
  const { PATH } = process.env;
  const env = { PATH, DOCSHARE_API_KEY: 'key', DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' };
  const script = 'd=$(mktemp -d); cd "$d" && rmdir "$d" && exec "$0" "$@"';
  return spawnSync('sh', ['-c', script, process.execPath, main, ...args], { env, encoding: 'utf8', input: '' });
}

test.each([
  [mcpMain, [], 1],
  [mcpMain, ['doctor'], 1],
  [sandboxMain, ['--port', '0', '--data', 'x'], 1],
  [learnMain, ['learn'], 2],
])('%s %j reports that the folder is gone', (main, args, status) => {
  const stderr = expect.stringContaining('The working folder no longer exists');
  expect(runInDeletedFolder(main, args)).toMatchObject({ status, stderr });
});
