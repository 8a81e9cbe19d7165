import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, createFetchTransport, NetworkError } from '../../../src/index.ts';
import { explainConnectionError } from '../../../src/transport/explain-connection.ts';
import { openClientOf } from '../../support/listen.ts';
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
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ data: [{ id: 'l1' }] }));
  expect(await createFetchClient('https://docshare.test/api/v1').links.list().collect()).toEqual([{ id: 'l1' }]);
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

/** Serves raw sockets on a free port. Returns a client of that server. */
async function createClientOf(onSocket: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return (await openClientOf(server)).client;
}

const toResponse = (status: number, body: string, connection: string) =>
  `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: ${connection}\r\n\r\n${body}`;

test.each([401, 403, 413])('a %i that arrives while a file is being sent is reported as that error', async (status) => {
  const path = join(tmpdir(), `early-${process.pid}-${status}.pdf`);
  await writeFile(path, `%PDF-1.7\n${' '.repeat(2 * 1024 * 1024)}`);
  for (let run = 0; run < 6; run += 1) {
    const client = await createClientOf((socket) => {
      socket.once('data', () => socket.write(toResponse(status, '{}', 'close'), () => socket.destroy()));
    });
    await expect(client.upload(path, { via: 'multipart' })).rejects.toMatchObject({ status });
  }
});

test('a write after a freeze does not use a connection that the service has closed', async () => {
  const client = await createClientOf((socket) => {
    let lastAt = Date.now();
    socket.on('data', () => {
      if (Date.now() - lastAt > 1500) return socket.resetAndDestroy();
      lastAt = Date.now();
      socket.write(toResponse(201, '{"id":"c1"}', 'keep-alive'));
    });
  });
  await client.contacts.create({ email: 'a@example.org' });
  // The connection becomes idle.
  await sleep(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2200);
  expect(await client.contacts.create({ email: 'b@example.org' })).toMatchObject({ id: 'c1' });
});

test.each([
  [undefined, 'docs.test'],
  ['http://proxy.test', 'the proxy http://proxy.test'],
])('behind the proxy %s, an expired certificate is that of %s', (proxyOrigin, owner) => {
  const failure = Object.assign(new Error('TLS'), { code: 'CERT_HAS_EXPIRED', proxyOrigin });
  expect(explainConnectionError(failure, 'docs.test')).toContain(`the certificate of ${owner} has expired`);
});
