/** A closed client: its queued calls are reported as not sent, and other clients are not affected. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createClient, createLimiter, NetworkError, type Transport } from '../../../src/index.ts';
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
