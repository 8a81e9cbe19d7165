/** The `fetch` transport, against real servers. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, createFetchTransport, NetworkError } from '../../../src/index.ts';
import { startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const createFetchClient = (baseUrl: string) => {
  const client = createClient({ apiKey: 'key', baseUrl, transport: createFetchTransport() });
  onTestFinished(() => client.close());
  return client;
};

test.each([1000, 9 * 1024 * 1024])('a file of %i bytes arrives complete, with its content length', async (size) => {
  const service = await startUploadService();
  const client = createFetchClient(service.client.baseUrl);
  expect(await client.upload(new Uint8Array(size).fill(1), { name: 'a.bin' })).toMatchObject({ sizeBytes: size });
  const sent = service.log.find(({ body }) => body.byteLength >= size);
  expect(sent?.headers['content-length']).toBe(String(sent?.body.byteLength));
});

test('a replaced global fetch receives the requests', async () => {
  const client = createFetchClient('https://docshare.test/api/v1');
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ data: [{ id: 'l1' }] }));
  onTestFinished(() => fetch.mockRestore());
  expect(await client.links.list().collect()).toEqual([{ id: 'l1' }]);
  expect(fetch).toHaveBeenCalledOnce();
});

test('a write that no service received is reported as not sent', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await expect(
    createFetchClient(`http://127.0.0.1:${port}/api/v1`).contacts.create({ email: 'a@b.example' }),
  ).rejects.toThrow(NetworkError);
});

test('a call to a port without a server is tried only twice, because each attempt counts against the limit', async () => {
  const retries: number[] = [];
  const client = createClient({
    apiKey: 'nobody-listens',
    // Port 1 is reserved and closed.
    baseUrl: 'http://127.0.0.1:1/api/v1',
    retry: { baseDelayMs: 1 },
    hooks: { onRetry: ({ attempt }) => retries.push(attempt) },
  });
  const failure = await client.billing.usage().catch((error: unknown) => error);
  await client.close();
  expect(failure).toBeInstanceOf(NetworkError);
  expect(String(failure)).toMatch(texts.couldReachedHttp127);
  expect(retries).toEqual([1]);
});
