import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../mcp/server/http-server.ts';
import { createFixturesFactory } from '../support/conformance-fixtures.ts';
import { mcpMain } from '../support/entry.ts';
import { createRandom } from '../support/random.ts';

let url: URL;
let isAlive: () => boolean;
let stderr = '';
let stdout = '';
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const child = spawn(process.execPath, [mcpMain, '--http', '--port', '0', '--sandbox'], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  while (!/"ready".*\n/.test(stderr)) await once(child.stderr, 'data');
  url = new URL(JSON.parse(stderr.split('\n').find((line) => line.includes('"ready"')) ?? '{}').url);
  isAlive = () => child.exitCode === null;
  stop = () => {
    child.kill('SIGTERM');
    return once(child, 'exit');
  };
});
afterAll(async () => {
  expect(await stop()).toEqual([0, null]);
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/\n\s+at |node_modules/);
});

/** Sends bytes as they are, and gives what came back until the server hung up. */
function raw(bytes: string | Buffer, to: { hostname: string; port: string } = url): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(to.port), to.hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.end(bytes);
  });
}
const statusOf = (answer: string) => Number(answer.match(/^HTTP\/1\.1 (\d{3})/)?.[1]);
const ask = (target: string, method = 'GET') =>
  raw(`${method} ${target} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`);

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });

async function answers(): Promise<boolean> {
  const response = await post('{"jsonrpc":"2.0","id":7,"method":"ping"}');
  return isAlive() && (await response.text()).includes('"id":7');
}

describe('a target that is no path of this server is refused, and ends nothing', () => {
  test.each([
    '//',
    '/\\',
    '//[',
    '//evil.example/mcp',
    '/\\evil.example/mcp',
    'http://evil.example/mcp',
    'http://[/mcp',
    '*',
    'mcp',
    '/mcp\u0000x',
    '/%',
    '/mcp/../mcp#x',
  ])('%s', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'CONNECT']) {
      const answer = await ask(target, method);
      if (method !== 'CONNECT' && answer !== '') expect([400, 404]).toContain(statusOf(answer));
    }
    expect(await answers()).toBe(true);
  });

  test('the endpoint is found with a query', async () => expect(statusOf(await ask('/mcp?x=//'))).toBe(405));
});

describe('a body that can not be meant is refused with 4xx', () => {
  test.each([
    ['no JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
    ['deep JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    [
      'a deep argument',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`,
      400,
    ],
  ])('%s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await answers()).toBe(true);
  });

  test('9 MiB', async () => {
    const head = `POST /mcp HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\n`;
    expect(statusOf(await raw(`${head}content-length: 9000000\r\n\r\n{`))).toBe(413);
    expect(await answers()).toBe(true);
  });

  test('another type', async () => expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415));
  test('headers without end', async () =>
    expect(statusOf(await raw(`GET /mcp HTTP/1.1\r\nhost: ${url.host}\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`))).toBe(
      431,
    ));
});

test('2,000 malformed requests leave it answering', async () => {
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
  for (let sent = 0; sent < 2000; sent += 50) await Promise.all(Array.from({ length: 50 }, () => raw(make())));
  expect(await answers()).toBe(true);
}, 120_000);

test('a connection that sends its request slowly, or half, is ended', async () => {
  const door = await startHttpServer(createFixturesFactory(), {
    host: '127.0.0.1',
    port: 0,
    onError: () => undefined,
    limits: { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 },
  });
  const { hostname, port } = new URL(door.url);
  const half = [
    'GET /mcp HTTP/1.1\r\nhost: loc',
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"`,
  ];
  const ended = half.map((bytes) => {
    const socket = connect(Number(port), hostname);
    let said = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.write(bytes);
    return once(socket, 'close').then(() => said);
  });
  expect(await Promise.all(ended)).toEqual(half.map(() => expect.stringMatching(/^HTTP\/1\.1 408 /)));
  await door.close();
});
