/** What a host sends as the answer to a form and is none: nobody waits for its time to be over, and nothing is done. */
import { PassThrough } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveHttp } from '../../mcp/start/http.ts';
import { createStdioTransport } from '../../mcp/start/stdio-transport.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createClient } from '../../src/index.ts';
import { createFactory } from '../world/mcp-in-process.ts';

let sandbox: Sandbox;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  sandbox = await createSandbox({ data: 'empty' });
  client = createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url });
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});

const message = (id: number, method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const HELLO = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'raw', version: '1' },
});
const ASK = message(2, 'tools/call', { name: 'delete_link', arguments: { id: 'lnk_1' } });
const BROKEN = {
  structuredContent: { done: false, unanswered: true, next: expect.stringMatching(/no message/) },
};

const ANSWERS = [
  ['a text', '"result":"yes"'],
  ['null', '"result":null'],
  ['a list', '"result":[{"action":"accept","content":{"confirm":true}}]'],
  ['a box said twice', '"result":{"action":"accept","content":{"confirm":false,"confirm":true}}'],
  [
    'a box said twice, once in escapes',
    '"result":{"action":"accept","content":{"\\u0063onfirm":false,"confirm":true}}',
  ],
  ['two results', '"result":{"action":"decline"},"result":{"action":"accept","content":{"confirm":true}}'],
  [
    'a result and an error',
    '"result":{"action":"accept","content":{"confirm":true}},"error":{"code":1,"message":"no"}',
  ],
  ['neither', '"more":1'],
] as const;

test.each(ANSWERS)('over stdio %s is told at once', async (_, answer) => {
  const [input, wire] = [new PassThrough(), new PassThrough()];
  const factory = createFactory({ client, confirm: 'auto', formWaitMs: 4000 });
  const handle = serveStdio(factory, { transport: createStdioTransport(input, wire, () => undefined) });
  const heard = wire.iterator({ destroyOnReturn: false });
  const next = async () => JSON.parse(String((await heard.next()).value));
  input.write(`${HELLO}\n`);
  await next();
  input.write(`${ASK}\n`);
  const form = await next();
  expect(form.method).toBe('elicitation/create');
  input.write(`{"jsonrpc":"2.0","id":${form.id},${answer}}\n`);
  expect(await next()).toMatchObject({ id: 2, result: BROKEN });
  await handle.close();
});

test.each(ANSWERS)('over HTTP %s is told at once', async (_, answer) => {
  const factory = createFactory({ client, confirm: 'auto', formWaitMs: 4000 });
  const door = await serveHttp(factory, { host: '127.0.0.1', port: 0, onError: () => undefined });
  const post = (body: string, session = '') =>
    fetch(door.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session ? { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' } : {}),
      },
    });
  const hello = await post(HELLO);
  const session = hello.headers.get('mcp-session-id') ?? '';
  await hello.text();
  const stream = await fetch(door.url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' },
  });
  const answered = post(ASK, session).then((response) => response.text());
  for await (const chunk of stream.body ?? []) {
    const data = /^data: (.*elicitation\/create.*)$/m.exec(Buffer.from(chunk).toString())?.[1];
    if (data === undefined) continue;
    await post(`{"jsonrpc":"2.0","id":${JSON.parse(data).id},${answer}}`, session);
    break;
  }
  expect(await answered).toContain('was no message of the protocol');
  await door.close();
});

test('a call that names an argument twice is refused', async () => {
  const twice = ASK.replace('"id":"lnk_1"', '"id":"lnk_2","id":"lnk_1"');
  const [input, wire] = [new PassThrough(), new PassThrough()];
  const factory = createFactory({ client, confirm: 'auto', formWaitMs: 4000 });
  const handle = serveStdio(factory, { transport: createStdioTransport(input, wire, () => undefined) });
  input.write(`${twice}\n`);
  for await (const line of wire) {
    expect(JSON.parse(String(line))).toMatchObject({
      id: 2,
      error: { code: -32_600, message: expect.stringContaining('stands twice') },
    });
    break;
  }
  await handle.close();
});
