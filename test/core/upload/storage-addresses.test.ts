/** What goes to the addresses of a storage, and how far a storage may send us on. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createClient, NetworkError, type TransportRequest, UploadError } from '../../../src/index.ts';

let clients = 0;

/** A service that names one address for all, and a storage that answers as the test says. */
function serve(
  session: { readonly [name: string]: string },
  store: (times: number) => { status: number; headers: Record<string, string> },
) {
  const stored: TransportRequest[] = [];
  const transport = async (request: TransportRequest) => {
    const { url, body } = request;
    if (typeof body === 'object' && Symbol.asyncIterator in body) for await (const _ of body);
    const isStore = url.startsWith('https://store.test/');
    if (isStore) stored.push(request);
    const answer = isStore ? store(stored.length) : { status: 200, headers: { 'content-type': 'application/json' } };
    const given = { uploadUrl: 'https://store.test/1', url: 'https://store.test/1', headers: session };
    const text = JSON.stringify({ ...given, storageKey: 'k', token: 't', id: 'd' });
    return { ...answer, body: Readable.from([Buffer.from(text)]) };
  };
  const apiKey = `storage-addresses-${++clients}`;
  const retry = { retries: 0, baseDelayMs: 0 };
  return { stored, client: createClient({ apiKey, baseUrl: 'https://docs.test/api/v1', transport, retry }) };
}

/** Another address each time; one that goes on too long ends, so that a test does. */
const sendOn = (status: number) => (times: number) =>
  times > 20 ? { status: 200, headers: {} } : { status, headers: { location: `https://store.test/${times}` } };

test('the length that is sent is that of the file, whatever the service says among the signed headers', async () => {
  const signed = { 'Content-Length': '999', 'Content-Type': 'text/plain', 'x-signed': 'yes' };
  const { client, stored } = serve(signed, () => ({ status: 200, headers: {} }));
  await client.upload(new Blob(['small']), { via: 'direct' });
  expect(stored.map(({ headers }) => headers)).toEqual([
    { 'content-length': '5', 'content-type': 'text/plain', 'x-signed': 'yes' },
  ]);
});

test('a storage that sends an upload on without an end gets the bytes four times and no more', async () => {
  const { client, stored } = serve({}, sendOn(307));
  await expect(client.upload(new Blob(['small']), { via: 'direct' })).rejects.toThrow(UploadError);
  expect(stored).toHaveLength(4);
});

test('a storage that sends a download on without an end is asked five times and no more', async () => {
  const { client, stored } = serve({}, sendOn(302));
  const download = await client.agreements.document({ id: 'a' });
  await expect(download.open()).rejects.toThrow(NetworkError);
  expect(stored).toHaveLength(5);
});
