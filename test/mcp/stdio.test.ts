import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpMain } from '../support/entry.ts';

const initialize =
  '{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n';
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;

interface Message {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

function start(env: Record<string, string> = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [mcpMain, '--state', 'memory'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.resume();
  const messages = (): Message[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    child,
    messages,
    async say(bytes: string | Buffer) {
      if (!child.stdin.write(bytes)) await once(child.stdin, 'drain');
    },
    async answerTo(id: unknown) {
      while (!messages().some((message) => message.id === id)) await once(child.stdout, 'data');
    },
  };
}

describe('a line that is no message is answered with an error, and the next one is served', () => {
  let server: ReturnType<typeof start>;
  beforeAll(async () => {
    server = start();
    await server.say(initialize);
    await server.answerTo('first');
  });
  afterAll(async () => {
    server.child.stdin.end();
    expect(await once(server.child, 'exit')).toEqual([0, null]);
  });
  const long = (before: string, after: string) => `${before}"${'x'.repeat(10 * 1024 * 1024)}"${after}\n`;
  let next = 100;

  test.each([
    ['no JSON', 'not json\n', -32_700, null],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), -32_700, null],
    ['a bad shape with an id', '{"jsonrpc":"2.0","id":41,"method":["x"]}\n', -32_600, 41],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}\n', -32_600, 'a'],
    ['no method', '{"jsonrpc":"2.0","id":42}\n', -32_600, 42],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32_600, null],
    ['a huge id', `{"jsonrpc":"2.0","id":"${'i'.repeat(100_000)}","method":"ping"}\n`, -32_600, null],
    ['a batch', `[${ping(1).trim()}]\n`, -32_600, null],
    ['a text', '"ping"\n', -32_600, null],
    [
      'a deep one',
      `{"jsonrpc":"2.0","id":43,"method":"ping","params":{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}}\n`,
      -32_600,
      43,
    ],
    ['10 MiB', long('{"jsonrpc":"2.0","id":44,"method":"x","params":{"a":', '}}'), -32_600, 44],
    ['10 MiB with the id last', long('{"method":"x","params":{"id":7,"a":', '},"id":45}'), -32_600, 45],
    ['10 MiB of nothing', long('', ''), -32_600, null],
  ])('%s', async (_, bytes, code, id) => {
    const before = server.messages().length;
    await server.say(bytes);
    next += 1;
    await server.say(ping(next));
    await server.answerTo(next);
    expect(server.messages()[before]).toMatchObject({ id, error: { code } });
  });

  test('blank lines and CRLF are nothing to complain of', async () => {
    const before = server.messages().length;
    await server.say(`\n\r\n  \n${ping(900).trim()}\r\n`);
    await server.answerTo(900);
    expect(server.messages()).toHaveLength(before + 1);
  });
});

describe('calls that run are answered', () => {
  /** @param calls how many reach the service; `begun`: the last of them has. */
  async function withSlowService(
    calls: number,
    run: (env: Record<string, string>, begun: Promise<unknown>) => Promise<void>,
  ) {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const service = createServer((_, response) => {
      asked += 1;
      if (asked === calls) resolve();
      setTimeout(() => {
        response.setHeader('content-type', 'application/json');
        response.end('{"documents":3}');
      }, 200);
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v1`;
    await run({ DOCSHARE_API_KEY: 'k', DOCSHARE_BASE_URL: base }, begun);
    expect(asked).toBe(calls);
    service.closeAllConnections();
    service.close();
  }
  const call = (id: number) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"get_usage","arguments":{}}}`;

  test.each(['the end of its input', 'SIGTERM'])('before %s ends the server', async (how) => {
    await withSlowService(2, async (env, begun) => {
      const server = start(env);
      // What a start and a first call take is not taken from the time that a call has to end.
      await server.say(`${initialize}${call(4)}\n`);
      await server.answerTo(4);
      // Without a line break: the end of the input ends the line too.
      await server.say(`${call(5)}${how === 'SIGTERM' ? '\n' : ''}`);
      if (how === 'SIGTERM') {
        await begun;
        server.child.kill('SIGTERM');
      } else server.child.stdin.end();
      expect(await once(server.child, 'close')).toEqual([0, null]);
      expect(server.messages().find(({ id }) => id === 5)).toMatchObject({
        result: { structuredContent: { documents: 3 } },
      });
    });
  });

  test('a second call with the same id is refused and not run', async () => {
    await withSlowService(1, async (env) => {
      const server = start(env);
      await server.say(`${initialize}${call(5)}\n${call(5)}\n`);
      await server.answerTo(5);
      server.child.stdin.end();
      await once(server.child, 'close');
      expect(server.messages().filter(({ id }) => id === 5)).toHaveLength(1);
      expect(server.messages().find(({ id }) => id === null)).toMatchObject({ error: { code: -32_600 } });
    });
  });
});
