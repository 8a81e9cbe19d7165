import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { dial } from '../../support/dial.ts';
import { listenForTest } from '../../support/listen.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const key = sandbox.key();

/** Sends a request, or its first bytes. Reads the response until the service or the caller closes the connection. */
function sendBytes(head: string, { body = '', leaveMs }: { body?: string; leaveMs?: number } = {}) {
  return new Promise<string>((resolve) => {
    const { socket, said } = dial(sandbox.origin);
    socket.on('close', () => resolve(said()));
    socket.write(`${head.replaceAll('\n', '\r\n')}\r\n\r\n${body}`);
    if (leaveMs !== undefined) setTimeout(() => socket.destroy(), leaveMs);
  });
}

const send = (method: string, path: string, body?: object) => sendJson(sandbox, { key, method, path, body });

test('an interrupted form creates no document', async () => {
  const head = `POST /api/v1/documents HTTP/1.1\nHost: x\nAuthorization: Bearer ${key}\nContent-Type: multipart/form-data; boundary=b\nContent-Length: 100000`;
  const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-';
  await sendBytes(head, { body, leaveMs: 150 });
  await expect.poll(() => sandbox.log.entries().at(-1)?.operation).toBe('documents.create');
  expect(sandbox.log.entries().at(-1)).not.toHaveProperty('effect');
  expect((await send('GET', '/documents')).body).toEqual({ data: [], has_more: false, next_cursor: null });
});

test('an interrupted PUT uses up its URL and leaves nothing to finalize', async () => {
  const { uploadUrl, headers, storageKey, token } = (await send('POST', '/documents/uploads')).body;
  const lines = Object.entries(headers).map(([name, value]) => `\n${name}: ${value}`);
  const { pathname, search } = new URL(uploadUrl);
  const head = `PUT ${pathname}${search} HTTP/1.1\nHost: x${lines.join('')}\nContent-Length: 1000`;
  await sendBytes(head, { body: 'abc', leaveMs: 150 });
  expect((await fetch(uploadUrl, { method: 'PUT', headers, body: 'abc' })).status).toBe(403);
  expect((await send('POST', '/documents/uploads/finalize', { storageKey, token })).status).toBe(409);
});

test('the log has the size of a large body', async () => {
  await send('POST', '/documents', { name: 'Inline', content: 'QUJD'.repeat(50_000) });
  expect(sandbox.log.entries().at(-1)?.body).toMatch(/^\(\d+ characters\)$/);
});

test.each([
  ['/api/v1/documents/%E0%A4%A', 404],
  ['/storage/uploads/..%2f..%2fetc', 405],
  ['/nowhere', 404],
])('%s gets %i', async (path, status) => {
  const authorization = path.startsWith('/api') ? `\nAuthorization: Bearer ${key}` : '';
  const answer = await sendBytes(`GET ${path} HTTP/1.1\nHost: x\nConnection: close${authorization}`);
  expect(Number(answer.split(' ')[1])).toBe(status);
});

test('an endpoint that hangs delays neither other deliveries nor the close of the sandbox', async () => {
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    arrived.push(request.url ?? '');
    if (request.url !== '/hang') response.end();
  });
  const receiverUrl = await listenForTest(receiver);
  const other = await createSandbox();
  const headers = { authorization: `Bearer ${other.key()}` };
  for (const path of ['/hang', '/one', '/two']) {
    const body = JSON.stringify({ url: receiverUrl + path, events: ['link.viewed'] });
    await fetch(`${other.url}/webhooks`, { method: 'POST', headers, body });
  }
  await other.visit([...other.snapshot().state.links.keys()].at(-1) ?? '', { email: 'v@example.com' });
  await expect.poll(() => arrived.sort()).toEqual(['/hang', '/one', '/two']);
  const startedAt = performance.now();
  await other.close();
  // Long before the timeout of the delivery of 10 s.
  expect(performance.now() - startedAt).toBeLessThan(9_000);
});
