/** Send for Signature: each request is sent once, whatever an earlier run has done and however this run fails. */
import { describe, expect, test } from 'vitest';
import {
  type CodedError,
  getOperation,
  type Item,
  outcomeOf,
  type ZapAnswer,
  type ZapStep,
  zapStep,
} from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const PEOPLE = [{ email: 'ann@a.test' }];
const DRAFT = { id: 'a1', status: 'draft', messageIncluded: false };
const DOCUMENT = { id: 'd1', name: 'NDA' };
const CREATE = 'POST /agreements';
const SEND = 'POST /agreements/a1/send';
const FILE = { file: 'data:,some words' };

interface SigningScript {
  /** State stored by an earlier run. */
  readonly left?: unknown;
  readonly source?: Item;
  readonly isStoring?: boolean;
  /** Responses to the list of agreements, a creation, a send, and an upload. */
  readonly list?: ZapAnswer;
  readonly create?: ZapAnswer;
  readonly send?: ZapAnswer;
  readonly store?: ZapAnswer;
}
const listed = (more: Item = {}): ZapAnswer => ({
  json: { data: [{ id: 'a1', status: 'draft', recipients: PEOPLE, ...more }] },
});
const NONE: ZapAnswer = { json: { data: [] } };
const HIDDEN: ZapAnswer = { status: 403, json: { message: 'missing scope' } };
const failing = (status: number): ZapAnswer => ({ status, json: { message: 'Not today' } });
const created = (more: Item = {}): ZapAnswer => ({
  status: 201,
  json: { id: 'a1', status: 'Draft', recipients: PEOPLE, ...more },
});

/** One run: its result or error, its write requests, and the states that it stored, in order. */
async function signOnce({ left, source = { template: 't1' }, isStoring = true, ...responses }: SigningScript = {}) {
  let answers = responses;
  const step = zapStep(({ method, path }): ZapAnswer => {
    const { list = listed(), create = created(), send = { json: { ok: true } } } = answers;
    if (method === 'GET') return list;
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    // Only an upload to the storage creates documents without an ID.
    if (path === '/documents') return { status: 415, json: {} };
    if (method === 'PUT') return { json: {} };
    if (path.startsWith('/documents')) return answers.store ?? { status: 201, json: DOCUMENT };
    return path === '/agreements' ? create : send;
  });
  const inputData = { name: 'NDA', signers: [{ signer_email: 'ann@a.test' }], fields: { due: 'soon' }, ...source };
  const run = () => step.act('send_for_signature', inputData);
  if (left !== undefined) await leaveState(step, run, left);
  const stored = watchStates(step, isStoring);
  answers = responses;
  const { shown, error } = await run().then(
    (shown) => ({ shown, error: undefined }),
    (error: CodedError) => ({ shown: undefined, error }),
  );

  /** Makes a first run fail after it created a draft without signers, and replaces its stored state. */
  async function leaveState({ cache, calls }: ZapStep, first: () => Promise<unknown>, state: unknown) {
    answers = { create: created({ recipients: [] }), list: listed({ recipients: [] }) };
    await first().catch(() => undefined);
    for (const key of cache.keys()) cache.set(key, state);
    calls.length = 0;
  }
  const did = step.routes().filter((route) => route.startsWith('POST'));
  return { shown, error, said: error?.message, name: error?.name, stored, did, bodyOf: step.bodyOf };
}

function watchStates({ z }: ZapStep, isStoring: boolean): unknown[] {
  const stored: unknown[] = [];
  const { set } = z.cache;
  z.cache.set = async (...args: Parameters<typeof set>) => {
    if (String(args[0]).startsWith('unfinished') && JSON.stringify(stored.at(-1)) !== JSON.stringify(args[1]))
      stored.push(args[1]);
    if (!isStoring) throw new Error('down');
    return set(...args);
  };
  return stored;
}

describe('a run stores what it has done before it continues', () => {
  test('with a file: the document, the draft, and that a send was started', async () => {
    const { shown, stored, did, bodyOf } = await signOnce({ source: FILE });
    expect(stored).toStrictEqual([
      { document: DOCUMENT },
      { document: DOCUMENT, draft: DRAFT },
      { document: DOCUMENT, draft: DRAFT, sending: true },
    ]);
    expect(did.slice(-2)).toEqual([CREATE, SEND]);
    expect(bodyOf(CREATE)).toEqual({ name: 'NDA', document_id: 'd1', recipients: PEOPLE, due: 'soon' });
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', document_id: 'd1' });
  });
  test('without a file: the draft, and that a send was started', async () => {
    const { shown, stored, did, bodyOf } = await signOnce();
    expect(stored).toStrictEqual([{ draft: DRAFT }, { draft: DRAFT, sending: true }]);
    expect(did).toEqual([CREATE, SEND]);
    expect(bodyOf(CREATE)).toEqual({ name: 'NDA', template_id: 't1', recipients: PEOPLE, due: 'soon' });
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', template_id: 't1', status: null });
  });
});

test.each([HIDDEN, NONE])('an agreement that was just created is sent even if no list shows it', async (list) => {
  expect((await signOnce({ list })).did).toEqual([CREATE, SEND]);
});

const SENDING = { draft: DRAFT, sending: true };
const CHECK_FIRST = /^Agreement a1 was created and may have been sent; .*do not replay this run\.$/;
describe.each<[string, Item]>([
  ['without a file', { template: 't1' }],
  ['with a file', FILE],
])('%s, after a run that stopped', (_, source) => {
  test.each<[string, unknown, ZapAnswer, string[], RegExp | undefined]>([
    ['before the send, the draft is sent', { draft: DRAFT }, listed(), [SEND], undefined],
    ['first, a hidden draft is not sent', { draft: DRAFT }, HIDDEN, [], /was created, but not sent\. .*envelopes:read/],
    ['during a send that succeeded, nothing is sent', SENDING, listed({ status: 'pending' }), [], undefined],
    ['during a send that failed, the agreement is sent', SENDING, listed(), [SEND], undefined],
    ['during the send of a hidden agreement, nothing is sent', SENDING, HIDDEN, [], /envelopes:read.* checks first/],
    ['during the send of a deleted agreement, nothing is sent', SENDING, NONE, [], CHECK_FIRST],
    [
      'during the send of an agreement without a status, nothing is sent',
      SENDING,
      listed({ status: undefined }),
      [],
      CHECK_FIRST,
    ],
    [
      "during a send, the draft's own status is not taken for a sent one",
      { draft: { ...DRAFT, status: 'pending' }, sending: true },
      listed({ status: 'pending' }),
      [SEND],
      undefined,
    ],
    [
      'during the send of an agreement that became a draft since, the draft is sent',
      { draft: { ...DRAFT, status: 'uploaded' }, sending: true },
      listed({ status: 'document.draft' }),
      [SEND],
      undefined,
    ],
  ])('%s', async (_title, left, list, requests, error) => {
    const { shown, did, stored, said, name } = await signOnce({ source, left, list });
    expect(did).toEqual(requests);
    if (error) expect(said).toMatch(error);
    else expect(shown).toMatchObject({ id: 'a1', name: 'NDA' });
    if (error === CHECK_FIRST) expect([name, stored]).toEqual(['HaltedError', []]);
  });
  test('before the send, a deleted draft is created again', async () => {
    const { did } = await signOnce({ source, left: { draft: { ...DRAFT, id: 'a0' } }, list: NONE });
    expect(did.slice(-2)).toEqual([CREATE, SEND]);
  });
});

test('a document that an earlier run has uploaded is not uploaded again', async () => {
  const { did, stored, bodyOf } = await signOnce({ left: { document: DOCUMENT }, source: FILE });
  expect(did).toEqual([CREATE, SEND]);
  expect(bodyOf(CREATE)).toMatchObject({ document_id: 'd1' });
  expect(stored.at(-1)).toStrictEqual({ document: DOCUMENT, draft: DRAFT, sending: true });
});

test('a draft with other signers is not sent, and the next run continues with it', async () => {
  const none = { recipients: [] };
  const { did, stored, said, error } = await signOnce({ create: created(none), list: listed(none) });
  expect(did).toEqual([CREATE]);
  expect(stored).toStrictEqual([{ draft: DRAFT }]);
  expect(said).toMatch(/^Agreement a1 is a draft and was not sent: .*ann@a\.test as a signer\. .*replay this run/);
  expect(error).toMatchObject({ code: 'signers_not_set' });
});

test.each<[ZapAnswer, string]>([
  [created({ url: 'https://a.test/new' }), 'https://a.test/new'],
  [{ status: 201, json: { id: 'a1' } }, 'https://a.test/listed'],
  [created({ status: undefined }), 'https://a.test/listed'],
  [created({ url: '/a/new' }), 'https://api.test/a/new'],
  // An address of the API.
  [created({ url: 'https://api.test/api/v1/agreements/a1' }), 'https://api.test'],
])('a draft for a person, created as %j, is returned with its state and URL', async (create, draft_url) => {
  const { did, shown } = await signOnce({
    source: { template: 't1', ask_first: 'yes' },
    create,
    list: listed({ due: 'soon', url: 'https://a.test/listed' }),
  });
  expect(did).toEqual([CREATE]);
  expect(shown).toMatchObject({ status: expect.stringMatching(/draft/i), signers: PEOPLE, draft_url });
});

test.each<[Item, Item, ZapAnswer, boolean]>([
  [{ ask_first: 'yes' }, { status: 'Sent' }, NONE, true],
  [{ ask_first: 'yes' }, { status: 'Awaiting signature' }, NONE, true],
  [{ ask_first: 'yes' }, { sent_at: '2030-01-01T00:00:00Z', status: 'pending' }, NONE, true],
  [{ ask_first: 'yes' }, { status: undefined }, listed({ status: 'sent' }), true],
  [{}, { status: 'sent', recipients: [] }, NONE, true],
  [{ ask_first: 'yes' }, { status: 'pending', sent_at: null }, NONE, false],
])('with %j, an agreement created as %j is not called a draft if it was sent', async (input, shown, list, isSent) => {
  const { did, name } = await signOnce({ source: { template: 't1', ...input }, create: created(shown), list });
  expect([did, name]).toEqual([[CREATE], isSent ? 'HaltedError' : undefined]);
});

test('a draft for a person, sent by somebody before the run continued, is not called a draft', async () => {
  const source = { template: 't1', ask_first: 'yes' };
  const { did, said } = await signOnce({ source, left: { draft: DRAFT }, list: listed({ status: 'sent' }) });
  expect([did, said]).toEqual([[], expect.stringContaining('no longer a draft')]);
});

test.each<[Item, Item, boolean]>([
  [{ expires_in_days: '14' }, { expires_at: '2099-01-01' }, true],
  [{ expires_in_days: '14' }, { expires_at: null }, false],
  [{ reminder_days: '3' }, { reminders: false, due: 'soon' }, false],
  [{ reminder_days: '3' }, { reminder_days: 3 }, true],
  [{ reminders: 'false' }, { reminders: false }, true],
  [{ reminders: 'false' }, { reminders: true }, false],
  [{ cc: '["cc@a.test"]' }, { cc: ['CC@a.test'] }, true],
  [{ cc: '["cc@a.test"]' }, {}, false],
  [{}, { cc: [], bcc: null, cc_sender: false, copied_contacts: [{ name: 'Ann', email: 'Ann@a.test' }] }, true],
  [{}, { cc_email_addresses: ['legal@a.test'] }, false],
  [{}, { ccs: [{ email: 'legal@a.test' }] }, false],
  [{}, { settings: { bcc: 'legal@a.test' } }, false],
  [{}, { recipients: { agents: [], signers: PEOPLE } }, true],
  [{}, { recipients: { signers: PEOPLE, witnesses: [{ email: 'legal@a.test' }] } }, false],
  [{ cc: '["cc@a.test"]' }, { cc: 'cc@a.test', copied_contacts: [{ email: 'legal@a.test' }] }, false],
])('a draft created with %j that shows %j is sent: %s', async (fields, shown, isSent) => {
  const { did } = await signOnce({ source: { document: 'd1', fields }, create: created(shown), list: listed(shown) });
  expect(did).toEqual(isSent ? [CREATE, SEND] : [CREATE]);
});

test.each<[Item, Item, string | undefined]>([
  [{ subject: 'Our NDA', message: 'By\r\nFriday.\n' }, { subject: 'Our NDA', message: 'By\nFriday.' }, undefined],
  [{ message: 'By Friday.' }, { message: null }, 'does not show the message'],
  // Some services never show a message.
  [{ subject: 'Our NDA' }, {}, undefined],
  [{ subject: 'Our NDA', left: false }, {}, 'does not show the subject'],
])('a draft for a person, made with %j, that shows %j says %j', async ({ left, ...texts }, record, words) => {
  const source = { template: 't1', ask_first: 'yes', ...texts };
  const earlier = left === false && { left: { draft: { id: 'a1', messageIncluded: false } } };
  const { did, said } = await signOnce({ source, create: created(record), list: listed(record), ...earlier });
  expect(did).toEqual(earlier ? [] : [CREATE]);
  expect(said).toEqual(words && expect.stringContaining(words));
});

test.each<[Item, number]>([
  [{}, 1],
  // The draft has the message, so it may be sent without one.
  [{ message: 'Please sign' }, 3],
])('a send with %j that the service rejects by name is tried %i times', async (texts, tries) => {
  const send = { status: 422, json: { message: 'unknown field' } };
  const { did } = await signOnce({ source: { template: 't1', ...texts }, send });
  expect(did).toEqual([CREATE, ...Array.from({ length: tries }, () => SEND)]);
});

describe('a send that fails with', () => {
  test.each<[number, string, string | undefined, string | undefined, boolean]>([
    [400, 'sent', 'Draft', 'sent', true],
    [409, 'sent', 'Draft', 'sent', true],
    [422, 'without a status', undefined, undefined, false],
    [400, 'pending from the start', 'pending', 'pending', false],
    // The service sent it automatically when it was created.
    [409, 'pending from the start', 'pending', 'pending', true],
    [422, 'sent from the start', 'sent', 'sent', true],
  ])('%i if the agreement is %s', async (status, _, before, now, isSent) => {
    const { shown, stored } = await signOnce({
      create: created({ status: before }),
      send: failing(status),
      list: listed({ status: now }),
    });
    expect(shown !== undefined).toBe(isSent);
    expect((stored.at(-1) as { sending?: boolean }).sending === true).toBe(isSent);
  });
  test.each<[number, ZapAnswer]>([
    [400, listed()],
    [422, listed()],
    [409, HIDDEN],
    // The key was rejected, which says nothing about the agreement.
    [403, listed({ status: 'sent' })],
  ])('%i was rejected if the agreement is listed as %j: the next run may send it', async (status, list) => {
    const { said, stored } = await signOnce({ send: failing(status), list });
    expect(said).toMatch(/but not sent.*then replay this run/);
    expect(stored).toStrictEqual([{ draft: DRAFT }, SENDING, { draft: DRAFT }]);
  });
  test.each([500, 502, 504])('%i may have been done: the next run checks first', async (status) => {
    const { said, stored } = await signOnce({ send: failing(status), list: listed({ status: 'sent' }) });
    expect(said).toMatch(/^Agreement a1 was created and may have been sent.*Replay this run/);
    expect(stored).toStrictEqual([{ draft: DRAFT }, SENDING]);
  });
  test.each([500, 502, 422])('%i halts the run if nothing can be stored: a replay would send again', async (status) => {
    const { name, said } = await signOnce({ send: failing(status), isStoring: false });
    expect([name, said]).toEqual(['HaltedError', expect.stringMatching(/do not replay this run/i)]);
  });
  test('422 leaves the document for the next run', async () => {
    const { stored } = await signOnce({ send: failing(422), source: FILE });
    expect(stored.at(-1)).toStrictEqual({ document: DOCUMENT, draft: DRAFT });
  });
});

describe('a creation that', () => {
  const PLAN: SigningScript = { source: FILE, list: NONE };
  test.each<[number, SigningScript, RegExp]>([
    [409, PLAN, /document d1, but not sent\. .*replay this run within a day: completed parts are not repeated\.$/],
    [409, { ...PLAN, isStoring: false }, /document d1, but not sent\. .*Do not replay this run/],
    [409, { ...PLAN, left: { document: DOCUMENT } }, /document d1, but not sent\. .*replay this run/],
    [500, PLAN, /document d1, and its agreement may exist\. .*before you replay this run\.$/],
  ])('fails with %i in %j says what the upload left behind', async (status, script, message) => {
    const { said, did, stored } = await signOnce({ ...script, create: failing(status) });
    expect(said).toMatch(message);
    expect(did.at(-1)).toBe(CREATE);
    expect(stored).toStrictEqual(script.left ? [] : [{ document: DOCUMENT }]);
  });
  test('fails with 409 is a separate error if nothing was done before', async () => {
    const { said, stored } = await signOnce({ create: failing(409) });
    expect([said, stored]).toEqual([expect.stringContaining(texts.recordsCurrentStateDoes), []]);
  });
  test.each<ZapAnswer>([created({ id: undefined }), { status: 204 }, { json: [] }])(
    'returns no ID (%j) is not sent and never repeated',
    async (create) => {
      const { name, said, did, stored } = await signOnce({ create });
      expect([name, did, stored]).toEqual(['HaltedError', [CREATE], []]);
      expect(said).toMatch(/did not return its ID, so it was not sent\. Do not replay this run/);
    },
  );
});

test.each<[ZapAnswer, Item]>([
  [{ status: 204 }, {}],
  [{ json: 'ok' }, { status: undefined }],
])('a send with the response %j has succeeded, if the creation showed %j', async (send, more) => {
  const { shown } = await signOnce({ send, create: created({ url: 'https://a.test/a1', ...more }) });
  const kept = { url: 'https://a.test/a1', signers: PEOPLE, status: null };
  expect(shown).toMatchObject({ id: 'a1', name: 'NDA', template_id: 't1', ...kept });
});

test('a file that was stored without an ID halts the run and names the step to use instead', async () => {
  const { name, said, stored } = await signOnce({ source: FILE, store: { status: 201, json: {} } });
  expect([name, stored]).toEqual(['HaltedError', []]);
  expect(said).toContain(texts.andChooseTheDocumentFrom);
});

test.each<unknown>([{ draft: { id: 'a1' } }, { draft: { id: 'a1', messageIncluded: true, status: 7 } }, 7])(
  'nothing is done if an earlier run left the unreadable state %j',
  async (left) => {
    const { did, name } = await signOnce({ left });
    expect([did, name]).toEqual([[], 'HaltedError']);
  },
);

test.each<[number, string | object]>([
  [429, expect.stringMatching(/^ThrottledError: .*limit of 120/)],
  [404, []],
])('if the template answers %i, the form shows %j instead of its fields', async (status, expected) => {
  const { run } = zapStep(() => ({ status, headers: { 'retry-after': '60' } }));
  const { inputFields } = getOperation('creates', 'send_for_signature') as { inputFields: { name?: string }[] };
  const load = inputFields.find(({ name }) => name === 'loadTemplateFields');
  expect(await outcomeOf(run(load, { inputData: { template: 't1' } }))).toEqual(expected);
});
