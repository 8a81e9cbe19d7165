/** Calls over HTTP that are cancelled by a message: the stream which waits for them ends, and nothing else does. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../mcp/server/http-server.ts';
import { createClient } from '../../src/index.ts';
import { createFactory } from '../support/mcp-in-process.ts';

/** What was asked of the service, by the end of its path, and not answered yet. */
let asked: Map<string, ServerResponse>;
let service: Server;
let docshare: ReturnType<typeof createClient>;
let door: HttpServer;
const faults: string[] = [];
beforeAll(async () => {
  service = createServer((request, response) => {
    asked.set(/\w+(?=\?|$)/.exec(request.url ?? '')?.[0] ?? '', response);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  docshare = createClient({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}/api/v1` });
  const factory = createFactory({ client: docshare });
  door = await startHttpServer(factory, {
    host: '127.0.0.1',
    port: 0,
    onError: ({ message }) => void faults.push(message),
  });
});
beforeEach(() => {
  asked = new Map();
});
afterAll(async () => {
  await door.close();
  await docshare.close();
  service.closeAllConnections();
  service.close();
  expect(faults).toEqual([]);
});

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

async function post(body: unknown, session: string | null = null) {
  const response = await fetch(door.url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session === null ? {} : { 'mcp-session-id': session }),
    },
  });
  return { session: response.headers.get('mcp-session-id'), status: response.status, text: response.text() };
}

async function begin() {
  const clientInfo = { name: 't', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const hello = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await hello.text;
  return hello.session;
}
const answersIn = async ({ text }: { text: Promise<string> }) =>
  [...(await text).matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
const isAsked = (path: string) => expect.poll(() => [...asked.keys()]).toContain(path);
const answer = (path: string) =>
  asked.get(path)?.writeHead(200, { 'content-type': 'application/json' }).end('{"documents":3}');

test('the stream of a cancelled call ends without an answer, and its id is free again', async () => {
  const session = await begin();
  for (const _ of [1, 2]) {
    asked.clear();
    // Its head comes with its first word.
    const waiting = post(call(5, 'get_usage'), session);
    await isAsked('usage');
    expect((await post(cancel(5), session)).status).toBe(202);
    expect(await answersIn(await waiting)).toEqual([]);
  }
  expect(await answersIn(await post(ping(5), session))).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }]);
});

test('a second call with the id of one that runs is refused, and the first is answered', async () => {
  const session = await begin();
  const waiting = post(call(5, 'get_usage'), session);
  await isAsked('usage');
  for (const body of [ping(5), [ping(6), ping(5)]]) expect(await post(body, session)).toMatchObject({ status: 400 });
  answer('usage');
  expect(await answersIn(await waiting)).toMatchObject([{ id: 5, result: {} }]);
});

test.each(['before', 'after'])('of two calls in one POST, one cancelled %s the other is answered', async (when) => {
  const session = await begin();
  const waiting = post([call(5, 'get_usage'), call(6, 'list_webhooks')], session);
  await isAsked('usage');
  await isAsked('webhooks');
  if (when === 'after') {
    answer('webhooks');
    // Its answer has gone out once what was asked after it is answered.
    await answersIn(await post(ping(7), session));
  }
  await post(cancel(5), session);
  if (when === 'before') answer('webhooks');
  expect(await answersIn(await waiting)).toMatchObject([{ id: 6 }]);
});

test.each(['in a session', 'without one'])('a POST that cancels its own call ends, %s', async (where) => {
  const session = where === 'in a session' ? await begin() : null;
  expect(await answersIn(await post([call(5, 'get_usage'), cancel(5)], session))).toEqual([]);
  const more = [call(5, 'get_usage'), cancel(5), ping(6)];
  expect(await answersIn(await post(more, session))).toEqual([{ jsonrpc: '2.0', id: 6, result: {} }]);
  // What was never asked can’t be cancelled.
  expect(await answersIn(await post([cancel(8), ping(6)], session))).toMatchObject([{ id: 6 }]);
});
