import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';
import { listenForTest } from '../../support/listen.ts';
import { initialize, request, toolCall } from '../../support/mcp-http.ts';
import { type Message, openRawStdio } from '../../support/mcp-raw-stdio.ts';
import { startMcp } from '../../support/run-mcp.ts';

const MAX_LINE_BYTES = 8 * 1024 * 1024;

describe('an invalid line gets an error, and the next one works', () => {
  let host: Awaited<ReturnType<typeof openRawStdio>>;
  beforeAll(async () => {
    host = await openRawStdio();
    host.send(initialize());
    await host.next();
    return host.close;
  });
  let next = 100;
  const ping = JSON.stringify(request(7, 'ping'));
  const padded = (bytes: number) => `${ping}${' '.repeat(bytes - ping.length)}`;

  test.each([
    ['invalid JSON', 'not json', -32_700, null],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), -32_700, null],
    ['an invalid method with an ID', '{"jsonrpc":"2.0","id":41,"method":["x"]}', -32_600, 41],
    ['another JSON-RPC version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32_600, 'a'],
    ['a batch', `[${ping}]`, -32_600, null],
    [
      'a deeply nested message',
      `{"jsonrpc":"2.0","id":43,"method":"ping","params":{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}}`,
      -32_600,
      43,
    ],
    ['one byte too many', padded(MAX_LINE_BYTES + 1), -32_600, null],
  ])('%s', async (_, line, code, id) => {
    host.send(line);
    expect(await host.next()).toMatchObject({ id, error: { code } });
    next += 1;
    host.send(request(next, 'ping'));
    expect(await host.next()).toEqual({ jsonrpc: '2.0', id: next, result: {} });
  });

  test('blank lines, CRLF and the maximum length are accepted', async () => {
    host.send(`\n\r\n  \n${ping}\r`);
    expect(await host.next()).toMatchObject({ id: 7, result: {} });
    host.send(padded(MAX_LINE_BYTES).replace('7', '8'));
    expect(await host.next()).toMatchObject({ id: 8, result: {} });
  });
});

describe('running calls get their response', () => {
  /** Opens a service that responds after 200 ms. */
  async function openSlowService() {
    let requests = 0;
    const service = createServer((_, response) => {
      requests += 1;
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"documents":3}'), 200);
    });
    const env = { DOCSHARE_API_KEY: 'k', DOCSHARE_BASE_URL: `${await listenForTest(service)}/api/v1` };
    return { env, requests: () => requests };
  }
  const DONE = { result: { structuredContent: { documents: 3 } } };

  test.each(['the end of its input', 'SIGTERM'])('before %s ends the server', async (how) => {
    const { env, requests } = await openSlowService();
    const { child, output } = startMcp(['--state', 'memory'], { env });
    const call = (id: number) => JSON.stringify(toolCall(id, 'get_usage'));
    // The first call warms the server up, so that its time does not count towards the shutdown timeout.
    child.stdin.write(`${JSON.stringify(initialize())}\n${call(4)}\n`);
    await expect.poll(() => output.stdout).toContain('"id":4');
    // Without a line break: closing the input ends the line too.
    child.stdin.write(`${call(5)}${how === 'SIGTERM' ? '\n' : ''}`);
    if (how === 'SIGTERM') {
      await expect.poll(requests).toBe(2);
      child.kill('SIGTERM');
    } else child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
    const messages: Message[] = output.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.find(({ id }) => id === 5)).toMatchObject(DONE);
  });

  test('a second call with the same ID is rejected and not run', async () => {
    const { env, requests } = await openSlowService();
    const host = await closeAfterTest(openRawStdio([], env));
    host.send(initialize());
    await host.next();
    for (const _ of [1, 2]) host.send(toolCall(5, 'get_usage'));
    expect(await host.next()).toMatchObject({ id: null, error: { code: -32_600 } });
    expect(await host.next()).toMatchObject({ id: 5, ...DONE });
    expect(requests()).toBe(1);
  });
});
