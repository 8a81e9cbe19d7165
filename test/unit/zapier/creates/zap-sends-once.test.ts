/** Send for Signature, call by call: each is done once, whatever a run before has done and however this one fails. */
import { describe, expect, test } from 'vitest';
import type { SigningForm } from '../../../../src/assumptions/index.ts';
import { SigningState, sendOnce } from '../../../../zapier/creates/send-once.ts';
import { withClient } from '../../../../zapier/platform/with-client.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const FORM: SigningForm = {
  name: 'NDA',
  template: 't1',
  document: undefined,
  signers: [{ email: 'ann@a.test' }],
  subject: undefined,
  message: undefined,
};
const OF_FILE: SigningForm = { ...FORM, template: undefined };
const PEOPLE = [{ email: 'ann@a.test' }];
const DRAFT = { id: 'a1', status: 'draft', messageIncluded: false };
const DOCUMENT = { id: 'd1', name: 'NDA' };
const MADE = 'POST /agreements';
const SENT = 'POST /agreements/a1/send';

interface Script {
  /** What a run before has kept. */
  readonly left?: SigningState;
  readonly file?: string;
  readonly isKeeping?: boolean;
  /** What the service answers: to a look at its agreements, a creation, a send, and a file. */
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

/** The platform's error keeps its code beside its words. */
class Told extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** One run: what it showed or said, what it wrote to the service, and what it kept, in their order. */
async function runOnce({ left, file, isKeeping = true, ...answers }: Script = {}) {
  const { list = listed(), store = { status: 201, json: DOCUMENT } } = answers;
  const { create = { status: 201, json: { id: 'a1', status: 'Draft', recipients: PEOPLE } } } = answers;
  const { send = { json: { ok: true } } } = answers;
  const step = zapStep(({ method, path }): ZapAnswer => {
    if (method === 'GET') return list;
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    // Straight to the storage, which alone makes documents without an id.
    if (path === '/documents') return { status: 415, json: {} };
    if (method === 'PUT') return { json: {} };
    if (path.startsWith('/documents')) return store;
    return path === '/agreements' ? create : send;
  });
  Object.assign(step.z.errors, { Error: Told });
  const kept: SigningState[] = [];
  const unfinished = {
    load: async () => left ?? null,
    save: async (state: SigningState) => kept.push(state) > 0 && isKeeping,
    clear: async () => undefined,
  };
  const form = file === undefined ? FORM : OF_FILE;
  const perform = withClient((client, { z }) =>
    sendOnce({ client, z, resumeStore: unfinished, form, extraFields: { due: 'soon' }, file }),
  );
  const ended = await step.run(perform).then(
    (shown) => ({ shown, error: undefined }),
    (error: Told) => ({ shown: undefined, error }),
  );
  const posts = step.calls.filter(({ method }) => method === 'POST');
  return {
    ...ended,
    said: ended.error?.message,
    name: ended.error?.name,
    kept,
    did: posts.map(({ method, path }) => `${method} ${path}`),
    bodyOf: (path: string) => posts.find((call) => `${call.method} ${call.path}` === path)?.body,
  };
}

describe('a run keeps what it has done before it goes on', () => {
  test('with a file: the document, the draft, and that a send was begun', async () => {
    const { shown, kept, did, bodyOf } = await runOnce({ file: 'data:,some words' });
    expect(kept).toStrictEqual([
      { document: DOCUMENT },
      { document: DOCUMENT, draft: DRAFT },
      { document: DOCUMENT, draft: DRAFT, sending: true },
    ]);
    expect(did.slice(-2)).toEqual([MADE, SENT]);
    expect(bodyOf(MADE)).toEqual({ name: 'NDA', document_id: 'd1', recipients: PEOPLE, due: 'soon' });
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', document_id: 'd1' });
  });
  test('without one: the draft, and that a send was begun', async () => {
    const { shown, kept, did, bodyOf } = await runOnce();
    expect(kept).toStrictEqual([{ draft: DRAFT }, { draft: DRAFT, sending: true }]);
    expect(did).toEqual([MADE, SENT]);
    expect(bodyOf(MADE)).toEqual({ name: 'NDA', template_id: 't1', recipients: PEOPLE, due: 'soon' });
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', template_id: 't1', status: 'Draft' });
  });
  test('of a service that shows no state: the draft without one', async () => {
    const { kept } = await runOnce({ create: { status: 201, json: { id: 'a1', recipients: PEOPLE } } });
    expect(kept[0]).toStrictEqual({ draft: { id: 'a1', messageIncluded: false } });
  });
});

test('an agreement that was just made is sent though no list shows it', async () => {
  for (const list of [HIDDEN, NONE]) expect((await runOnce({ list })).did).toEqual([MADE, SENT]);
});

describe.each<[string, Pick<Script, 'left' | 'file'>]>([
  ['without a file', {}],
  ['with a file', { file: 'data:,some words' }],
])('%s, after a run that left', (_, { file }) => {
  const again = (script: Script) => runOnce({ ...(file === undefined ? {} : { file }), ...script });
  test('a draft, that is sent and none is made', async () => {
    const { shown, did, kept } = await again({ left: { draft: DRAFT } });
    expect(did).toEqual([SENT]);
    expect(kept).toStrictEqual([{ draft: DRAFT, sending: true }]);
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA' });
  });
  test('a draft that is gone, another is made', async () => {
    const { did } = await again({ left: { draft: { ...DRAFT, id: 'a0' } }, list: NONE });
    expect(did.slice(-2)).toEqual([MADE, SENT]);
  });
  test('a draft that can not be looked at, nothing is made and nothing sent', async () => {
    const { did, said } = await again({ left: { draft: DRAFT }, list: HIDDEN });
    expect(did).toEqual([]);
    expect(said).toContain(texts.docshareDoesShowSigners);
  });
  test.each<[string, ZapAnswer]>([
    ['can’t be looked at', HIDDEN],
    ['is nowhere to be seen', NONE],
    ['shows no state', listed({ status: undefined })],
  ])('a send in doubt of an agreement that %s, nothing is done and a replay advised against', async (_why, list) => {
    const { did, kept, name, said } = await again({ left: { draft: DRAFT, sending: true }, list });
    expect([did, kept]).toEqual([[], []]);
    expect(name).toBe('HaltedError');
    expect(said).toBe(texts.agreement1CreatedMay);
  });
  test('a send in doubt that was done, nothing is sent and the agreement is shown', async () => {
    const { did, shown } = await again({ left: { draft: DRAFT, sending: true }, list: listed({ status: 'pending' }) });
    expect(did).toEqual([]);
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', status: 'pending' });
  });
  test('a send in doubt that was not done, it is done', async () => {
    expect((await again({ left: { draft: DRAFT, sending: true } })).did).toEqual([SENT]);
  });
  test('a word for drafts that others use for what is sent, the draft’s own counts', async () => {
    const left = { draft: { ...DRAFT, status: 'pending' }, sending: true };
    expect((await again({ left, list: listed({ status: 'pending' }) })).did).toEqual([SENT]);
  });
});

test('a document that a run before has uploaded is signed, and none is uploaded', async () => {
  const { did, kept, bodyOf } = await runOnce({ left: { document: DOCUMENT }, file: 'data:,some words' });
  expect(did).toEqual([MADE, SENT]);
  expect(bodyOf(MADE)).toMatchObject({ document_id: 'd1' });
  expect(kept.at(-1)).toStrictEqual({ document: DOCUMENT, draft: DRAFT, sending: true });
});

test('what shows others than were asked for is not sent, and stays for the next run as a draft', async () => {
  const create = { status: 201, json: { id: 'a1', status: 'draft', recipients: [] } };
  const { did, kept, said, error } = await runOnce({ create, list: listed({ recipients: [] }) });
  expect(did).toEqual([MADE]);
  expect(kept).toStrictEqual([{ draft: DRAFT }]);
  expect(said).toBe(texts.agreement1DraftSent);
  expect(error).toMatchObject({ code: 'signers_not_set' });
});

describe('a send that is answered by', () => {
  test.each([400, 409, 422])('%i was done where the agreement is on its way', async (status) => {
    const { shown, kept } = await runOnce({ send: failing(status), list: listed({ status: 'sent' }) });
    expect(shown).toMatchObject({ id: 'a1', name: 'NDA', status: 'sent' });
    expect(kept.at(-1)).toMatchObject({ sending: true });
  });
  test.each<[number, string, ZapAnswer]>([
    [400, 'is a draft', listed()],
    [409, 'is a draft', listed()],
    [422, 'is a draft', listed()],
    [409, 'can’t be looked at', HIDDEN],
    // It is the key that was refused, which tells nothing of the agreement.
    [403, 'is on its way', listed({ status: 'sent' })],
  ])('%i where the agreement %s was refused: the next run may send it', async (status, _, list) => {
    const { said, kept } = await runOnce({ send: failing(status), list });
    expect(said).toMatch(/but not sent/);
    expect(said).toContain(texts.thenReplayThisRun);
    expect(kept).toStrictEqual([{ draft: DRAFT }, { draft: DRAFT, sending: true }, { draft: DRAFT }]);
  });
  test.each<[number, string | undefined, boolean]>([
    [422, undefined, false],
    [400, 'pending', false],
    [422, 'Waiting', false],
    [422, 'in_progress', false],
    // What the service has sent by itself when it was made.
    [409, 'pending', true],
    [422, 'sent', true],
    [422, 'delivered', true],
  ])('%i where the agreement is %s as when it was made was done: %s', async (status, word, isSent) => {
    const create = { status: 201, json: { id: 'a1', status: word, recipients: PEOPLE } };
    const { shown, kept } = await runOnce({ create, send: failing(status), list: listed({ status: word }) });
    expect(shown !== undefined).toBe(isSent);
    expect(kept.at(-1)?.sending === true).toBe(isSent);
  });
  test('a refusal leaves the document too', async () => {
    const { kept } = await runOnce({ send: failing(422), file: 'data:,some words' });
    expect(kept.at(-1)).toStrictEqual({ document: DOCUMENT, draft: DRAFT });
  });
  test.each([500, 502, 504])('%i is in doubt: the next run looks first', async (status) => {
    const { said, kept } = await runOnce({ send: failing(status), list: listed({ status: 'sent' }) });
    expect(said).toMatch(texts.agreement1CreatedMayBeen);
    expect(said).toContain('Replay this run');
    expect(kept).toStrictEqual([{ draft: DRAFT }, { draft: DRAFT, sending: true }]);
  });
  test.each<[number, string]>([
    [500, texts.andDoNotReplayThis],
    [502, texts.andDoNotReplayThis],
    [422, texts.doNotReplayThisRun],
  ])('%i halts the run where nothing can be kept: the next one would send another', async (status, words) => {
    const { name, said } = await runOnce({ send: failing(status), isKeeping: false });
    expect(name).toBe('HaltedError');
    expect(said).toContain(words);
  });
});

describe('a creation that is answered by', () => {
  const PLAN = { file: 'data:,some words', list: NONE };
  const AGAIN = texts.replayRunCompletedParts;
  const NEVER = texts.doReplayRunContinue;
  const LOOK = texts.lookAgreementDocshareBefore;
  const NOTHING = texts.fileUploadedDocumentD;
  const PERHAPS = texts.fileUploadedDocumentD1;
  test.each<[number, string, Script, string, string]>([
    [409, 'made nothing of its document', PLAN, NOTHING, AGAIN],
    [409, 'halts where the document was not kept', { ...PLAN, isKeeping: false }, NOTHING, NEVER],
    [409, 'goes on from a document of before', { ...PLAN, left: { document: DOCUMENT } }, NOTHING, AGAIN],
    [500, 'may have made one', PLAN, PERHAPS, LOOK],
    [502, 'may have made one', PLAN, PERHAPS, LOOK],
  ])('%i %s', async (status, _, script, start, end) => {
    const { said, did, kept } = await runOnce({ ...script, create: failing(status) });
    expect(said?.startsWith(start) && said.endsWith(end), said).toBe(true);
    expect(did.at(-1)).toBe(MADE);
    expect(kept).toStrictEqual(script.left ? [] : [{ document: DOCUMENT }]);
  });
  test('409 is told by itself where nothing was done before', async () => {
    const { said, kept } = await runOnce({ create: failing(409) });
    expect(said).toMatch(texts.recordsCurrentStateDoes);
    expect(kept).toEqual([]);
  });
  test('no id is not sent, and never made anew', async () => {
    const { name, said, did, kept } = await runOnce({ create: { status: 201, json: { recipients: PEOPLE } } });
    expect([name, did, kept]).toEqual(['HaltedError', [MADE], []]);
    expect(said).toBe(texts.agreementCreatedButDocshare);
  });
});

test('a file that is stored without an id is signed by hand: the words say with which step', async () => {
  const { name, said, kept } = await runOnce({ file: 'data:,some words', store: { status: 201, json: {} } });
  expect([name, kept]).toEqual(['HaltedError', []]);
  expect(said).toContain(texts.andChooseTheDocumentFrom);
});

test('the words about an agreement leave room for the advice, however long its id is', async () => {
  const id = `a${'1'.repeat(60)}`;
  const create = { status: 201, json: { id, status: 'draft', recipients: PEOPLE } };
  const { said } = await runOnce({ create, send: failing(502), list: NONE });
  expect(said).toContain(
    `Agreement ${id.slice(0, 40)} was created and may have been sent. Docshare did not confirm the next part. Replay this run: it checks first and does not send twice.`,
  );
});

test.each<[Item, boolean]>([
  [{}, true],
  [{ document: DOCUMENT, draft: DRAFT, sending: true }, true],
  [{ draft: { id: 'a1', messageIncluded: true } }, true],
  [{ draft: { id: 'a1' } }, false],
  [{ draft: { messageIncluded: true } }, false],
  [{ draft: { id: 'a1', messageIncluded: true, status: 7 } }, false],
  [{ sending: 'yes' }, false],
])('that %j is what was left can be read: %s', (state, isRead) => {
  expect(SigningState.safeParse(state)).toMatchObject(isRead ? { success: true, data: state } : { success: false });
});
