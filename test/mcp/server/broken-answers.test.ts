/** Malformed responses of a host to a form: the call ends at once, and nothing is done. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openHttpServer, readMessages, request, toolCall } from '../../support/mcp-http.ts';
import { openRawStdio } from '../../support/mcp-raw-stdio.ts';

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
  ['a second checkbox, escaped', '"result":{"action":"accept","content":{"\\u0063onfirm":false,"confirm":true}}'],
  ['two results', '"result":{"action":"decline"},"result":{"action":"accept","content":{"confirm":true}}'],
  ['result and error', '"result":{"action":"accept","content":{"confirm":true}},"error":{"code":1,"message":"no"}'],
] as const;

/** Opens a host over stdio that has initialized. */
async function openHost() {
  const host = await closeAfterTest(
    openRawStdio([], { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url }),
  );
  host.send(initialize);
  await host.next();
  return host;
}

test.each(ANSWERS)('over stdio %s is reported at once', async (_, answer) => {
  const host = await openHost();
  host.send(ASK);
  const form = await host.next();
  expect(form.method).toBe('elicitation/create');
  host.send(`{"jsonrpc":"2.0","id":${form.id},${answer}}`);
  // No other message follows: a response gets no response.
  expect(await host.next()).toMatchObject({ id: 2, result: BROKEN });
});

test('over stdio an unreadable line ends neither a running call nor a form', async () => {
  const host = await openHost();
  host.send({ ...ASK, id: 0 });
  const form = await host.next();
  expect(form).toMatchObject({ id: 0, method: 'elicitation/create' });
  host.send(`{"jsonrpc":"2.0","id":${form.id},"result":{"action":"decline",}}`);
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32_700 } });
  // An error with this ID would end the running call that has the same ID.
  host.send(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`);
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32_600 } });
  host.send(`{"jsonrpc":"2.0","id":${form.id},"result":{"action":"decline"}}`);
  expect(await host.next()).toMatchObject({ id: 0, result: { structuredContent: { outcome: 'declined' } } });
});

test.each(ANSWERS)('over HTTP %s is reported at once', async (_, answer) => {
  const server = await closeAfterTest(openHttpServer([], { DOCSHARE_BASE_URL: sandbox.url }));
  const key = sandbox.key();
  const session = await server.openSession({ key, forms: true });
  // The form arrives on the stream of its own call, as the host has no other stream open.
  const stream = readMessages(await server.send(ASK, { key, session }));
  const { value: form } = await stream.next();
  expect(form).toMatchObject({ method: 'elicitation/create' });
  const outcome = stream.next();
  await server.send(`{"jsonrpc":"2.0","id":${form.id},${answer}}`, { key, session });
  expect((await outcome).value).toMatchObject({ id: 2, result: BROKEN });
});

test('a call with a duplicate argument is rejected', async () => {
  const host = await openHost();
  host.send(JSON.stringify(ASK).replace('"id":"lnk_1"', '"id":"lnk_2","id":"lnk_1"'));
  const error = { code: -32_600, message: expect.stringContaining('duplicate key') };
  expect(await host.next()).toMatchObject({ id: 2, error });
});
