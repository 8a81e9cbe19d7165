import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { type Json, outcomeOf } from '../../support/mcp-host.ts';
import { openHttpServer, toolCall } from '../../support/mcp-http.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';
import { REVIEWED_TOOLS } from '../../support/reviewed-tools.ts';
import { startMcp } from '../../support/run-mcp.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(
  openHttpServer([], { DOCSHARE_BASE_URL: sandbox.url, DOCSHARE_API_KEY: sandbox.key() }),
);

async function withKey(key: string | undefined, { query = '', headers = {} } = {}) {
  const requestInit = { headers: { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) } };
  const url = new URL(server.url + query);
  const legacy = new LegacyClient({ name: 't', version: '1' });
  await legacy.connect(new LegacyHttp(url, { requestInit }) as never);
  const modern = new ModernClient({ name: 't', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await modern.connect(new ModernHttp(url, { requestInit }));
  onTestFinished(async () => void (await Promise.all([legacy.close(), modern.close()])));
  return {
    call: async (name: string, args: Json = {}) =>
      [await legacy.callTool({ name, arguments: args }), await modern.callTool({ name, arguments: args })].map(
        outcomeOf,
      ),
    listed: async () =>
      [await legacy.listTools(), await modern.listTools()].map(({ tools }) => tools.map(({ name }) => name)),
    instructions: () => [legacy.getInstructions(), modern.getInstructions()],
    tools: async () => [(await legacy.listTools()).tools.length, (await modern.listTools()).tools.length],
  };
}

test('both protocol eras work, and each request uses its own key', async () => {
  const whole = await withKey(sandbox.key());
  expect(await whole.tools()).toEqual([REVIEWED_TOOLS.length, REVIEWED_TOOLS.length]);
  for (const { data } of await whole.call('get_usage')) expect(data).toMatchObject({ documents: expect.any(Number) });
  const narrow = await withKey(sandbox.key(['links:read']));
  for (const { error } of await narrow.call('get_usage'))
    expect(error).toMatchObject({ code: 'permission_denied', scope: 'billing:read' });
});

test.each([
  ['127.0.0.1', 'pending'],
  ['0.0.0.0', 'not_shown'],
])('on %s, a question about the action of a caller opens the browser of this machine: %s', async (host, outcome) => {
  const options = { pageWaitMs: 0, openBrowser: async () => true };
  const own = await closeAfterTest(openHttpServer(['--host', host], { DOCSHARE_BASE_URL: sandbox.url }, options));
  const response = await own.send(toolCall(1, 'delete_link', { id: 'l' }), { key: sandbox.key() });
  expect(await response.text()).toContain(`"outcome":"${outcome}"`);
});

test.each([
  ['the URL', { query: '?groups=webhooks,nope' }],
  ['the URL, twice,', { query: '?groups=webhooks&groups=nope' }],
  ['a header', { headers: { 'docshare-groups': 'webhooks, nope' } }],
])('a connection gets only the groups that %s names, and reads which are unknown', async (_, options) => {
  const connection = await withKey(sandbox.key(), options);
  for (const names of await connection.listed())
    expect(names).toEqual(['list_webhooks', 'create_webhook', 'delete_webhook']);
  for (const text of connection.instructions()) expect(text).toContain('unknown groups of tools: "nope"');
  for (const { isError } of await connection.call('list_webhooks')) expect(isError).toBe(false);
  // Tools of several groups belong to each of them.
  for (const names of await (await withKey(sandbox.key(), { query: '?groups=contacts' })).listed())
    expect(names).toEqual(expect.arrayContaining(['list_contacts', 'find', 'get']));
});

test.each<[string, boolean, string, Json, object]>([
  [
    'without a key every tool says what to send, and the server’s own key is not used',
    false,
    'get_usage',
    {},
    { code: 'no_key', message: expect.stringContaining('Authorization: Bearer') },
  ],
  [
    'local files are not readable without --files',
    true,
    'upload_document',
    { path: 'package.json' },
    { code: 'path_not_allowed' },
  ],
  [
    'confirm_token is not an argument unless unattended mode was chosen',
    true,
    'delete_link',
    { id: 'x', confirm_token: 'x' },
    { code: 'invalid_arguments' },
  ],
])('%s', async (_, hasKey, tool, args, expected) => {
  const someone = await withKey(hasKey ? sandbox.key() : undefined);
  for (const { error } of await someone.call(tool, args)) expect(error).toMatchObject(expected);
  if (tool === 'delete_link')
    for (const { data } of await someone.call(tool, { id: 'x' })) expect(data).not.toHaveProperty('confirm_token');
});

test.each([
  [{ host: 'evil.example' }, '/mcp', 403],
  [{ origin: 'https://evil.example' }, '/mcp', 403],
  [{ host: '127.0.0.1.evil.example' }, '/mcp', 403],
  [{}, '/', 404],
])('other websites get no access: %j at %s', async (headers, path, status) => {
  const sent = httpRequest(new URL(path, server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  const [response] = await once(sent, 'response');
  response.resume();
  expect(response.statusCode).toBe(status);
});

test('the same send runs once per key', async () => {
  const answer = ({ method }: { method: string }) => ({
    json: method === 'GET' ? { data: [] } : { id: 'a', status: 'sent' },
  });
  const service = await closeAfterTest(openLoopback(answer));
  const shared = await closeAfterTest(openHttpServer(['--confirm', 'off'], { DOCSHARE_BASE_URL: service.url }));
  const send = async (key: string) =>
    (await shared.send(toolCall(1, 'send_agreement', { id: 'a' }), { key }))
      .text()
      .then((text) => /repeated/.test(text));
  expect([await send('key-of-ann'), await send('key-of-bob'), await send('key-of-ann')]).toEqual([false, false, true]);
  expect(service.requests.filter(({ path }) => path === '/agreements/a/send')).toHaveLength(2);
});

test('as a process it prints its URL, and needs no key for a sandbox', async () => {
  const { child, output } = startMcp(['--http', '--port', '0', '--sandbox']);
  const [line] = await once(child.stderr, 'data');
  const ready = JSON.parse(String(line));
  expect(ready).toMatchObject({ event: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/) });
  const client = new LegacyClient({ name: 't', version: '1' });
  await client.connect(new LegacyHttp(new URL(ready.url)) as never);
  expect((await client.callTool({ name: 'get_usage' })).isError).toBeFalsy();
  await client.close();
  // A closing terminal sends this signal.
  child.kill('SIGHUP');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output.stdout).toBe('');
});
