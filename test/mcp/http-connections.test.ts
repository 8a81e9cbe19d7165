/** What HTTP asks of any server, whatever is served: who asks for the end of a connection gets it, and no method is a fault. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../mcp/server/http-server.ts';
import { createFixturesFactory } from '../support/conformance-fixtures.ts';

let door: HttpServer;
const faults: string[] = [];
beforeAll(async () => {
  door = await startHttpServer(createFixturesFactory(), {
    host: '127.0.0.1',
    port: 0,
    onError: ({ message }) => void faults.push(message),
    // Only what is asked for ends a connection in the time of a test.
    limits: { keepAliveTimeout: 3_600_000 },
  });
});
afterAll(() => door.close());

/** What came back until the server hung up; this side does not. */
function send(head: readonly string[], body = ''): Promise<string> {
  const { host, port } = new URL(door.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const lines = [...head, `Host: ${host}`, `Content-Length: ${Buffer.byteLength(body)}`];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return text(socket).finally(() => socket.destroy());
}
const POST = ['POST /mcp HTTP/1.1', 'Content-Type: application/json', 'Accept: application/json, text/event-stream'];
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';

test('a stream of events ends its connection where that was asked for, in a session and without', async () => {
  for (const body of [initialize, ping]) {
    const answer = await send([...POST, 'Connection: close'], body);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^content-type: text\/event-stream\r$/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).not.toMatch(/^connection: keep-alive\r$/im);
  }
});

test('a connection of HTTP/1.0 ends with its answer', async () => {
  const answer = await send(['POST /mcp HTTP/1.0', ...POST.slice(1)], ping);
  expect(answer).toMatch(/"id":2/);
});

test('else it goes on', async () => {
  const answer = await fetch(door.url, {
    method: 'POST',
    body: ping,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  expect([answer.headers.get('connection'), await answer.text()]).toEqual([
    'keep-alive',
    expect.stringContaining('"id":2'),
  ]);
});

test.each(['TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])('%s is not allowed, and no fault', async (method) => {
  faults.length = 0;
  const answer = await send([`${method} /mcp HTTP/1.1`, 'Connection: close']);
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toMatch(/^allow: .*POST/im);
  expect(answer).toContain('Method not allowed.');
  expect(faults).toEqual([]);
});

test.each(['TRACK', 'CONNECT'])('%s, which Node hears as no request, ends the connection', async (method) => {
  expect(await send([`${method} /mcp HTTP/1.1`])).not.toMatch(/^HTTP\/1\.1 [25]/);
});

test('a client that goes away is no fault', async () => {
  faults.length = 0;
  const client = new Client({ name: 't', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url)) as never);
  await client.ping();
  await client.close();
  // Behind what the end of its connections brings.
  await fetch(door.url, { method: 'DELETE' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(faults).toEqual([]);
});
