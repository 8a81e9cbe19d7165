/** What a host sends as the answer to a form and is none: nobody waits for its time to be over, and nothing is done. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpServer } from '../../mcp/server/http-server.ts';
import { createStdioTransport } from '../../mcp/server/stdio-transport.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createClient } from '../../src/index.ts';
import { createFactory } from '../support/mcp-in-process.ts';
import { texts } from './texts.ts';

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

const message = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const HELLO = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'raw', version: '1' },
});
const ASK = message(2, 'tools/call', { name: 'delete_link', arguments: { id: 'lnk_1' } });
const BROKEN = { structuredContent: { done: false, outcome: 'not_shown' } };

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

/** Texts that are no JSON, or none that is read, as the answer to the form of this id. */
const LINES: readonly (readonly [string, (id: unknown) => string | Buffer])[] = [
  ['a comma too many', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline",}}`],
  ['a text that is cut short', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"action":"acc`],
  ['a text without its id', () => '{"jsonrpc":"2.0","result":{"action":"accept","content":{"confirm":true}},}'],
  ['a number that JSON has not', (id) => `{"jsonrpc":"2.0","id":0${id},"result":{}}`],
  ['lists within lists', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`],
];
const LINES_ALONE: typeof LINES = [
  [
    'what is no UTF-8',
    (id) =>
      Buffer.from(
        `{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"confirm":true},"x":"\xff"}}`,
        'latin1',
      ),
  ],
  ['9 MB with a number last that is none', (id) => `{"result":{"x":"${'a'.repeat(9_000_000)}"},"id":0${id}}`],
  [texts.aListOfOne, (id) => `[{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"confirm":true}}}]`],
  ['9 MB', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":"${'a'.repeat(9_000_000)}"}}`],
  ['9 MB with the id last', (id) => `{"result":{"x":"${'a'.repeat(9_000_000)}"},"id":${id}}`],
];

/** A host over stdio that has said hello, and what it hears. */
async function openLines() {
  const [input, wire] = [new PassThrough(), new PassThrough()];
  const factory = createFactory({ client, confirm: 'auto', forms: true, formWaitMs: 40_000 });
  const handle = serveStdio(factory, { transport: createStdioTransport(input, wire, () => undefined) });
  const heard = createInterface({ input: wire })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await heard.next()).value));
  const say = (line: string | Buffer) => {
    input.write(line);
    input.write('\n');
  };
  say(HELLO);
  await next();
  return { say, next, close: () => handle.close() };
}

test.each([
  ...ANSWERS.map(([name, answer]) => [name, (id: unknown) => `{"jsonrpc":"2.0","id":${id},${answer}}`] as const),
  ...LINES,
  ...LINES_ALONE,
])('over stdio %s is told at once', async (_, lineOf) => {
  const host = await openLines();
  host.say(ASK);
  const form = await host.next();
  expect(form.method).toBe('elicitation/create');
  host.say(lineOf(form.id));
  // Nothing else is said of it: an answer is not answered.
  expect(await host.next()).toMatchObject({ id: 2, result: BROKEN });
  await host.close();
});

test.each([...LINES, ...LINES_ALONE])(
  'over stdio %s ends no call of the host’s own, nor the form of another',
  async (_, lineOf) => {
    const host = await openLines();
    const own = { name: 'delete_link', arguments: { id: 'lnk_1' } };
    host.say(message(0, 'tools/call', own));
    const first = await host.next();
    expect(first).toMatchObject({ id: 0, method: 'elicitation/create' });
    host.say(message(1, 'tools/call', { ...own, arguments: { id: 'lnk_2' } }));
    const second = await host.next();
    host.say(lineOf(77));
    // Of a call of this number, which runs, it would be the answer.
    host.say(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`);
    expect(await host.next()).toMatchObject({ id: null, error: { code: -32_600 } });
    host.say(lineOf(first.id));
    const isTold = String(lineOf(first.id)) !== String(lineOf(77));
    if (isTold) expect(await host.next()).toMatchObject({ id: 0, result: BROKEN });
    host.say(`{"jsonrpc":"2.0","id":${second.id},"result":{"action":"decline"}}`);
    expect(await host.next()).toMatchObject({ id: 1, result: { structuredContent: { outcome: 'declined' } } });
    await host.close();
  },
);

test.each([
  ...ANSWERS.map(([name, answer]) => [name, (id: unknown) => `{"jsonrpc":"2.0","id":${id},${answer}}`] as const),
  ...LINES,
  ['a text in a list', (id: unknown) => `[{"jsonrpc":"2.0","id":${id},"result":"yes"}]`] as const,
])('over HTTP %s is told at once', async (_, lineOf) => {
  const factory = createFactory({ client, confirm: 'auto', forms: true, formWaitMs: 40_000 });
  const door = await startHttpServer(factory, { host: '127.0.0.1', port: 0, onError: () => undefined });
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
  // The form comes on the stream of its own call: the host keeps no other.
  const call = await post(ASK, session);
  let said = '';
  for await (const chunk of call.body ?? []) {
    said += Buffer.from(chunk);
    const form = /^data: (.*elicitation\/create.*)$/m.exec(Buffer.from(chunk).toString())?.[1];
    if (form !== undefined) await post(String(lineOf(JSON.parse(form).id)), session);
  }
  expect(said).toContain('not_shown');
  await door.close();
});

test('a call that names an argument twice is refused', async () => {
  const twice = ASK.replace('"id":"lnk_1"', '"id":"lnk_2","id":"lnk_1"');
  const [input, wire] = [new PassThrough(), new PassThrough()];
  const factory = createFactory({ client, confirm: 'auto', forms: true, formWaitMs: 4000 });
  const handle = serveStdio(factory, { transport: createStdioTransport(input, wire, () => undefined) });
  input.write(`${twice}\n`);
  for await (const line of wire) {
    expect(JSON.parse(String(line))).toMatchObject({
      id: 2,
      error: { code: -32_600, message: expect.stringContaining('duplicate key') },
    });
    break;
  }
  await handle.close();
});
