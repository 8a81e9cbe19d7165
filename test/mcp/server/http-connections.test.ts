import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { createFixturesFactory } from '../../support/conformance-fixtures.ts';
import { initialize, request, serveHttp } from '../../support/mcp-http.ts';
import { createRandom } from '../../support/random.ts';

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const server = await closeAfterAll(serveHttp(createFixturesFactory(), { limits: { keepAliveTimeout: 3_600_000 } }));
const url = new URL(server.url);
beforeEach(() => {
  server.faults.length = 0;
});

/** Returns what the server sends until it closes the connection. With `end`, this side half-closes it first. */
async function raw(bytes: string | Buffer, { to = url, end = false } = {}): Promise<string> {
  const socket = connect({ port: Number(to.port), host: to.hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  if (end) socket.end(bytes);
  else socket.write(bytes);
  return text(socket)
    .catch(() => '')
    .finally(() => socket.destroy());
}
const send = (head: readonly string[], body = '') =>
  raw(`${[...head, `Host: ${url.host}`, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
const statusOf = (answer: string) => Number(answer.match(/^HTTP\/1\.1 (\d{3})/)?.[1]);
const ask = (target: string, method = 'GET') =>
  raw(`${method} ${target} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`, { end: true });
const answers = async () => (await (await server.send(request(7, 'ping'))).text()).includes('"id":7');
const POST = ['POST /mcp HTTP/1.1', 'Content-Type: application/json', 'Accept: application/json, text/event-stream'];
const ping = JSON.stringify(request(2, 'ping'));

test('an event stream closes its connection on request, with and without a session', async () => {
  for (const body of [JSON.stringify(initialize()), ping]) {
    const answer = await send([...POST, 'Connection: close'], body);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^content-type: text\/event-stream\r$/im);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).not.toMatch(/^connection: keep-alive\r$/im);
  }
});

test('an HTTP/1.0 connection closes after its response, and an HTTP/1.1 connection stays open', async () => {
  expect(await send(['POST /mcp HTTP/1.0', ...POST.slice(1)], ping)).toMatch(/"id":2/);
  const answer = await server.send(ping);
  expect(answer.headers.get('connection')).toBe('keep-alive');
  expect(await answer.text()).toContain('"id":2');
});

test.each(['TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])('%s gets 405 and causes no error', async (method) => {
  const answer = await send([`${method} /mcp HTTP/1.1`, 'Connection: close']);
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toMatch(/^allow: .*POST/im);
  expect(answer).toContain('Method not allowed.');
  expect(server.faults).toEqual([]);
});

test('a client that disconnects causes no error', async () => {
  const client = new Client({ name: 't', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url) as never);
  await client.ping();
  await client.close();
  // Wait until the server has handled the closed connections.
  await server.send(undefined, { method: 'DELETE' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.faults).toEqual([]);
});

describe('a target that is not a path of this server is rejected, and the server keeps running', () => {
  test.each([
    ...['//', '/\\', '//[', '//evil.example/mcp', '/\\evil.example/mcp', 'http://evil.example/mcp', 'http://[/mcp'],
    ...['*', 'mcp', '/mcp\u0000x', '/%', '/mcp/../mcp#x'],
  ])('%s', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'CONNECT']) {
      const answer = await ask(target, method);
      if (method !== 'CONNECT' && answer !== '') expect([400, 404]).toContain(statusOf(answer));
    }
    expect(await answers()).toBe(true);
  });

  test('the endpoint is found with a query', async () => expect(statusOf(await ask('/mcp?x=//'))).toBe(405));
});

describe('an invalid body is rejected with 4xx', () => {
  const padded = (bytes: number) => `${' '.repeat(bytes - ping.length)}${ping}`;
  test.each([
    ['invalid JSON', '{"jsonrpc":', 400],
    ['an empty body', '', 400],
    ['a batch', `[${ping}]`, 400],
    ['deeply nested JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['a deep argument', `{"id":1,"method":"tools/call","params":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`, 400],
    ['one byte too many', padded(MAX_BODY_BYTES + 1), 413],
    ['the maximum size', padded(MAX_BODY_BYTES), 200],
  ])('%s', async (_, body, status) => {
    expect((await server.send(body)).status).toBe(status);
    expect(await answers()).toBe(true);
  });

  test.each([
    ['declares its length', `content-length: ${MAX_BODY_BYTES + 1}\r\n\r\n{`],
    [
      'does not',
      `transfer-encoding: chunked\r\n\r\n${(MAX_BODY_BYTES + 1).toString(16)}\r\n${padded(MAX_BODY_BYTES + 1)}`,
    ],
  ])('a body that is too long and %s closes its connection, so that no rest is read as a request', async (_, rest) => {
    const head = `POST /mcp HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n`;
    const answer = await raw(`${head}${rest}`);
    expect(statusOf(answer)).toBe(413);
    expect(answer).toContain('"code":-32000');
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  test('another content type, and headers that are too long', async () => {
    expect((await server.send('{}', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    const head = `GET /mcp HTTP/1.1\r\nhost: ${url.host}\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`;
    expect(statusOf(await raw(head, { end: true }))).toBe(431);
  });
});

test('the server still responds after 2,000 malformed requests', async () => {
  const random = createRandom(20261121);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  const bodies = ['{', '[]', 'null', '0', '"x"', '{"jsonrpc":"2.0"}', '[{"jsonrpc":"2.0","id":1}]', '{"id":{}}'];
  const make = () => {
    const body = pick(bodies);
    const method = pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'TRACE', 'PATCH', 'BREW']);
    const target = pick(['//', '/\\', '//[', '/mcp', '/mcp?', '*', 'http://[', '/%zz', '/mcp/', '?', '/mcp;a']);
    const host = pick([url.host, '[', 'a b', '', 'localhost:99999', '\u00e9']);
    const length = pick([body.length, 0, -1, 9e9, 'x']);
    const session = pick(['', `mcp-session-id: ${Math.floor(random() * 1e6)}\r\n`]);
    return random() < 0.1
      ? noise(1 + Math.floor(random() * 400))
      : `${method} ${target} HTTP/1.${pick([0, 1, 1, 1, 9])}\r\nhost: ${host}\r\ncontent-type: application/json\r\n${session}accept: application/json, text/event-stream\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`;
  };
  for (let sent = 0; sent < 2000; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => raw(make(), { end: true })));
  expect(await answers()).toBe(true);
}, 120_000);

test('a connection that sends only half a request is closed with 408', async () => {
  const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };
  const short = await closeAfterTest(serveHttp(createFixturesFactory(), { limits }));
  const half = [
    'GET /mcp HTTP/1.1\r\nhost: loc',
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"`,
  ];
  const ended = await Promise.all(half.map((bytes) => raw(bytes, { to: new URL(short.url) })));
  expect(ended).toEqual(half.map(() => expect.stringMatching(/^HTTP\/1\.1 408 /)));
});
