import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { InputError } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createUploadClient, FINALIZE, MULTIPART, PUT, readBody, SESSION, START } from '../../support/upload-client.ts';

const small = new Blob(['small'], { type: 'application/pdf' });
const failure = async (call: Promise<unknown>) => (await failureOf(call))?.constructor.name;

describe.each([404, 405, 413, 415])('if the service rejects an upload method with %i', (status) => {
  test('a new document uses the other', async () => {
    const { routes, client } = createUploadClient({ [MULTIPART]: [[status]] });
    expect(await client.upload(small, { name: 'a' })).toMatchObject({ id: 'd', via: 'direct' });
    expect(routes).toEqual([MULTIPART, START, PUT, FINALIZE]);
  });

  test('a large document uses the other method too, whether the session or the storage rejects it', async () => {
    const large = new Blob([Buffer.alloc(5 * 1024 * 1024)]);
    for (const direct of [{ [START]: [[status]] }, { [START]: [[200, SESSION]], [PUT]: [[status]] }] as const) {
      const { client } = createUploadClient({ [MULTIPART]: [[201, { id: 'd' }]], ...direct });
      // A file too large for the storage is too large for the API.
      const isTooLarge = status === 413 && PUT in direct;
      const expected = isTooLarge ? { name: 'UploadError', status } : { id: 'd', via: 'multipart' };
      expect(await client.upload(large).catch((error: unknown) => error)).toMatchObject(expected);
    }
  });

  test('a new version has no other method: it never becomes a new document', async () => {
    const { routes, client } = createUploadClient({ [MULTIPART]: [[201, { id: 'new' }]], [START]: [[status]] });
    expect(await failure(client.upload(small, { documentId: 'd' }))).toMatch(/Error$/);
    expect(routes.filter((route) => route !== START)).toEqual([]);
  });

  test('stored bytes that are not registered are pending, and not sent by the other method', async () => {
    const { routes, client } = createUploadClient({ [MULTIPART]: [[201, { id: 'new' }]], [FINALIZE]: [[status]] });
    const error = await client.upload(small, { via: 'auto', documentId: 'd' }).catch((one: unknown) => one);
    expect(error).toMatchObject({ pending: { storageKey: 'k', token: 't', documentId: 'd' }, status });
    expect(routes).toEqual([START, PUT, FINALIZE]);
    const large = new Blob([Buffer.alloc(5 * 1024 * 1024)]);
    routes.length = 0;
    expect(await client.upload(large).catch((one: unknown) => one)).toMatchObject({ pending: { storageKey: 'k' } });
    expect(routes).toEqual([START, PUT, FINALIZE]);
  });
});

test.each([401, 403, 409, 422, 429, 500])('a rejection with %i does not change the method', async (status) => {
  const { routes, client } = createUploadClient({ [MULTIPART]: [[status]] });
  await failure(client.upload(small, { retries: 0 }));
  expect(routes.filter((route) => route !== MULTIPART)).toEqual([]);
});

test('if both methods are rejected, the first rejection is reported', async () => {
  const { client } = createUploadClient({ [MULTIPART]: [[413, { error: 'too large' }]], [START]: [[405]] });
  await expect(client.upload(small)).rejects.toMatchObject({ status: 413 });
});

test('a requested method has no fallback', async () => {
  const { routes, client } = createUploadClient({ [MULTIPART]: [[413]], [START]: [[404]] });
  for (const [via, status] of [
    ['multipart', 413],
    ['direct', 404],
  ] as const)
    await expect(client.upload(small, { via })).rejects.toMatchObject({ status });
  expect(routes).toEqual([MULTIPART, START]);
});

test('a storage that fails gets a new session each time, and a stored file is registered once', async () => {
  const { routes, client } = createUploadClient({ [PUT]: [[503], [200]] });
  await client.upload(small, { via: 'direct' });
  expect(routes).toEqual([START, PUT, START, PUT, FINALIZE]);
});

test('if every start body is rejected, the first rejection is reported: it is about the most likely body', async () => {
  const { routes, client } = createUploadClient({ [START]: [[422], [400]] });
  await expect(client.upload(small, { via: 'direct' })).rejects.toMatchObject({ status: 422 });
  expect(routes.length).toBeGreaterThan(1);
});

test.each([201, 403])('the deadline of an upload with status %i does not keep the process alive', async (status) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client } = createUploadClient({ [MULTIPART]: [[status, { id: 'd' }]] });
  await failure(client.upload(small, { deadlineMs: 3_600_000 }));
  expect(vi.getTimerCount()).toBe(0);
});

async function formOf(file: object, more: object = {}) {
  let form = '';
  const { client } = createUploadClient({
    [MULTIPART]: async (request) => {
      const bytes = await readBody(request);
      expect(request.headers['content-length']).toBe(String(bytes.byteLength));
      form = bytes.toString().replaceAll(request.headers['content-type']?.split('boundary=')[1] ?? '', '#');
      return [201, { id: 'd' }];
    },
  });
  const part = { name: 'a.pdf', type: 'application/pdf', size: 4, stream: () => Readable.from([Buffer.from('%PDF')]) };
  await client.documents.create({ name: 'Deck', ...more, file: { ...part, ...file } });
  return form;
}

test.each<[string, object, string]>([
  ['a quotation mark', { name: 'a".pdf' }, 'filename="a%22.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF'],
  ['a line break', { name: 'a\r\nx: 1' }, 'filename="a%0D%0Ax: 1"\r\n'],
  ['a type with a line break', { type: 'text/plain\r\nx: 1' }, 'content-type: text/plainx: 1\r\n\r\n'],
  ['no type', { type: '' }, 'content-type: application/octet-stream\r\n\r\n'],
  ['no name', { name: '' }, 'filename="Deck"\r\n'],
])('a file with %s stays in its part', async (_, more, line) => {
  expect(await formOf(more)).toContain(line);
});

test.each<object>([{ size: '4' }, { type: undefined }, { stream: 'bytes' }])('%j is no file to send', async (more) => {
  await expect(formOf(more)).rejects.toThrow(InputError);
});

test('a form has its text fields before the file, and one part for each item of a list', async () => {
  const form = await formOf({}, { tags: ['a', 'b'], 'a"b': { c: 1 }, none: null });
  expect(form.match(/(?<=; name=")[^"]*/g)).toEqual(['name', 'tags', 'tags', 'a%22b', 'none', 'file']);
  expect(form).toContain('name="a%22b"\r\n\r\n{"c":1}\r\n');
});
