/** What a step goes on with after a run that failed half-way: what was made for the very same input, and for no other. */
import { describe, expect, test } from 'vitest';
import { sendForSignature } from '../../../../zapier/creates/send-for-signature.ts';
import { shareDocument } from '../../../../zapier/creates/share-document.ts';
import { uploadRoomFile } from '../../../../zapier/creates/upload-room-file.ts';
import { link } from '../../../../zapier/records/kinds.ts';
import { defineDropdownTrigger } from '../../../../zapier/triggers/define-list-trigger.ts';

const linkList = defineDropdownTrigger(link);

import { updatedContact } from '../../../../zapier/triggers/updated-contact.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;

/** A service that numbers its documents, and refuses what is made of the first. */
function serve() {
  let documents = 0;
  let isRefusing = true;
  const step = zapStep(({ method, path }): ZapAnswer => {
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    if (method === 'GET') return { json: [] };
    if (method === 'PUT') return { json: {} };
    if (path.startsWith('/documents')) {
      documents += 1;
      return { status: 201, json: { id: `d${documents}` } };
    }
    return isRefusing ? { status: 422, json: { message: 'Not today' } } : { status: 201, json: { id: 'x1' } };
  });
  return {
    step,
    made: () => documents,
    relent() {
      isRefusing = false;
    },
  };
}

const SIGNERS = { signers: [{ signer_email: 'ann@a.test' }] };
const STEPS = { shareDocument, uploadRoomFile, sendForSignature };
test.each<[keyof typeof STEPS, string, Item, Item]>([
  ['shareDocument', 'file', { file: 'data:,some words' }, { file: 'data:,other words' }],
  ['shareDocument', 'name', { file: 'data:,some words' }, { file: 'data:,some words', name: 'Other' }],
  ['uploadRoomFile', 'file', { file: 'data:,some words', room: 'r1' }, { file: 'data:,other words', room: 'r1' }],
  [
    'uploadRoomFile',
    'name',
    { file: 'data:,some words', room: 'r1' },
    { file: 'data:,some words', room: 'r1', name: 'O' },
  ],
  ['sendForSignature', 'file', { ...SIGNERS, file: 'data:,some words' }, { ...SIGNERS, file: 'data:,other words' }],
  [
    'sendForSignature',
    'signers',
    { ...SIGNERS, file: 'data:,some words' },
    { signers: [{ signer_email: 'bob@a.test' }], file: 'data:,some words' },
  ],
])('%s goes on with its own document, and not where the %s is another', async (name, _, input, other) => {
  const { step, made, relent } = serve();
  const run = (inputData: Item) => step.run(perform(STEPS[name]), { inputData });
  await expect(run(input)).rejects.toThrow(texts.theFileWasUploadedAs);
  await expect(run(input)).rejects.toThrow('document d1');
  expect(made()).toBe(1);
  await expect(run(other)).rejects.toThrow('document d2');
  relent();
  await run(input).catch(() => undefined);
  expect(made()).toBe(2);
});

test.each<[keyof typeof STEPS, unknown]>([
  ['shareDocument', { id: 5 }],
  ['uploadRoomFile', { name: 'x', adding: true }],
  ['sendForSignature', { draft: 5 }],
  ['sendForSignature', { document: {}, sending: true }],
  ['sendForSignature', 7],
])('%s does nothing where %j is what was left of a run: it might be done twice', async (name, kept) => {
  const { step, relent } = serve();
  const inputData = { ...SIGNERS, file: 'data:,some words', room: 'r1' };
  const run = () => step.run(perform(STEPS[name]), { inputData });
  await expect(run()).rejects.toThrow('d1');
  relent();
  for (const key of step.cache.keys()) if (key.startsWith('unfinished')) step.cache.set(key, kept);
  const before = step.calls.filter(({ method }) => method !== 'GET').length;
  await expect(run()).rejects.toThrow(texts.andItsProgressCanNo);
  expect(step.calls.filter(({ method }) => method !== 'GET')).toHaveLength(before);
});

describe.each<[keyof typeof STEPS]>([['shareDocument'], ['uploadRoomFile'], ['sendForSignature']])('%s', (name) => {
  const inputData = { ...SIGNERS, file: 'data:,some words', room: 'r1' };
  const half = async () => {
    const { step, made, relent } = serve();
    const run = () => step.run(perform(STEPS[name]), { inputData });
    await expect(run()).rejects.toThrow('d1');
    relent();
    const { get } = step.z.cache;
    const fail = (times: number) => {
      let failed = 0;
      step.z.cache.get = async (key: string) => {
        if (failed++ < times) throw new Error('down');
        return get(key);
      };
    };
    return { run, made, fail, written: () => step.calls.filter(({ method }) => method !== 'GET').length };
  };
  test('continues if its memory fails now and then', async () => {
    const { run, made, fail } = await half();
    fail(2);
    await run().catch(() => undefined);
    expect(made()).toBe(1);
  });
  test('waits while its memory cannot be read', async () => {
    const { run, made, fail, written } = await half();
    const before = written();
    fail(5);
    await expect(run()).rejects.toMatchObject({
      name: 'ThrottledError',
      message: expect.stringContaining('Nothing was done'),
    });
    expect(written()).toBe(before);
    await run().catch(() => undefined);
    expect(made()).toBe(1);
  });
});

test('a draft that was deleted is created again with its document, even if the document was not stored', async () => {
  const { step, relent } = serve();
  const run = () => step.run(perform(sendForSignature), { inputData: { ...SIGNERS, file: 'data:,some words' } });
  await expect(run()).rejects.toThrow('d1');
  relent();
  for (const key of step.cache.keys()) step.cache.set(key, { draft: { id: 'gone', messageIncluded: false } });
  await run().catch(() => undefined);
  const made = step.calls.filter(({ path, method }) => path === '/agreements' && method === 'POST').at(-1);
  expect(made?.body).toMatchObject({ document_id: 'd2' });
});

test('a step that is complete succeeds even if its memory cannot be cleared', async () => {
  const { step, relent } = serve();
  relent();
  step.z.cache.delete = () => Promise.reject(new Error('down'));
  const inputData = { file: 'data:,some words', room: 'r1' };
  expect(await step.run(perform(uploadRoomFile), { inputData })).toMatchObject({ document_id: 'd1' });
});

describe('a drop-down', () => {
  const pages = (last = 3) => {
    const step = zapStep(({ query }): ZapAnswer => {
      const at = Number(query['cursor'] ?? 0);
      return { json: { data: [{ id: `l${at}` }], ...(at < last ? { next_cursor: `${at + 1}` } : {}) } };
    });
    const page = (number: number) => step.run<Item[]>(perform(linkList), { meta: { page: number } as never });
    return { step, page };
  };
  test('asks nothing behind its end', async () => {
    const { step, page } = pages(1);
    await page(0);
    await page(1);
    expect(step.calls).toHaveLength(2);
    expect(await page(2)).toEqual([]);
    expect(step.calls).toHaveLength(2);
  });
  test('takes a cursor for its own page alone', async () => {
    const { page } = pages();
    await page(0);
    expect(await page(3)).toMatchObject([{ id: 'l3' }]);
    expect(await page(1)).toMatchObject([{ id: 'l1' }]);
  });
  test('shows its pages where the platform keeps no cursor', async () => {
    const { step, page } = pages();
    const down = () => Promise.reject(new Error('down'));
    Object.assign(step.z.cursor, { get: down, set: down });
    expect(await page(0)).toMatchObject([{ id: 'l0' }]);
    expect(await page(2)).toMatchObject([{ id: 'l2' }]);
  });
  test('stops at many pages without a choice', async () => {
    const step = zapStep(({ query }) => ({
      json: { data: [{ title: 'x' }], next_cursor: `${Number(query['cursor'] ?? 0) + 1}` },
    }));
    await step.run(perform(linkList), { meta: { page: 0 } as never });
    expect(step.calls).toHaveLength(11);
  });
  test.each(['7', 'null', '[]', '{}', '"x"', '{"page":1}', '{"page":1,"from":7}', '{"page":1,"from":{}}', '{'])(
    'walks anew where its cursor is %s',
    async (text) => {
      const { step, page } = pages();
      step.z.cursor.get = async () => text;
      expect(await page(1)).toMatchObject([{ id: 'l1' }]);
    },
  );
});

test.each<unknown>([
  7,
  'x',
  [],
  {},
  { since: 7 },
  { since: '2026-01-01', mode: 'scan' },
  { since: '2026-01-01', mode: 'scan', seen: 7, completedPasses: 'x' },
  { since: '2026-01-01', mode: 'scan', from: {} },
  { since: '2026-01-01', mode: 'scan', from: 7 },
  { since: '2026-01-01', newest: 7, top: 'x' },
])('a poll goes on where %j is what was kept', async (kept) => {
  const step = zapStep(() => ({ json: [{ id: 'c1', email: 'a@a.test', updated_at: '2026-01-02T00:00:00Z' }] }));
  const meta = { zap: { id: '1' } } as never;
  await step.run(perform(updatedContact), { meta });
  for (const key of step.cache.keys()) step.cache.set(key, kept);
  expect(await step.run<Item[]>(perform(updatedContact), { meta })).toBeInstanceOf(Array);
});
