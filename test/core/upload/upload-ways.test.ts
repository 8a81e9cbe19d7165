/** Which way an upload takes where the service refuses one, and that stored bytes are never sent again. */
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type TransportRequest } from '../../../src/index.ts';

type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];
const SESSION = { uploadUrl: 'https://store.test/put', headers: { 'Content-Type': 'x' }, storageKey: 'k', token: 't' };

let clients = 0;

/** A service behind a transport of the test's own: each route answers its replies in turn, the last one again and again. */
function serve(replies: Readonly<Record<string, readonly Reply[]>>) {
  const asked: string[] = [];
  const transport = async ({ method, url, body }: TransportRequest) => {
    const route = `${method} ${new URL(url).pathname.replace('/api/v1', '')}`;
    asked.push(route);
    if (typeof body === 'object' && Symbol.asyncIterator in body) for await (const _ of body);
    const own = replies[route] ?? [[404]];
    const [status, answer, headers = {}] = own[
      Math.min(asked.filter((one) => one === route).length, own.length) - 1
    ] ?? [404];
    return { status, headers, body: Readable.from([Buffer.from(JSON.stringify(answer ?? {}))]) };
  };
  const retry = { retries: 1, baseDelayMs: 0 };
  // Its own key: the pause after a 429 holds back everybody who has the same.
  const apiKey = `upload-ways-${++clients}`;
  return { asked, client: createClient({ apiKey, baseUrl: 'https://docs.test/api/v1', transport, retry }) };
}

const MULTIPART = 'POST /documents';
const START = 'POST /documents/uploads';
const PUT = 'PUT /put';
const FINALIZE = 'POST /documents/uploads/finalize';
const small = new Blob(['small'], { type: 'application/pdf' });
const failure = (call: Promise<unknown>) => call.then(String, (error: Error) => error.constructor.name);

describe.each([404, 405, 413, 415])('where the service refuses a way with %i', (status) => {
  test('a new document takes the other', async () => {
    const { asked, client } = serve({
      [MULTIPART]: [[status]],
      [START]: [[200, SESSION]],
      [PUT]: [[200]],
      [FINALIZE]: [[200, { id: 'd' }]],
    });
    expect(await client.upload(small, { name: 'a.pdf' })).toMatchObject({ id: 'd', via: 'direct' });
    expect(asked).toEqual([MULTIPART, START, PUT, FINALIZE]);
  });

  test('a large one takes the other too, whether the session or its storage is refused', async () => {
    const large = new Blob([Buffer.alloc(5 * 1024 * 1024)]);
    for (const direct of [{ [START]: [[status]] }, { [START]: [[200, SESSION]], [PUT]: [[status]] }] as const) {
      const { client } = serve({ [MULTIPART]: [[201, { id: 'd' }]], ...direct });
      // A file too large for the storage is too large for the API.
      const isTooLarge = status === 413 && PUT in direct;
      const expected = isTooLarge ? { name: 'UploadError', status } : { id: 'd', via: 'multipart' };
      expect(await client.upload(large).catch((error: unknown) => error)).toMatchObject(expected);
    }
  });

  test('a new version has no other: it never becomes a new document', async () => {
    const { asked, client } = serve({ [MULTIPART]: [[201, { id: 'new' }]], [START]: [[status]] });
    expect(await failure(client.upload(small, { documentId: 'd' }))).toMatch(/Error$/);
    expect(asked.filter((route) => route !== START)).toEqual([]);
  });

  test('stored bytes that are not registered are pending, and not sent by the other way', async () => {
    const { asked, client } = serve({
      [MULTIPART]: [[201, { id: 'new' }]],
      [START]: [[200, SESSION]],
      [PUT]: [[200]],
      [FINALIZE]: [[status]],
    });
    const error = await client.upload(small, { via: 'auto', documentId: 'd' }).catch((one: unknown) => one);
    expect(error).toMatchObject({ pending: { storageKey: 'k', token: 't', documentId: 'd' }, status });
    expect(asked).toEqual([START, PUT, FINALIZE]);
    const large = new Blob([Buffer.alloc(5 * 1024 * 1024)]);
    asked.length = 0;
    expect(await client.upload(large).catch((one: unknown) => one)).toMatchObject({ pending: { storageKey: 'k' } });
    expect(asked).toEqual([START, PUT, FINALIZE]);
  });
});

test.each([401, 403, 409, 422, 429, 500])('a refusal with %i is no word about the way', async (status) => {
  const { asked, client } = serve({ [MULTIPART]: [[status]], [START]: [[200, SESSION]] });
  await failure(client.upload(small, { retries: 0 }));
  expect(asked.filter((route) => route !== MULTIPART)).toEqual([]);
});

test('where both ways are refused, the first refusal is told', async () => {
  const { client } = serve({ [MULTIPART]: [[413, { error: 'too large' }]], [START]: [[405]] });
  await expect(client.upload(small)).rejects.toMatchObject({ status: 413 });
});

test('a way that was asked for has no other', async () => {
  const { asked, client } = serve({ [MULTIPART]: [[413]], [START]: [[404]] });
  for (const [via, status] of [
    ['multipart', 413],
    ['direct', 404],
  ] as const)
    await expect(client.upload(small, { via })).rejects.toMatchObject({ status });
  expect(asked).toEqual([MULTIPART, START]);
});

test('a storage that fails gets a fresh session each time, and what it stored once is registered once', async () => {
  const { asked, client } = serve({
    [START]: [[200, SESSION]],
    [PUT]: [[503], [200]],
    [FINALIZE]: [[200, { id: 'd' }]],
  });
  await client.upload(small, { via: 'direct' });
  expect(asked).toEqual([START, PUT, START, PUT, FINALIZE]);
});

test('each session has all redirects of its own', async () => {
  const moved: Reply = [307, undefined, { location: 'https://store.test/put' }];
  const { asked, client } = serve({
    [START]: [[200, SESSION]],
    [PUT]: [moved, moved, moved, [503], moved, moved, moved, [200]],
    [FINALIZE]: [[200, { id: 'd' }]],
  });
  await client.upload(small, { via: 'direct' });
  expect(asked).toEqual([START, PUT, PUT, PUT, PUT, START, PUT, PUT, PUT, PUT, FINALIZE]);
});

test('if no body that starts an upload is accepted, the first rejection counts: it is about the likeliest', async () => {
  const { asked, client } = serve({ [START]: [[422], [400]] });
  await expect(client.upload(small, { via: 'direct' })).rejects.toMatchObject({ status: 422 });
  expect(asked.length).toBeGreaterThan(1);
});

test.each([{ deadlineMs: Number.NaN }, { deadlineMs: -1 }, { timeoutMs: 0 }, { retries: -1 }])(
  '%j is refused before the source is read',
  async (options) => {
    const { asked, client } = serve({});
    const source = Readable.from([Buffer.from('small')]);
    expect(await failure(client.upload(source, { via: 'direct', ...options }))).toBe('InputError');
    expect([asked, source.readableDidRead]).toEqual([[], false]);
  },
);

test.each([201, 403])('the deadline of an upload that was answered with %i holds no process', async (status) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client } = serve({ [MULTIPART]: [[status, { id: 'd' }]] });
  await failure(client.upload(small, { deadlineMs: 3_600_000 }));
  expect(vi.getTimerCount()).toBe(0);
});
