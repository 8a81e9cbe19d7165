import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { enforceRequestTimeout } from '../../../mcp/hosted/http/request-timeout.ts';
import { isUploadRequest } from '../../../mcp/hosted/user-pages.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { collectText } from '../../support/collect-text.ts';
import { dial } from '../../support/dial.ts';
import { rpcAt } from '../../support/hosted-calls.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { tokensAt } from '../../support/hosted-visitor.ts';
import { listenForTest } from '../../support/listen.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedInProcess({ baseUrl: sandbox.url }));
const url = server.url;
const { port } = new URL(url);
const { tokens } = await tokensAt(url, { key: sandbox.key() });

test('a client that disconnects during a body is not an internal error', async () => {
  for (const [path, type, authorization] of [
    ['/mcp', 'application/json', `Bearer ${tokens.access_token}`],
    ['/token', 'application/x-www-form-urlencoded', 'none'],
    ['/register', 'application/json', 'none'],
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    const head = [`POST ${path} HTTP/1.1`, `Host: localhost:${port}`, `Authorization: ${authorization}`];
    socket.write([...head, `Content-Type: ${type}`, 'Content-Length: 5000', '', '{"a'].join('\r\n'));
    await once(socket, 'connect');
    await sleep(100);
    socket.destroy();
    while (!new RegExp(`"event":"hung_up".*"path":"${path}"`).test(server.log())) await sleep(5);
  }
  expect(server.log()).not.toContain('"event":"unexpected"');
});

test.each(['docshare://documents/', 'https://a.example/', ''])('a megabyte is not a resource: %s…', async (start) => {
  const answer = await rpcAt(url, tokens.access_token, 'resources/read', { uri: start + 'a'.repeat(1_100_000) });
  expect(answer).toMatchObject({ status: 200, body: { error: { code: -32_602 } } });
});

test("idle connections outlast the proxy's timeout, so that no call meets a closing connection", async () => {
  const behind = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args: ['--trust-proxy', '1'] }));
  const idle = async (at: string) => (await fetch(`${at}/healthz`)).headers.get('keep-alive');
  expect([await idle(url), await idle(behind.url)]).toEqual(['timeout=10', 'timeout=130']);
});

test('names of built-in object properties are neither tools nor prompts', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
    const call = await rpcAt(url, tokens.access_token, 'tools/call', { name, arguments: {} });
    expect(JSON.stringify(call.body), name).toContain(`Tool ${name} not found`);
    const prompt = await rpcAt(url, tokens.access_token, 'prompts/get', { name });
    expect(JSON.stringify(prompt.body), name).toContain(`Prompt ${name} not found`);
  }
});

test('a body with too many values is rejected before it is parsed, but a long string is not', async () => {
  const send = async (body: string) => {
    const headers = {
      authorization: `Bearer ${tokens.access_token}`,
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    };
    const answer = await fetch(`${url}/mcp`, { method: 'POST', body, headers });
    return { status: answer.status, text: await answer.text() };
  };
  const names = Array.from({ length: 300_000 }, (_, index) => `"k${index}" :1`).join(',');
  for (const body of [`{${names}}`, `[${'{},'.repeat(300_000)}{}]`, `[${'0,'.repeat(300_000)}0]`]) {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining('more than 20000 values')]);
  }
  const content = '{"a":[1,2]},\\"'.repeat(30_000);
  const call = { name: 'whoami', arguments: { content } };
  const long = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }));
  expect([long.status, long.text]).toEqual([200, expect.stringContaining('Unknown argument')]);
});

test('an oversized body gets an error response, not a broken connection', async () => {
  for (let round = 0; round < 5; round++) {
    const socket = connect(Number(port), '127.0.0.1');
    const broken: unknown[] = [];
    const getHeard = collectText(socket);
    socket.on('error', (error) => broken.push(error));
    const head = ['POST /mcp HTTP/1.1', `Host: localhost:${port}`, `Authorization: Bearer ${tokens.access_token}`];
    socket.write([...head, 'Content-Type: application/json', 'Content-Length: 9000000', '', ''].join('\r\n'));
    // Sent despite the response, as a proxy does.
    for (let sent = 0; sent < 9_000_000 && socket.writable; sent += 100_000) {
      if (!socket.write('x'.repeat(100_000))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
    if (!socket.closed) await once(socket, 'close');
    expect(getHeard()).toMatch(/^HTTP\/1.1 413 .*the limit is 8388608 bytes/s);
    expect(broken).toEqual([]);
  }
});

/** Returns the response to a request with an endless body, once the server has closed the connection. */
async function untilHungUp(line: string): Promise<string> {
  const server = createServer((request, response) => {
    // File routes read the body; other routes can wait for it or respond without it.
    if (request.url?.includes('wait')) return;
    response.writeHead(404).end('none');
  });
  enforceRequestTimeout(server, { hasOwnTimeout: isUploadRequest, timeoutMs: 100 });
  const { socket, said } = dial(await listenForTest(server));
  socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n`);
  const drip = setInterval(() => socket.write('x'), 20);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  return said();
}

describe('a body that never ends does not keep a connection open', () => {
  test.each(['GET /upload/x', 'PUT /upload/x', 'PUT /upload/x?name=a.pdf'])('after the answer to %s', async (line) => {
    expect(await untilHungUp(line)).toContain('404 Not Found');
  });

  test.each(['POST /upload/../token?wait', 'POST /upload/%2e%2e/token?wait', 'GET /upload/wait', 'PUT /upload/x/wait'])(
    'without a response, on a route that takes no files: %s',
    async (line) => {
      expect(await untilHungUp(line)).toBe('');
    },
  );
});

test('a file upload has its own timeout', () => {
  expect(isUploadRequest({ method: 'PUT', url: '/upload/a-token_1' })).toBe(true);
  expect(isUploadRequest({ method: 'PUT', url: '/upload/a-token_1?name=..%2fa' })).toBe(true);
});
