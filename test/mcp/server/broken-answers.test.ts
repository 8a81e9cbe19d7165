/** Malformed responses of a host to a form: the call ends at once, and nothing is done. */

import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/close-after.ts';
import { openHttpServer, readMessages, request, toolCall } from '../../support/mcp-http.ts';
import { openRawStdio } from '../../support/mcp-raw-stdio.ts';
import { texts } from '../texts.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'raw', version: '1' },
});
const ASK = toolCall(2, 'delete_link', { id: 'lnk_1' });
const BROKEN = { structuredContent: { done: false, outcome: 'not_shown' } };

const ANSWERS = [
  ['a string', '"result":"yes"'],
  ['null', '"result":null'],
  ['a list', '"result":[{"action":"accept","content":{"confirm":true}}]'],
  ['a duplicate checkbox', '"result":{"action":"accept","content":{"confirm":false,"confirm":true}}'],
  [
    'a duplicate checkbox, once escaped',
    '"result":{"action":"accept","content":{"\\u0063onfirm":false,"confirm":true}}',
  ],
  ['two results', '"result":{"action":"decline"},"result":{"action":"accept","content":{"confirm":true}}'],
  [
    'a result and an error',
    '"result":{"action":"accept","content":{"confirm":true}},"error":{"code":1,"message":"no"}',
  ],
  ['neither', '"more":1'],
] as const;

/** Malformed or unreadable JSON as the response to the form with this ID. */
const LINES: readonly (readonly [string, (id: unknown) => string | Buffer])[] = [
  ['a trailing comma', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline",}}`],
  ['truncated JSON', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"action":"acc`],
  ['invalid JSON without an ID', () => '{"jsonrpc":"2.0","result":{"action":"accept","content":{"confirm":true}},}'],
  ['an invalid number', (id) => `{"jsonrpc":"2.0","id":0${id},"result":{}}`],
  ['deeply nested lists', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`],
];
const LINES_ALONE: typeof LINES = [
  [
    'invalid UTF-8',
    (id) =>
      Buffer.from(
        `{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"confirm":true},"x":"\xff"}}`,
        'latin1',
      ),
  ],
  ['9 MB that end with an invalid number', (id) => `{"result":{"x":"${'a'.repeat(9_000_000)}"},"id":0${id}}`],
  [texts.aListOfOne, (id) => `[{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"confirm":true}}}]`],
  ['9 MB', (id) => `{"jsonrpc":"2.0","id":${id},"result":{"x":"${'a'.repeat(9_000_000)}"}}`],
  ['9 MB with the ID last', (id) => `{"result":{"x":"${'a'.repeat(9_000_000)}"},"id":${id}}`],
];

/** Opens a host over stdio that has initialized. */
async function openHost() {
  const host = await openRawStdio([], { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url });
  onTestFinished(host.close);
  host.send(initialize);
  await host.next();
  return host;
}

test.each([
  ...ANSWERS.map(([name, answer]) => [name, (id: unknown) => `{"jsonrpc":"2.0","id":${id},${answer}}`] as const),
  ...LINES,
  ...LINES_ALONE,
])('over stdio %s is reported at once', async (_, lineOf) => {
  const host = await openHost();
  host.send(ASK);
  const form = await host.next();
  expect(form.method).toBe('elicitation/create');
  host.send(lineOf(form.id));
  // No other message follows: a response gets no response.
  expect(await host.next()).toMatchObject({ id: 2, result: BROKEN });
});

test.each([...LINES, ...LINES_ALONE])(
  'over stdio %s ends neither another call of the host nor another form',
  async (_, lineOf) => {
    const host = await openHost();
    host.send({ ...ASK, id: 0 });
    const first = await host.next();
    expect(first).toMatchObject({ id: 0, method: 'elicitation/create' });
    host.send(toolCall(1, 'delete_link', { id: 'lnk_2' }));
    const second = await host.next();
    // It is unknown which of the two forms it answers.
    host.send('hello');
    expect(await host.next()).toMatchObject({ id: null, error: { code: -32_700 } });
    host.send(lineOf(77));
    // An error with this ID would end the running call that has the same ID.
    host.send(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`);
    expect(await host.next()).toMatchObject({ id: null, error: { code: -32_600 } });
    host.send(lineOf(first.id));
    const isReported = String(lineOf(first.id)) !== String(lineOf(77));
    if (isReported) expect(await host.next()).toMatchObject({ id: 0, result: BROKEN });
    host.send(`{"jsonrpc":"2.0","id":${second.id},"result":{"action":"decline"}}`);
    expect(await host.next()).toMatchObject({ id: 1, result: { structuredContent: { outcome: 'declined' } } });
  },
);

test.each([
  ...ANSWERS.map(([name, answer]) => [name, (id: unknown) => `{"jsonrpc":"2.0","id":${id},${answer}}`] as const),
  ...LINES,
  ['a string in a list', (id: unknown) => `[{"jsonrpc":"2.0","id":${id},"result":"yes"}]`] as const,
])('over HTTP %s is reported at once', async (_, lineOf) => {
  const server = await openHttpServer([], { DOCSHARE_BASE_URL: sandbox.url });
  onTestFinished(server.close);
  const key = sandbox.key();
  const session = await server.openSession({ key, forms: true });
  // The form arrives on the stream of its own call, as the host has no other stream open.
  const stream = readMessages(await server.send(ASK, { key, session }));
  const { value: form } = await stream.next();
  expect(form).toMatchObject({ method: 'elicitation/create' });
  const told = stream.next();
  await server.send(String(lineOf(form.id)), { key, session });
  expect((await told).value).toMatchObject({ id: 2, result: BROKEN });
});

test('a form response from another key is ignored, and the user’s own response counts', async () => {
  const server = await openHttpServer([], { DOCSHARE_BASE_URL: sandbox.url });
  onTestFinished(server.close);
  const [key, other] = [sandbox.key(), sandbox.key()];
  const session = await server.openSession({ key, forms: true });
  const stream = readMessages(await server.send(ASK, { key, session }));
  const { value: form } = await stream.next();
  await server.send(`{"jsonrpc":"2.0","id":${form.id},"result":{"action":"accept",}}`, { key: other, session });
  const declined = { jsonrpc: '2.0', id: form.id, result: { action: 'decline' } };
  await server.send(declined, { key, session });
  expect((await stream.next()).value).toMatchObject({ result: { structuredContent: { outcome: 'declined' } } });
});

test('a call with a duplicate argument is rejected', async () => {
  const host = await openHost();
  host.send(JSON.stringify(ASK).replace('"id":"lnk_1"', '"id":"lnk_2","id":"lnk_1"'));
  const error = { code: -32_600, message: expect.stringContaining('duplicate key') };
  expect(await host.next()).toMatchObject({ id: 2, error });
});
