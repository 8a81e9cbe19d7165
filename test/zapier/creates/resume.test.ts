/** A run that failed halfway: the next run of the same Zap with the same input continues and repeats nothing. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { act, type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const SIGNERS = { signers: [{ signer_email: 'ann@a.test' }] };
const INPUT = { ...SIGNERS, file: 'data:,some words', room: 'r1' };
type Key = 'share_document' | 'upload_room_file' | 'send_for_signature';

/** A service that numbers its documents and responds with `status` to each use of one. */
function serve(key: Key = 'share_document', status = 422) {
  const state = { documents: 0, status, deleted: 0 };
  const step = zapStep(({ method, path }): ZapAnswer => {
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    const ids = Array.from({ length: state.documents }, (_, index) => ({ id: `d${index + 1}` }));
    if (method === 'GET') return { json: path === '/documents' ? ids.slice(state.deleted) : [] };
    if (method === 'PUT') return { json: {} };
    if (path.startsWith('/documents')) {
      state.documents += 1;
      return { status: 201, json: { id: `d${state.documents}` } };
    }
    return state.status < 400 ? { status: 201, json: { id: 'x1' } } : { status: state.status, json: { message: 'No' } };
  });
  const run = (input: Item = INPUT, bundle: object = {}) => step.act(key, input, bundle);
  const writes = () => step.calls.filter(({ method }) => method !== 'GET').length;
  return { ...step, state, run, writes };
}

test.each<[Key, Item]>([
  ['share_document', { file: 'data:,other words' }],
  ['upload_room_file', { file: 'data:,other words' }],
  ['send_for_signature', { file: 'data:,other words' }],
  ['send_for_signature', { signers: [{ signer_email: 'bob@a.test' }] }],
])('%s continues with its document, but not if the input has %j', async (key, other) => {
  const { run, state } = serve(key);
  for (let time = 0; time < 2; time++) await expect(run()).rejects.toThrow(texts.theFileWasUploadedAs);
  expect(state.documents).toBe(1);
  await expect(run({ ...INPUT, ...other })).rejects.toThrow('document d2');
  await expect(run(INPUT, { meta: { zap: { id: 'another' } } })).rejects.toThrow('document d3');
  state.status = 201;
  await run().catch(() => undefined);
  expect(state.documents).toBe(3);
});

test.each<[Key, unknown]>([
  ['share_document', { id: 5 }],
  ['upload_room_file', { name: 'x', adding: true }],
])('%s does nothing if an earlier run left the unreadable state %j', async (key, stored) => {
  const { run, cache, writes } = serve(key);
  await expect(run()).rejects.toThrow('d1');
  for (const name of cache.keys()) if (name.startsWith('unfinished')) cache.set(name, stored);
  const before = writes();
  await expect(run()).rejects.toThrow(texts.andItsProgressCanNo);
  expect(writes()).toBe(before);
});

describe.each<[Key]>([['share_document'], ['upload_room_file'], ['send_for_signature']])('%s', (key) => {
  const half = async () => {
    const service = serve(key);
    await expect(service.run()).rejects.toThrow('d1');
    service.state.status = 201;
    const { get } = service.z.cache;
    const fail = (times: number) => {
      let failed = 0;
      service.z.cache.get = async (name: string) => {
        if (failed++ < times) throw new Error('down');
        return get(name);
      };
    };
    return { ...service, fail };
  };
  test('continues if the cache fails now and then', async () => {
    const { run, state, fail } = await half();
    fail(2);
    await run().catch(() => undefined);
    expect(state.documents).toBe(1);
  });
  test('waits while the cache cannot be read', async () => {
    const { run, state, fail, writes } = await half();
    const before = writes();
    fail(5);
    expect(await outcomeOf(run())).toMatch(/^ThrottledError: .*Nothing was done/);
    expect(writes()).toBe(before);
    await run().catch(() => undefined);
    expect(state.documents).toBe(1);
  });
});

test.each<[Key, number]>([
  ['share_document', 1],
  // So that a file or an email is never sent twice.
  ['upload_room_file', 30],
])('the state of %s is stored for %i days, for this connection only', async (key, days) => {
  const { run, z } = serve(key, 500);
  const stored: unknown[] = [];
  z.cache.set = async (...args: unknown[]) => stored.push(args.slice(2)) > 0;
  await expect(run()).rejects.toThrow('d1');
  expect(stored).toContainEqual([days * 24 * 60 * 60, ['auth']]);
});

test('a draft that was deleted is created again with its document, even if the document was not stored', async () => {
  const { run, state, cache, bodyOf } = serve('send_for_signature');
  const input = { ...SIGNERS, file: 'data:,some words' };
  await expect(run(input)).rejects.toThrow('d1');
  state.status = 201;
  for (const key of cache.keys()) cache.set(key, { draft: { id: 'gone', messageIncluded: false } });
  await run(input).catch(() => undefined);
  expect(bodyOf('POST /agreements')).toMatchObject({ document_id: 'd2' });
});

test.each<[Key]>([['share_document'], ['upload_room_file'], ['send_for_signature']])(
  '%s uploads its file again if the document of the first run was deleted',
  async (key) => {
    const { run, state } = serve(key);
    await expect(run()).rejects.toThrow('d1');
    state.deleted = 1;
    await expect(run()).rejects.toThrow('d1 of an earlier run is no longer in Docshare');
    await expect(run()).rejects.toThrow('document d2');
  },
);

test('a complete step succeeds even if its state cannot be removed', async () => {
  const { run, z } = serve('upload_room_file', 201);
  z.cache.delete = () => Promise.reject(new Error('down'));
  expect(await run()).toMatchObject({ document_id: 'd1' });
});

test('a file that one room may already have is added to another room', async () => {
  const { run, state, count } = serve('upload_room_file', 500);
  await expect(run()).rejects.toThrow(texts.mayBeInTheRoom);
  state.status = 201;
  expect(await outcomeOf(run())).toMatch(new RegExp(`^HaltedError: .*${texts.soItWasNotAdded}`));
  expect(await run({ ...INPUT, room: 'r2' })).toMatchObject({ document_id: 'd2' });
  expect([count('POST /rooms/r1/files'), count('POST /rooms/r2/files')]).toEqual([1, 1]);
});

test.each<[Key, number, string, string]>([
  ['share_document', 500, 'HaltedError', texts.andItsLinkMayExist],
  ['share_document', 422, 'Error', texts.thenReplayThisRun],
  ['share_document', 401, 'ExpiredAuthError', ''],
  ['upload_room_file', 422, 'Error', 'but not in the room'],
])('%s that fails with %i after the upload rejects with the %s "%s"', async (key, status, name, words) => {
  const { run } = serve(key, status);
  expect(await outcomeOf(run())).toMatch(new RegExp(`^${name}: .*${words}`));
});

test.each<[Key, number]>([
  ['share_document', 201],
  ['upload_room_file', 500],
  ['send_for_signature', 201],
])('%s whose upload ends with an unreadable %i does not call the whole step complete', async (key, status) => {
  const answer = { status, bytes: Readable.from(['{"id":']) };
  const { outcome, writes } = await act(key, INPUT, ({ method }) => (method === 'GET' ? { json: [] } : answer));
  expect(outcome).toMatch(new RegExp(`^HaltedError: ${texts.docshareDidConfirmUpload}`));
  expect(writes).toHaveLength(1);
});

test('the unreadable start of a large upload creates nothing, and says so', async () => {
  const file = `data:text/plain,${'a'.repeat(5 * 1024 * 1024)}`;
  const { outcome } = await act('upload_document', { file }, () => ({ bytes: Readable.from(['{"uploadUrl":']) }));
  expect(outcome).toBe(`Error: ${texts.docsharesAnswerCutOff}`);
});

test('a shared document has the name that the service gave it', async () => {
  const json = { id: 'x1', name: 'Words', url: 'https://a.test/l/x1', email_required: true };
  const { outcome } = await act('share_document', INPUT, () => ({ status: 201, json }));
  expect(outcome).toMatchObject({ document_name: 'Words' });
});

test.each([
  ['No seat', 'No seat".'],
  ['No seat '.repeat(50), 'No seat …'],
])('the error of a partly done step says what to do, also after a long reason: %#', async (message, end) => {
  const rejection = { status: 422, json: { message } };
  const step = zapStep(({ path }) => (path === '/links' ? rejection : { json: { id: 'doc_1', name: 'N' } }));
  const outcome = String(await outcomeOf(step.act('share_document', { file: 'data:,Look.', email_required: true })));
  expect(outcome.length).toBeLessThan(260);
  expect(outcome).toContain('document doc_1');
  expect(outcome).toContain(`${end} Fix this, then replay this run within a day`);
});
