/** 2xx responses that report a failed read: an error if the body holds nothing else, otherwise a normal result. */
import { expect, test } from 'vitest';
import { UnexpectedResponseError } from '../../../src/index.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { texts } from '../texts.ts';

const WORDS = { message: 'not allowed' };
const deep = (levels: number): unknown => (levels === 0 ? 0 : { data: deep(levels - 1) });

const clientOf = (body: unknown) =>
  createReplyingClient([{ headers: { 'x-request-id': 'r7' }, body }], { apiKey: 'failed-reads-key' }).client;

/** The reads that report this response as a failure. */
async function getFailedReads(body: unknown) {
  const client = clientOf(body);
  const reads = { list: client.links.list().collect(), get: client.documents.get({ id: 'd1' }) };
  const messages = await Promise.all(Object.values(reads).map((read) => read.then(String, String)));
  return Object.keys(reads).filter((_, index) => messages[index]?.includes(texts.status200ReportsFailure));
}

const FAILURES: readonly unknown[] = [
  { success: false, ...WORDS },
  { ok: false },
  { ok: 'false', data: null },
  { Succeeded: false, Errors: [] },
  { success: false, data: 'not allowed' },
  { success: false, data: WORDS },
  { success: false, error: { details: [{ field: 'id', issue: 'unknown' }] } },
  { status: 'error', ...WORDS },
  { status: 403, title: 'Forbidden', detail: 'no', instance: '/links' },
  { code: 404, msg: 'no such thing' },
  { error: true, reason: 'quota' },
  { error: { code: null, message: 'not allowed' } },
  { error: { code: 2001, message: 'ok' } },
  { errors: ['', 'not allowed'] },
  { hasError: 'Y' },
  { data: null, errors: [WORDS] },
  { data: { link: null, room: [] }, errors: ['no permission'] },
  { response: { body: { success: false } } },
  { jsonrpc: '2.0', error: WORDS, 'trace-id': 't' },
];

test.each(FAILURES)('%j is a failure of an object and of a list', async (body) => {
  expect(await getFailedReads(body)).toEqual(['list', 'get']);
});

const EMPTY_LISTS: readonly unknown[] = [
  { success: false, data: [], total: 0, page: 1 },
  { errors: ['no permission'], result: { items: [], total: 0 } },
  { data: { result: { ok: false, items: [], total: 0 } } },
];

test.each(EMPTY_LISTS)('%j is a failure only of a list', async (body) => {
  expect(await getFailedReads(body)).toEqual(['list']);
});

const SOUND: readonly unknown[] = [
  [],
  'error',
  [{ success: false }],
  { success: true, data: [] },
  { success: null, ok: 0, ...WORDS },
  { status: 'failed', ...WORDS },
  { status: 200, ...WORDS },
  { status: ['error'] },
  { code: 0, msg: 'ok', data: [] },
  { error: null, errors: [] },
  { error: false, errors: { link: [] }, isError: 0 },
  { error: 0, errors: 3 },
  { error: { code: 'ok', message: '', log_id: '20261122' }, data: [] },
  { error: { code: 200, message: 'OK' } },
  { error: { code: null, message: 'No error' } },
  { error: ' no error ' },
  { errors: { count: 0 } },
  { errors: [null, '', {}], data: [] },
  { warnings: ['slow'], data: [] },
  { data: { link: { success: false, error: 'x' } } },
  { data: { data: { data: { success: false } } } },
];

test.each(SOUND)('%j is not a failure', async (body) => {
  expect(await getFailedReads(body)).toEqual([]);
});

const OBJECTS: readonly unknown[] = [
  { success: false, id: 'l1' },
  { id: 'l1', status: 'error', message: 'could not be converted' },
  { errors: ['no permission'], data: { id: 'l1', name: null } },
  { errors: ['one page is missing'], pages: [{ number: 1 }] },
  { errors: ['no permission'], data: [{ id: 'l1' }] },
  { success: false, data: { message: 'not allowed', id: 'l1' } },
  { error: 'late', views: 0 },
  { error: 'late', data: deep(9) },
];

test.each(OBJECTS)('%j contains an object, so it is not a failure', async (body) => {
  expect(await getFailedReads(body)).not.toContain('get');
});

test('an error nested deeper than the call stack is read', async () => {
  expect(await getFailedReads(`{"error":${'['.repeat(50_000)}${']'.repeat(50_000)},"data":[]}`)).toContain('list');
});

test.each([
  { success: false, message: 'not allowed: failed-reads-key', data: [] },
  { data: null, errors: [{ message: 'not allowed' }] },
  { status: 'error', items: [], message: 'not allowed' },
  { error: { message: 'not allowed', details: [{ field: 'x', issue: 'y' }] } },
])('%j fails every read with the message of the service and without a secret', async (body) => {
  const client = clientOf(body);
  for (const read of [client.links.list().collect(), client.documents.get({ id: 'd1' })]) {
    const error = await read.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (!(error instanceof UnexpectedResponseError)) throw new Error(`no such error: ${error}`);
    expect(error.message).toContain(texts.status200ReportsFailure);
    expect(error).toMatchObject({ status: 200, requestId: 'r7', excerpt: expect.stringContaining('not allowed') });
    expect(error.excerpt).not.toContain('failed-reads-key');
  }
});

test('the details of an error are not taken for a list', async () => {
  const body = { error: { message: 'not allowed', details: [{ field: 'x' }] }, wiki: 'https://docs.test/7' };
  await expect(clientOf(body).links.list()).rejects.toThrow('holds no list');
});

test('data beside fields about success or failure is returned', async () => {
  expect(await clientOf({ success: true, errors: [], data: [] }).links.list().collect()).toEqual([]);
  const partly = { errors: ['one is missing'], data: [{ id: 'l1' }] };
  expect(await clientOf(partly).links.list().collect()).toEqual([{ id: 'l1' }]);
  const failed = { id: 'd1', status: 'error', message: 'could not be converted' };
  expect(await clientOf(failed).documents.get({ id: 'd1' })).toMatchObject(failed);
});

test('a write with a 2xx has succeeded, whatever its body says (§7)', async () => {
  const made = await clientOf({ success: false, message: 'not now' }).links.delete({ id: 'l1' });
  expect(made).toMatchObject({ message: 'not now' });
});
