import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools as menu } from '../../mcp/tools/index.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { mcpMain } from '../support/entry.ts';
import { openHost } from '../support/mcp-host.ts';

let sandbox: Sandbox;
let url: string;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  sandbox = await createSandbox();
  const child = spawn(process.execPath, [mcpMain, '--http', '--port', '0', '--state', 'memory'], {
    // A key of the server's own would serve everybody: it must not be used here.
    env: { PATH: process.env['PATH'] ?? '', DOCSHARE_BASE_URL: sandbox.url, DOCSHARE_API_KEY: sandbox.key() },
  });
  const [line] = await once(child.stderr, 'data');
  const ready = JSON.parse(String(line));
  expect(ready).toMatchObject({ event: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/) });
  url = ready.url;
  stop = () => {
    child.kill('SIGTERM');
    return once(child, 'exit');
  };
});
afterAll(async () => {
  expect(await stop()).toEqual([0, null]);
  await sandbox.close();
});

const textOf = (result: object) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

async function withKey(key: string | undefined) {
  const requestInit = key ? { headers: { authorization: `Bearer ${key}` } } : {};
  const legacy = new LegacyClient({ name: 't', version: '1' });
  await legacy.connect(new LegacyHttp(new URL(url), { requestInit }) as never);
  const modern = new ModernClient({ name: 't', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await modern.connect(new ModernHttp(new URL(url), { requestInit }));
  return {
    async call(name: string, args: Record<string, unknown> = {}) {
      const texts = [
        await legacy.callTool({ name, arguments: args }),
        await modern.callTool({ name, arguments: args }),
      ].map(textOf);
      return texts.map((text) => JSON.parse(text));
    },
    tools: async () => [(await legacy.listTools()).tools.length, (await modern.listTools()).tools.length],
    close: async () => void (await Promise.all([legacy.close(), modern.close()])),
  };
}

test('both eras are served, each request by its own key', async () => {
  const whole = await withKey(sandbox.key());
  expect(await whole.tools()).toEqual([menu.length, menu.length]);
  for (const answer of await whole.call('get_usage')) expect(answer).toMatchObject({ documents: expect.any(Number) });
  const narrow = await withKey(sandbox.key(['links:read']));
  for (const { error } of await narrow.call('get_usage'))
    expect(error).toMatchObject({ code: 'permission_denied', scope: 'billing:read' });
  await Promise.all([whole.close(), narrow.close()]);
});

test('without a key every tool says what to send, and the key of the server is not lent', async () => {
  const nobody = await withKey(undefined);
  for (const { error } of await nobody.call('get_usage'))
    expect(error).toMatchObject({ code: 'no_key', message: expect.stringContaining('Authorization: Bearer') });
  await nobody.close();
});

test('nobody who asks over HTTP reads files of this machine, unless a folder was named', async () => {
  const someone = await withKey(sandbox.key());
  for (const { error } of await someone.call('upload_document', { path: 'package.json' }))
    expect(error).toMatchObject({ code: 'path_not_allowed' });
  await someone.close();
});

test('confirm_token is not an argument unless unattended mode was chosen', async () => {
  const one = await withKey(sandbox.key());
  for (const { confirm_token } of await one.call('delete_link', { id: 'x' })) expect(confirm_token).toBeUndefined();
  for (const { error } of await one.call('delete_link', { id: 'x', confirm_token: 'x' }))
    expect(error).toMatchObject({ code: 'invalid_arguments' });
  await one.close();
});

describe('pages of other websites get nothing', () => {
  const status = (headers: Record<string, string>, path = '/mcp') =>
    new Promise<number>((resolve, reject) => {
      const sent = request(
        new URL(path, url),
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    });

  test.each([
    [{ host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
  ])('%j', async (headers, expected) => expect(await status(headers)).toBe(expected));

  test('another path is not found', async () => expect(await status({}, '/')).toBe(404));
});

test('--sandbox over HTTP needs no key', async () => {
  const child = spawn(process.execPath, [mcpMain, '--http', '--port', '0', '--sandbox'], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const [line] = await once(child.stderr, 'data');
  const client = new LegacyClient({ name: 't', version: '1' });
  await client.connect(new LegacyHttp(new URL(JSON.parse(String(line)).url)) as never);
  expect((await client.callTool({ name: 'get_usage' })).isError).toBeFalsy();
  await client.close();
  // As a terminal that closes does.
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a cancelled call ends its HTTP request at once', async () => {
  let begun: () => void = () => undefined;
  let ended: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const silent = createServer((_, response) => {
    response.on('close', ended);
    begun();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/api/v1`;
  const host = await openHost({ env: { DOCSHARE_API_KEY: 'k', DOCSHARE_BASE_URL: base } });
  const abort = new AbortController();
  const call = host.call('get_usage', {}, { signal: abort.signal });
  await started;
  abort.abort();
  await expect(call).rejects.toThrow();
  // The service never answers: only the cancel ends its connection.
  await closed;
  await host.close();
  silent.close();
});
