import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandbox, sandboxForTests } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { texts } from '../texts.ts';

const sandbox = sandboxForTests({ beforeAll, beforeEach, afterAll });

const call = async (method: string, path: string, body?: object) =>
  (await sendJson(sandbox(), { key: sandbox().key(), method, path, body })).body;

test('waits for a request by its operation, its method and path, or its status', async () => {
  const { log } = sandbox();
  const waiting = [
    log.waitFor({ operation: 'rooms.create' }),
    log.waitFor({ method: 'post', path: '/rooms' }),
    log.waitFor({ path: '/api/v1/ro*', status: 201 }),
  ];
  await call('GET', '/rooms');
  await call('POST', '/rooms', { name: 'R' });
  const [first, ...others] = await Promise.all(waiting);
  expect(first).toMatchObject({ operation: 'rooms.create', status: 201, body: { name: 'R' } });
  expect(others).toEqual([first, first]);
  // Existing entries match at once, unless only later ones are requested.
  expect(await log.waitFor({ operation: 'rooms.create' }, { timeoutMs: 0 })).toBe(first);
  await expect(log.waitFor({ operation: 'rooms.create', after: first?.id ?? '' }, { timeoutMs: 20 })).rejects.toThrow(
    /No request .*rooms\.create.* arrived within 20 ms. Last requests: GET \/api\/v1\/rooms 200/,
  );
});

test('closing the sandbox ends a wait with an error at once', async () => {
  const closing = await createSandbox({ data: 'empty' });
  // Longer than the timeout of the test.
  const wait = () => closing.log.waitFor({ operation: 'rooms.list' }, { timeoutMs: 600_000 });
  const waiting = wait().catch((error: Error) => error.message);
  await closing.close();
  const words = texts.requestedRoomsList;
  expect(await waiting).toBe(words);
  await expect(wait()).rejects.toThrow(words);
});

test.each([2 ** 31, Number.POSITIVE_INFINITY])('a wait of %d ms lasts until the request arrives', async (timeoutMs) => {
  const { log } = sandbox();
  const waiting = log.waitFor({ operation: 'rooms.list' }, { timeoutMs });
  // More than the maximum delay of a timer in milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await call('GET', '/rooms');
  expect(await waiting).toMatchObject({ operation: 'rooms.list', status: 200 });
});

test('the log has the responses, without secrets', async () => {
  const webhook = await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'], secret: 'my-secret' });
  const upload = await call('POST', '/documents/uploads', { filename: 'a.pdf' });
  await fetch(upload.uploadUrl, { method: 'PUT', headers: upload.headers, body: 'abc' });
  const { id } = await call('POST', '/documents/uploads/finalize', upload);
  const { download_url } = await call('GET', `/documents/${id}`);
  await fetch(download_url);
  await call('POST', '/links', { document_id: id, password: 'let me in' });
  expect((await fetch(`${sandbox().origin}/_sandbox/keys`, { method: 'POST' })).status).toBe(201);
  const text = JSON.stringify(sandbox().log.entries());
  const secrets = [webhook.secret, upload.token, sandbox().key(), 'let me in', 'my-secret'];
  for (const address of [upload.uploadUrl, download_url])
    secrets.push(new URL(address).searchParams.get('X-Amz-Signature'));
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(await sandbox().log.waitFor({ operation: 'documents.get' })).toMatchObject({
    response: { headers: { 'content-type': 'application/json' }, body: { id, size: 3 } },
  });
  expect(await sandbox().log.waitFor({ method: 'GET', path: '/storage/*' })).toMatchObject({
    response: { body: '(a file)' },
  });
});

test('no entry contains the token of a visit, from its cookie or its URL', async () => {
  const document = await call('POST', '/documents', { name: 'D', content: 'aGk=' });
  const link = await call('POST', '/links', { document_id: document.id });
  const { headers } = await fetch(link.url, { redirect: 'manual' });
  const pass = /\/v\/[\w-]+\.([\w-]+)/.exec(headers.get('location') ?? '')?.[1] ?? '';
  expect(pass).toMatch(/^[\w-]{20,}$/);
  await fetch(new URL(headers.get('location') ?? '', link.url));
  const entries = sandbox().log.entries();
  expect(entries.some(({ path }) => path.startsWith('/v/'))).toBe(true);
  expect(JSON.stringify(entries)).not.toContain(pass);
});

test('faults apply to pages, before and after they run', async () => {
  const { faults, log } = sandbox();
  const document = await call('POST', '/documents', { name: 'D', content: 'aGk=' });
  const link = await call('POST', '/links', { document_id: document.id });
  const views = async () => (await call('GET', `/analytics/links/${link.id}`)).views;
  const path = new URL(link.url).pathname;
  const end = faults.add({ path: '/l/*', status: 503, headers: { 'retry-after': '1' } });
  const refused = await fetch(link.url);
  expect([refused.status, refused.headers.get('retry-after'), await views()]).toEqual([503, '1', 0]);
  end();
  const lost = faults.add({ path, cut: 'reset', when: 'after' });
  await expect(fetch(link.url)).rejects.toThrow();
  expect(await views()).toBe(1);
  lost();
  const short = faults.add({ path: '/v/*', truncate: 10, when: 'after' });
  await expect(fetch(link.url).then((page) => page.text())).rejects.toThrow('terminated');
  short();
  const half = faults.add({ path: '/storage/*', truncate: 1 });
  const { download_url } = await call('GET', `/documents/${document.id}`);
  const { body } = await fetch(download_url);
  const received: number[] = [];
  const read = async () => {
    for await (const chunk of body ?? []) received.push(...chunk);
  };
  await expect(read()).rejects.toThrow('terminated');
  expect(received).toEqual([...Buffer.from('h')]);
  half();
  expect(await log.waitFor({ path, status: 503 })).toMatchObject({ route: 'GET page', fault: true });
  expect(await log.waitFor({ path, status: 0 })).toMatchObject({ fault: true });
  faults.clear();
  expect((await fetch(link.url)).status).toBe(200);
});

test('the sandbox is in its initial state before each test', async () => {
  expect(sandbox().log.entries()).toEqual([]);
  expect((await call('GET', '/rooms')).data).toHaveLength(2);
});
