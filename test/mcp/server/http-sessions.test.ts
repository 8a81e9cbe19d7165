import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { createFixturesFactory } from '../../support/conformance-fixtures.ts';
import { listenForFile } from '../../support/listen.ts';
import {
  type HttpEntry,
  readMessages,
  request,
  type SendOptions,
  serveHttp,
  toolCall,
} from '../../support/mcp-http.ts';
import { createFactory } from '../../support/mcp-in-process.ts';

const LIMITS = { idleTimeoutMs: 60_000, maxPerKey: 2, maxTotal: 3 };
/** Pending requests to the service, by the last part of their path. */
const pendingRequests = new Map<string, ServerResponse>();
afterAll(() => expect(server.faults).toEqual([]));
const origin = await listenForFile(
  createServer((incoming, response) => {
    pendingRequests.set(/\w+(?=\?|$)/.exec(incoming.url ?? '')?.[0] ?? '', response);
  }),
);
const docshare = await closeAfterAll(createClient({ apiKey: 'k', baseUrl: `${origin}/api/v1` }));
const server = await closeAfterAll(serveHttp(createFactory({ client: docshare })));
beforeEach(() => pendingRequests.clear());

const open = (...args: Parameters<typeof serveHttp>): Promise<HttpEntry> => closeAfterTest(serveHttp(...args));
const ping = (id: number) => request(id, 'ping');
const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const usage = toolCall(5, 'get_usage');
async function answersIn(response: Promise<Response>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of readMessages(await response)) messages.push(message);
  return messages;
}
const waitForRequest = (path: string) => expect.poll(() => [...pendingRequests.keys()]).toContain(path);
const answer = (path: string) =>
  pendingRequests.get(path)?.writeHead(200, { 'content-type': 'application/json' }).end('{"documents":3}');
async function statusOf(entry: HttpEntry, sent: SendOptions): Promise<number> {
  const response = await entry.send(ping(2), sent);
  await response.body?.cancel();
  return response.status;
}

test('a session works only for the key that opened it, and ends with DELETE', async () => {
  const entry = await open(createFixturesFactory());
  const session = await entry.openSession({ key: 'one' });
  expect(await statusOf(entry, { session, key: 'one' })).toBe(200);
  expect(await statusOf(entry, { session, key: 'another' })).toBe(404);
  expect(await statusOf(entry, { session })).toBe(401);
  expect(await statusOf(entry, { session: 'made-up', key: 'one' })).toBe(404);
  const end = (key: string) => entry.send(undefined, { session, key, method: 'DELETE' });
  expect((await end('another')).status).toBe(404);
  expect((await end('one')).status).toBe(200);
  expect(await statusOf(entry, { session, key: 'one' })).toBe(404);
});

test('a key with too many sessions loses its idlest one, and sessions in use are never replaced', async () => {
  const entry = await open(createFixturesFactory(), { sessions: { ...LIMITS, maxTotal: 4 } });
  const other = await entry.openSession({ key: 'two' });
  const own: (string | null)[] = [];
  for (let count = 0; count < 3; count++) own.push(await entry.openSession({ key: 'one' }));
  // The session of another key survives, although it was idle for longer.
  expect(await statusOf(entry, { session: other, key: 'two' })).toBe(200);
  expect(await Promise.all(own.map((session) => statusOf(entry, { session, key: 'one' })))).toEqual([404, 200, 200]);
  const held = [
    ...own.slice(1).map((session) => ({ session, key: 'one' })),
    { session: other, key: 'two' },
    { session: await entry.openSession({ key: 'two' }), key: 'two' },
  ];
  // Sessions with an open stream are in use.
  const streams = await Promise.all(held.map((sent) => entry.send(undefined, { ...sent, method: 'GET' })));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await entry.openSession({ key: 'three' })).toBeNull();
  // Requests without a session still work.
  expect(await statusOf(entry, { key: 'three' })).toBe(200);
  for (const { body } of streams) await body?.cancel();
});

test('a stream opens at once, before its first event', async () => {
  const entry = await open(createFixturesFactory());
  const session = await entry.openSession();
  const { status, body } = await entry.send(undefined, { session, method: 'GET' });
  expect(status).toBe(200);
  const reader = body?.getReader();
  const event = reader?.read().then(() => 'an event');
  const answered = entry.send(ping(2), { session }).then((response) => response.text());
  expect(await Promise.race([event, answered.then(() => 'no event yet')])).toBe('no event yet');
  await reader?.cancel();
});

test('an idle session expires, but not one in which a call runs', async () => {
  const entry = await open(createFactory({ client: docshare }), { sessions: { ...LIMITS, idleTimeoutMs: 400 } });
  const busy = await entry.openSession();
  const running = entry.send(usage, { session: busy });
  await waitForRequest('usage');
  const idle = await entry.openSession();
  expect(idle).not.toBeNull();
  await expect.poll(() => statusOf(entry, { session: idle }), { interval: 500 }).toBe(404);
  expect(await statusOf(entry, { session: busy })).toBe(200);
  answer('usage');
  expect(await answersIn(running)).toMatchObject([{ id: 5 }]);
});

test('a form is shown to a host of the 2025 revision, and the response reaches the call', async () => {
  const entry = await open(createFixturesFactory());
  const client = new Client({ name: 't', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { username: 'Ada' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(entry.url)) as never);
  const { content } = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
  expect(JSON.stringify(content)).toContain('Ada');
  await client.close();
});

test.each(['in a session', 'without one'])('a client that disconnects cancels its call, %s', async (where) => {
  const session = where === 'in a session' ? await server.openSession() : null;
  const abort = new AbortController();
  const call = server.send(usage, { session, signal: abort.signal }).then((response) => response.text());
  await waitForRequest('usage');
  const ended = once(pendingRequests.get('usage') as ServerResponse, 'close');
  abort.abort();
  await expect(call).rejects.toThrow();
  await ended;
});

test('the stream of a cancelled call ends without a response, and its ID can be used again', async () => {
  const session = await server.openSession();
  for (const _ of [1, 2]) {
    pendingRequests.clear();
    // The response headers arrive with the first event.
    const waiting = server.send(usage, { session });
    await waitForRequest('usage');
    expect((await server.send(cancel(5), { session })).status).toBe(202);
    expect(await answersIn(waiting)).toEqual([]);
  }
  expect(await answersIn(server.send(ping(5), { session }))).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }]);
});

test('a second call with the ID of a running call is rejected, and the first one gets its response', async () => {
  const session = await server.openSession();
  const waiting = server.send(usage, { session });
  await waitForRequest('usage');
  expect(await server.send(ping(5), { session })).toMatchObject({ status: 400 });
  answer('usage');
  expect(await answersIn(waiting)).toMatchObject([{ id: 5, result: {} }]);
});
