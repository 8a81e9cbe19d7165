import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../mcp/server/http-server.ts';
import { createClient } from '../../src/index.ts';
import { createFixturesFactory } from '../support/conformance-fixtures.ts';
import { createFactory } from '../support/mcp-in-process.ts';

const LIMITS = { idleTimeoutMs: 60_000, maxPerKey: 2, maxTotal: 3 };
let door: HttpServer;
beforeAll(async () => {
  door = await open();
});
afterAll(() => door.close());

const open = (factory = createFixturesFactory(), limits = LIMITS) =>
  startHttpServer(factory, { host: '127.0.0.1', port: 0, onError: () => undefined, sessions: limits });

interface Sent {
  readonly key?: string;
  readonly id?: string | null;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

function send(body: object | undefined, { key = 'one', id, method = 'POST', signal }: Sent = {}, to = door) {
  return fetch(to.url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(id ? { 'mcp-session-id': id } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
}
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

async function begin(key?: string, to = door): Promise<string | null> {
  const response = await send(initialize, key === undefined ? {} : { key }, to);
  await response.text();
  return response.headers.get('mcp-session-id');
}
const statusOf = async (sent: Sent) => {
  const response = await send(ping, sent);
  await response.body?.cancel();
  return response.status;
};

test('a session answers only to the key that opened it, and ends with DELETE', async () => {
  const id = await begin();
  expect(await statusOf({ id })).toBe(200);
  expect(await statusOf({ id, key: 'another' })).toBe(404);
  expect(await statusOf({ id, key: '' })).toBe(401);
  expect(await statusOf({ id: 'made-up' })).toBe(404);
  expect((await send(undefined, { id, key: 'another', method: 'DELETE' })).status).toBe(404);
  expect((await send(undefined, { id, method: 'DELETE' })).status).toBe(200);
  expect(await statusOf({ id })).toBe(404);
});

test('whoever opens too many loses his own idlest; nobody takes the place of what is in use', async () => {
  const first = await begin();
  const second = await begin();
  const third = await begin();
  expect(await statusOf({ id: first })).toBe(404);
  expect([await statusOf({ id: second }), await statusOf({ id: third })]).toEqual([200, 200]);
  // Streams that are open are in use.
  const streams = await Promise.all([
    ...[second, third].map((id) => send(undefined, { id, method: 'GET' })),
    send(undefined, { id: await begin('two'), key: 'two', method: 'GET' }),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await begin('three')).toBeNull();
  // Without a session it is served all the same.
  expect(await statusOf({ key: 'three' })).toBe(200);
  for (const { body } of streams) await body?.cancel();
});

test('a stream stands at once, before its first word', async () => {
  const quiet = await open();
  const id = await begin('one', quiet);
  const { status, body } = await send(undefined, { id, method: 'GET' }, quiet);
  expect(status).toBe(200);
  const reader = body?.getReader();
  const word = reader?.read().then(() => 'a word');
  const answer = send(ping, { id }, quiet).then((response) => response.text());
  expect(await Promise.race([word, answer.then(() => 'no word yet')])).toBe('no word yet');
  await reader?.cancel();
  await quiet.close();
});

test('a session that is idle for long is forgotten', async () => {
  const short = await open(createFixturesFactory(), { ...LIMITS, idleTimeoutMs: 50 });
  const id = await begin('one', short);
  expect(id).not.toBeNull();
  await expect.poll(async () => (await send(ping, { id }, short)).status, { interval: 200 }).toBe(404);
  await short.close();
});

test('a form of a call is shown to a host of the 2025 revision, and its answer reaches the call', async () => {
  const client = new Client({ name: 't', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { username: 'Ada' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url)) as never);
  const { content } = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
  expect(JSON.stringify(content)).toContain('Ada');
  await client.close();
});

test('a client that goes away in mid-call cancels the call, in a session and without', async () => {
  let begun = 0;
  const ended: Promise<unknown>[] = [];
  const silent = createServer((request) => {
    begun++;
    ended.push(once(request.socket, 'close'));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/api/v1`;
  const docshare = createClient({ apiKey: 'k', baseUrl: base });
  const served = await open(createFactory({ client: docshare }));
  for (const id of [await begin('one', served), null]) {
    const abort = new AbortController();
    const before = begun;
    const call = send(
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'get_usage', arguments: {} } },
      { id, signal: abort.signal },
      served,
    ).then((response) => response.text());
    await expect.poll(() => begun, { timeout: 10_000 }).toBeGreaterThan(before);
    abort.abort();
    await expect(call).rejects.toThrow();
    await ended[before];
  }
  await served.close();
  await docshare.close();
  silent.closeAllConnections();
  silent.close();
});
