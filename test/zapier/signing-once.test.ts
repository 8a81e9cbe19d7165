/** Nothing is sent to nobody, to the wrong people, or twice, whatever the service takes, shows and refuses. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

type Reply = { status?: number; json?: unknown; text?: string };
const METHOD = 'creates.send_for_signature.operation.perform';
const ANN = { signer_email: 'ann@x.example', signer_role: 'Client' };
const BOB = { signer_email: 'bob@y.example', signer_role: 'Vendor' };
const asked = { template: 't', name: 'NDA', signers: [ANN] };

let draft: Fields;
let listed: boolean;
/** What a draft becomes, from the body it was made of. */
let make: (body: Fields) => Fields;
let created: (() => Reply) | undefined;
let send: () => Reply;
let template: Fields;
let service: Loopback;
let zap: Platform;
let keys = 0;
beforeAll(async () => {
  zap = await startPlatform({});
});
afterAll(() => zap.close());
beforeEach(async () => {
  zap.cache.clear();
  zap.cache.failing = false;
  draft = {};
  listed = true;
  template = { id: 't', name: 'NDA' };
  make = ({ name, recipients }) => ({ name, recipients });
  created = undefined;
  send = () => {
    draft['status'] = 'sent';
    return { json: { id: 'a1', status: 'sent' } };
  };
  service = await openLoopback(({ method, path }): Reply => {
    if (path === '/agreements/a1/send') return send();
    if (path === '/documents') return { status: 201, json: { id: 'd1', name: 'x' } };
    if (method === 'POST') {
      draft = { id: 'a1', status: 'draft', ...make(JSON.parse(service.requests.at(-1)?.body ?? '{}')) };
      return created?.() ?? { status: 201, json: draft };
    }
    if (path.startsWith('/templates')) return { json: template };
    if (!listed) return { status: 403 };
    return { json: { data: draft['id'] ? [draft] : [] } };
  });
});
afterEach(() => service.close());

const bundle = (inputData: Fields = asked) => ({
  inputData,
  authData: { apiKey: `key-${++keys}`, baseUrl: service.url },
});
const act = (inputData?: Fields) => zap.run(METHOD, bundle(inputData));
const getError = (inputData?: Fields) => zap.runError(METHOD, bundle(inputData));
const count = (path: string) =>
  service.requests.filter((request) => request.method === 'POST' && request.path === path).length;

test.each<[string, Fields, string]>([
  ['nothing to sign', { signers: [ANN] }, texts.aFileOrADocument],
  ['two things to sign', { ...asked, document: 'd' }, texts.aFileOrADocument],
  ['nobody to sign', { template: 't' }, texts.thereIsNoSigner],
  ['empty signers', { template: 't', signers: [{ signer_email: ' ' }] }, texts.thereIsNoSigner],
  ['no address', { ...asked, signers: [ANN, { signer_email: 'bob' }] }, texts.correctSignerEmailSigner],
  ['two in one', { ...asked, signers: [{ signer_email: 'a@x.example, b@x.example' }] }, texts.isNotAnEmailAddress],
  ['a name alone', { ...asked, signers: [{ signer_name: 'Ann' }] }, texts.isNotAnEmailAddress],
  [
    'one twice',
    { ...asked, signers: [ANN, { ...ANN, signer_email: 'ANN@x.example' }] },
    'ANN@x.example is a signer twice',
  ],
  ['an order for some', { ...asked, signers: [{ ...ANN, signer_order: 1 }, BOB] }, texts.fillSigningOrderAll],
  ['an order that is none', { ...asked, signers: [{ ...ANN, signer_order: 'first' }] }, '"Signing Order"'],
  [
    'broken JSON',
    { ...asked, fields_json: '{"a": 1,\n "b" 2}' },
    'The field "Additional Fields as JSON" is not valid JSON',
  ],
])('%s is refused before anything is asked', async (_, input, sentence) => {
  expect((await getError(input)).message).toContain(sentence);
  expect(service.requests).toEqual([]);
});

describe.each<[string, (body: Fields) => Fields, string]>([
  ['overlooks the signers', ({ name }) => ({ name, recipients: [] }), 'ann@x.example as a signer'],
  ['shows no people at all', ({ name }) => ({ name }), 'its signers'],
  [
    'takes another address',
    () => ({ recipients: [{ email: 'ann@x.example.evil', role: 'Client' }] }),
    'ann@x.example as a signer',
  ],
  [
    'takes another role',
    () => ({ signers: [{ email: 'ann@x.example', role: 'Witness' }] }),
    'the role of ann@x.example',
  ],
  ['shows no role', () => ({ signers: ['ann@x.example'] }), 'the role of ann@x.example'],
  [
    'adds a stranger',
    () => ({ recipients: [{ email: 'Ann@X.example', role: 'client' }, { email: 'eve@z.example' }] }),
    texts.alsoListsEveZ,
  ],
  [
    'leaves a role to nobody',
    () => ({
      recipients: [
        { email: 'ann@x.example', role: 'Client' },
        { email: null, role: 'Vendor' },
      ],
    }),
    texts.aSignerForTheRole,
  ],
])('where the service %s', (_, body, what) => {
  test('nothing is sent and the draft is named; once corrected, the next run sends it', async () => {
    make = body;
    for (let run = 0; run < 2; run++)
      expect((await getError()).message).toBe(
        `Agreement a1 is a draft and was not sent: Docshare ${what.startsWith('also') ? what : `does not show ${what}`}. Correct the draft in Docshare, then replay this run to send it.`,
      );
    expect([count('/agreements'), count('/agreements/a1/send')]).toEqual([1, 0]);
    draft['recipients'] = [{ email: 'ann@x.example', role: 'Client' }];
    draft['signers'] = undefined;
    expect(await act()).toMatchObject({ id: 'a1', status: 'sent' });
    expect([count('/agreements'), count('/agreements/a1/send')]).toEqual([1, 1]);
  });
});

test('an order that the service overlooks is not sent; one that counts from 0 or in tens is', async () => {
  const signers = [
    { ...ANN, signer_order: 1 },
    { ...BOB, signer_order: 2 },
  ];
  const shown = (orders: readonly unknown[]) => () => ({
    recipients: [ANN, BOB].map((one, at) => ({ email: one.signer_email, role: one.signer_role, order: orders[at] })),
  });
  for (const orders of [[], [1, 1], [2, 1]]) {
    make = shown(orders);
    zap.cache.clear();
    expect((await getError({ ...asked, signers })).message).toContain('the signing order');
  }
  for (const orders of [
    [0, 1],
    [10, 20],
  ]) {
    make = shown(orders);
    zap.cache.clear();
    expect(await act({ ...asked, signers })).toMatchObject({ id: 'a1' });
  }
});

test("the template's own recipients and the sender are expected, all others are not", async () => {
  const people = [
    { email: 'ann@x.example', role: 'Client' },
    { email: 'Legal@us.example', role: 'Vendor' },
    { email: 'me@us.example', role: 'Sender' },
  ];
  make = () => ({ recipients: people });
  expect((await getError()).message).toContain('legal@us.example'.replace('l', 'L'));
  template = { id: 't', roles: [{ name: 'Vendor', email: 'legal@us.example' }] };
  zap.cache.clear();
  expect(await act()).toMatchObject({ id: 'a1' });
  // Whom the template had in the role that Ann fills gets nothing.
  people[1] = { email: 'legal@us.example', role: 'Client' };
  expect((await getError()).message).toContain(texts.whoIsNotASigner);
});

test('the draft is read from the list where the answer to its creation is silent', async () => {
  created = () => ({ status: 202, json: { id: 'a1' } });
  expect(await act()).toMatchObject({ id: 'a1', name: 'NDA', status: 'sent' });
  listed = false;
  expect((await getError({ ...asked, name: 'Other' })).message).toContain(texts.doesNotShowItsSigners);
});

test.each([{ status: 204 }, { text: 'queued' }, { json: [] }])(
  'a creation that gives no id (%j) is not sent and not made again',
  async (reply) => {
    created = () => reply;
    expect(await getError()).toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(texts.soItWasNotSent),
    });
    expect(count('/agreements/a1/send')).toBe(0);
  },
);

describe('a send', () => {
  test('that is rejected names the draft, and the next run sends it', async () => {
    const good = send;
    send = () => ({ status: 422, json: { error: 'the message is too long' } });
    const { message } = await getError();
    expect(message).toMatch(/status 422\)/);
    expect(message.length).toBeLessThan(250);
    send = good;
    await act();
    expect([count('/agreements'), count('/agreements/a1/send')]).toEqual([1, 2]);
  });

  test('that is rejected is not a success if the draft was pending from the start', async () => {
    make = ({ recipients }) => ({ recipients, status: 'pending' });
    send = () => ({ status: 422, json: { error: 'the message is too long' } });
    expect((await getError()).message).toContain('but not sent');
  });

  test('of a draft that was deleted in between is one of a new draft', async () => {
    const good = send;
    send = () => ({ status: 422, text: 'no' });
    await getError();
    draft = {};
    send = good;
    expect(await act()).toMatchObject({ id: 'a1', status: 'sent' });
    expect(count('/agreements')).toBe(2);
  });

  test.each([500, 502, 504])('with an unknown outcome (%d) is checked before it is repeated', async (status) => {
    const good = send;
    send = () => {
      draft['status'] = 'pending';
      return { status, text: 'gateway' };
    };
    expect((await getError()).message).toBe(
      status === 500 ? texts.agreement1CreatedMayBeenSent : texts.agreement1CreatedMayBeenSentDocshare,
    );
    listed = false;
    expect(await getError()).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('not sent again') });
    listed = true;
    expect(await act()).toMatchObject({ id: 'a1', status: 'pending' });
    expect(count('/agreements/a1/send')).toBe(1);
    // What ended well is forgotten: the same form once more is a new agreement.
    send = good;
    await act();
    expect([count('/agreements'), count('/agreements/a1/send')]).toEqual([2, 2]);
  });

  test('that was not done is done by the next run', async () => {
    const good = send;
    send = () => ({ status: 502 });
    await getError();
    send = good;
    expect(await act()).toMatchObject({ status: 'sent' });
    expect([count('/agreements'), count('/agreements/a1/send')]).toEqual([1, 2]);
  });

  test('with an unknown outcome halts if nothing can be stored, so that Zapier does not replay it', async () => {
    let asked = 0;
    zap.cache.failing = () => asked++ > 0;
    send = () => ({ status: 502 });
    expect(await getError()).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('do not replay') });
  });

  test.each([409, 400, 422])(
    'of what the service sends by itself when it is made is done, where it refuses another by %d',
    async (status) => {
      make = ({ recipients }) => ({ recipients, status: 'sent' });
      send = () => ({ status, text: 'already sent' });
      expect(await act()).toMatchObject({ id: 'a1', status: 'sent' });
    },
  );

  test.each([{ status: 204 }, { text: 'ok' }, { json: { ok: true } }])('that answers %j is done', async (reply) => {
    send = () => reply;
    expect(await act()).toMatchObject({ id: 'a1', name: 'NDA', template_id: 't' });
  });
});

test('a file is uploaded once, however often the creation is rejected', async () => {
  created = () => ({ status: 422, text: 'the plan is used up' });
  const file = { file: 'data:,Between us.', signers: [ANN] };
  for (let run = 0; run < 2; run++) expect((await getError(file)).message).toMatch(texts.theFileWasUploadedAs);
  expect(count('/documents')).toBe(1);
});

test.each([
  [500, texts.docshareThenHadInternal],
  [504, texts.docshareDidConfirmNext],
])('of a draft whose creation ends in doubt (%d) it says that it may exist', async (status, why) => {
  created = () => ({ status });
  const { message } = await getError({ file: 'data:,Between us.', name: 'NDA', signers: [ANN] });
  expect(message).toBe(
    `The file was uploaded as document d1, and its agreement may exist. ${why} Look for the agreement in Docshare before you replay this run.`,
  );
});

test('names are those that existing agreements show', async () => {
  draft = {
    id: 'old',
    Title: 'X',
    Signatories: [{ emailAddress: 'o@x.example', roleName: 'Client' }],
    TemplateId: 't',
  };
  make = (body) => body;
  await act({ ...asked, fields: { due_date: '2026-12-31' } });
  expect(JSON.parse(service.requests.find(({ method }) => method === 'POST')?.body ?? '{}')).toEqual({
    Title: 'NDA',
    TemplateId: 't',
    Signatories: [{ emailAddress: 'ann@x.example', roleName: 'Client' }],
    due_date: '2026-12-31',
  });
});
