/** A closed client: its queued calls are reported as not sent, each running one rejects with the same code, and other clients are not affected. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  type Client,
  createClient,
  createLimiter,
  defineClient,
  NetworkError,
  type Transport,
  type TransportResponse,
} from '../../../src/index.ts';
import { texts } from '../texts.ts';

/**
 * Two clients that share a limiter and a transport. The window is much longer than a slow machine needs between two
 * lines.
 */
function openTwo(limiter = createLimiter({ requests: 1, windowMs: 4_000 })) {
  const sent: string[] = [];
  const transport: Transport = async ({ method, url }) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return { status: 200, headers: {}, body: Readable.from([Buffer.from('{"data":[]}')]) };
  };
  const options = { apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter };
  return { sent, clients: [createClient(options), createClient(options)] as const };
}

const failureOf = (call: PromiseLike<unknown>) => Promise.resolve(call).then(String, (error: unknown) => error);

const closed = (message: string) => expect.objectContaining({ name: 'NetworkError', code: 'CLIENT_CLOSED', message });

test("close() ends queued calls at once as not sent; another client's calls continue", async () => {
  const { sent, clients } = openTwo();
  const [client, other] = clients;
  await client.documents.list();
  const waiting = [
    client.links.list(),
    client.agreements.send({ id: 'a' }, { deadlineMs: 60_000 }),
    client.rooms.list({}, { signal: new AbortController().signal }),
  ].map(failureOf);
  const others = other.contacts.list();
  await client.close();
  expect(await Promise.all(waiting)).toEqual([
    closed(texts.linksListSentBecause),
    closed(texts.agreementsSendSentBecause),
    closed(texts.roomsListSentBecause),
  ]);
  await others;
  expect(sent).toEqual(['GET /api/v1/documents', 'GET /api/v1/contacts']);
});

test('a call after close() is not sent, and close() may be called twice', async () => {
  const { sent, clients } = openTwo();
  const [client] = clients;
  await client.close();
  await client.close();
  expect(await failureOf(client.links.create({ document_id: 'd' }))).toBeInstanceOf(NetworkError);
  expect(sent).toEqual([]);
});

test('a call in the pause before a retry is reported as not sent again', async () => {
  const retried = Promise.withResolvers<unknown>();
  const client = createClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter(),
    transport: async () => ({ status: 503, headers: { 'retry-after': '30' }, body: Readable.from([]) }),
    hooks: { onRetry: retried.resolve },
  });
  const call = failureOf(client.documents.list());
  await retried.promise;
  await client.close();
  expect(await call).toEqual(closed(texts.documentsListSentAgain));
});

const openOver = (transport: Transport) =>
  defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter: createLimiter() });
const never = () => new Promise<never>(() => undefined);

/** Closes the client while a call runs, and returns the end of the call. */
async function closeDuring(transport: Transport, start: (client: Client) => PromiseLike<unknown>): Promise<unknown> {
  const client = openOver(transport);
  const call = failureOf(start(client));
  await new Promise(setImmediate);
  await client.close();
  return call;
}

test('close() ends running calls even if the transport ignores its signal', async () => {
  const client = openOver(never);
  const calls = [client.links.list(), client.contacts.create({ email: 'a@example.com' })].map(failureOf);
  await new Promise(setImmediate);
  await client.close();
  expect(await Promise.all(calls)).toEqual([
    expect.objectContaining({ name: 'NetworkError', code: 'CLIENT_CLOSED' }),
    expect.objectContaining({
      name: 'UnknownOutcomeError',
      code: 'CLIENT_CLOSED',
      message: expect.stringContaining(texts.clientClosedBeforeResponse),
    }),
  ]);
});

test('a response that arrives after close() is released', async () => {
  const late = Promise.withResolvers<TransportResponse>();
  await closeDuring(
    () => late.promise,
    (client) => client.links.list(),
  );
  const body = Readable.from([Buffer.from('{}')]);
  late.resolve({ status: 200, headers: {}, body });
  await expect.poll(() => body.destroyed).toBe(true);
});

test('a write whose response is cut off by close() names close() as the cause', async () => {
  const body = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const respond = async () => ({ status: 201, headers: {}, body });
  expect(await closeDuring(respond, (client) => client.links.create({ document_id: 'd' }))).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*because the client was closed.*Don't repeat it/),
  });
});

test('a write that the transport reports as unsent does not have an unknown outcome', async () => {
  const unsent = Object.assign(new Error('still connecting'), { unsent: true });
  const respond: Transport = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(unsent)));
  expect(await closeDuring(respond, (client) => client.contacts.create({ email: 'a@x.test' }))).toMatchObject({
    name: 'NetworkError',
    code: 'CLIENT_CLOSED',
    message: expect.stringContaining('nothing was sent'),
  });
});

test('a write whose result is being fetched during close() has succeeded', async () => {
  const moved = { status: 303, headers: { location: '/api/v1/links/l1' }, body: Readable.from([]) };
  const respond: Transport = async ({ method }) => (method === 'POST' ? moved : never());
  expect(await closeDuring(respond, (client) => client.links.create({ document_id: 'd' }))).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*was not read, because the client was closed/),
  });
});
