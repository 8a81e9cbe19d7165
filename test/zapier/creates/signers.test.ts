/** Send for Signature: only the signers in the form receive the agreement, whatever the service accepts and returns. */
import { expect, test } from 'vitest';
import { type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const ANN = { signer_email: 'ann@x.example', signer_role: 'Client' };
const BOB = { signer_email: 'bob@y.example', signer_role: 'Vendor' };
const FORM = { template: 't', name: 'NDA', signers: [ANN] };
const CREATE = 'POST /agreements';
const SEND = 'POST /agreements/a1/send';

/** A service that creates each draft with `toDraft`, and lists it unless it is hidden. */
function serve(toDraft: (body: Item) => Item = ({ name, recipients }) => ({ name, recipients })) {
  const state = {
    agreements: [] as Item[],
    toDraft,
    template: { id: 't', name: 'NDA' } as ZapAnswer | Item,
    created: (draft: Item): ZapAnswer => ({ status: 201, json: draft }),
    isHidden: false,
    sendStatus: 200,
  };
  const step = zapStep(({ method, path, body }): ZapAnswer => {
    const id = /^\/agreements\/(\w+)\/send$/.exec(path)?.[1];
    if (id !== undefined) {
      if (state.sendStatus !== 200) return { status: state.sendStatus, json: { message: 'Not today' } };
      Object.assign(state.agreements.find((one) => one['id'] === id) ?? {}, { status: 'sent' });
      return { json: { id, status: 'sent' } };
    }
    if (path === '/agreements' && method === 'POST') {
      const draft = { id: `a${state.agreements.length + 1}`, status: 'draft', ...state.toDraft(body as Item) };
      state.agreements.push(draft);
      return state.created(draft);
    }
    if (path.startsWith('/templates'))
      return 'status' in (state.template ?? {}) ? (state.template as ZapAnswer) : { json: state.template };
    return state.isHidden ? { status: 403, json: {} } : { json: { data: state.agreements } };
  });
  const send = (input: Item = FORM, zap = '1') => step.act('send_for_signature', input, { meta: { zap: { id: zap } } });
  return { ...step, state, send };
}

test.each<[string, Item, string]>([
  ['nothing to sign', { signers: [ANN] }, texts.aFileOrADocument],
  ['two things to sign', { ...FORM, document: 'd' }, texts.aFileOrADocument],
  ['no signer', { template: 't' }, texts.thereIsNoSigner],
  ['an empty signer', { template: 't', signers: [{ signer_email: ' ' }] }, texts.thereIsNoSigner],
  ['an invalid address', { ...FORM, signers: [ANN, { signer_email: 'bob' }] }, texts.correctSignerEmailSigner],
  [
    'two addresses in one',
    { ...FORM, signers: [{ signer_email: 'a@x.example, b@x.example' }] },
    'so that each signer gets a row',
  ],
  ['a name without an address', { ...FORM, signers: [{ signer_name: 'Ann' }] }, 'An email address is missing'],
  ['a signer listed twice', { ...FORM, signers: [ANN, { ...ANN, signer_email: 'ANN@x.example' }] }, 'twice'],
  [
    'a signer with a role, and in quotes',
    { ...FORM, signers: [ANN, { signer_email: '“ANN@x.example.”' }] },
    'a signer twice',
  ],
  ['a signer without and with a role', { ...FORM, signers: [{ ...ANN, signer_role: '' }, ANN] }, 'twice'],
  ['an order for some signers', { ...FORM, signers: [{ ...ANN, signer_order: 1 }, BOB] }, texts.fillSigningOrderAll],
  ['broken JSON', { ...FORM, fields_json: '{"a": 1,\n "b" 2}' }, '"Additional Fields as JSON" is not valid JSON'],
])('%s is rejected before any request', async (_, input, words) => {
  const { send, calls } = serve();
  await expect(send(input)).rejects.toThrow(words);
  expect(calls).toEqual([]);
});

test.each<[string, (body: Item) => Item, string]>([
  ['drops the signers', ({ name }) => ({ name, recipients: [] }), 'ann@x.example as a signer'],
  ['returns no signers', ({ name }) => ({ name }), 'its signers'],
  ['changes an address', () => ({ recipients: [{ email: 'ann@x.example.evil', role: 'Client' }] }), 'as a signer'],
  ['changes a role', () => ({ signers: [{ email: 'ann@x.example', role: 'Witness' }] }), 'the role of ann@x.example'],
  [
    'adds another recipient',
    () => ({ recipients: [{ email: 'Ann@X.example', role: 'client' }, { email: 'eve@z.example' }] }),
    texts.alsoListsEveZ,
  ],
  [
    'leaves a role without a signer',
    () => ({ recipients: [{ ...toRecipient(ANN) }, { email: null, role: 'Vendor' }] }),
    texts.aSignerForTheRole,
  ],
])('if the service %s, the draft is not sent until it is corrected', async (_, toDraft, problem) => {
  const { send, count, state } = serve(toDraft);
  for (let run = 0; run < 2; run++) {
    const message = await outcomeOf(send());
    expect(message).toMatch(/^Error: Agreement a1 is a draft and was not sent: Docshare /);
    expect(message).toContain(problem);
  }
  expect([count(CREATE), count(SEND)]).toEqual([1, 0]);
  Object.assign(state.agreements[0] ?? {}, { recipients: [toRecipient(ANN)], signers: undefined });
  expect(await send()).toMatchObject({ id: 'a1', status: 'sent' });
  expect([count(CREATE), count(SEND)]).toEqual([1, 1]);
});

const toRecipient = ({ signer_email: email, signer_role: role }: typeof ANN) => ({ email, role });

test.each<[readonly number[], boolean]>([
  [[], false],
  [[1, 1], false],
  [[2, 1], false],
  [[0, 1], true],
  [[10, 20], true],
])('signers in the order %j are sent their agreement: %s', async (orders, isSent) => {
  const { send, count } = serve(() => ({
    recipients: [ANN, BOB].map((signer, at) => ({ ...toRecipient(signer), order: orders[at] })),
  }));
  const signers = [ANN, BOB].map((signer, at) => ({ ...signer, signer_order: at + 1 }));
  expect(await outcomeOf(send({ ...FORM, signers }))).toEqual(
    isSent ? expect.objectContaining({ id: 'a1' }) : expect.stringContaining('the signing order'),
  );
  expect(count(SEND)).toBe(isSent ? 1 : 0);
});

const people = [
  toRecipient(ANN),
  { email: 'Legal@us.example', role: 'Vendor' },
  { email: 'me@us.example', role: 'Sender' },
];
const vendor = { id: 't', roles: [{ name: 'Vendor', email: 'legal@us.example' }] };
test.each<[string, ZapAnswer | Item, Item | Item[], string | undefined]>([
  ['its own recipients and the sender', vendor, people, undefined],
  ['a recipient that it does not have', { id: 't' }, people, 'Legal@us.example'],
  ['a recipient, if the template cannot be read', { status: 403, json: {} }, people, 'Legal@us.example'],
  [
    'the recipient whose role a signer has',
    vendor,
    [toRecipient(ANN), { email: 'legal@us.example', role: 'Client' }],
    texts.whoIsNotASigner,
  ],
  ['a signer in two lists', vendor, { signers: [toRecipient(ANN)], pending: [{ email: 'Ann@x.example' }] }, undefined],
])('a template may bring only its own recipients: %s', async (_, template, recipients, problem) => {
  const { send, state, count } = serve(() => ({ recipients }));
  state.template = template;
  const outcome = await outcomeOf(send());
  expect(outcome).toEqual(problem ? expect.stringContaining(problem) : expect.objectContaining({ id: 'a1' }));
  expect(count(SEND)).toBe(problem ? 0 : 1);
});

test('Create Agreement needs one thing to sign, too', async () => {
  const { act, calls } = serve();
  await expect(act('create_agreement', { name: 'NDA' })).rejects.toThrow(texts.thereIsNothingToSign);
  await expect(act('create_agreement', { template: 't1', document: 'd1' })).rejects.toThrow('not both');
  expect(calls).toEqual([]);
});

test('the draft is read from the list if the creation returns only its ID', async () => {
  const { send, state } = serve();
  state.created = ({ id }) => ({ status: 202, json: { id } });
  expect(await send()).toMatchObject({ id: 'a1', name: 'NDA', status: 'sent' });
  state.isHidden = true;
  await expect(send({ ...FORM, name: 'Other' })).rejects.toThrow('but not sent');
});

test('field names are those that existing agreements show', async () => {
  const { send, state, bodyOf } = serve((body) => body);
  const people = [{ emailAddress: 'o@x.example', roleName: 'Client' }];
  state.agreements = [{ id: 'old', Title: 'X', Signatories: people, TemplateId: 't' }];
  await send({ ...FORM, fields: { due_date: '2026-12-31' } }).catch(() => undefined);
  expect(bodyOf(CREATE)).toEqual({
    Title: 'NDA',
    TemplateId: 't',
    Signatories: [{ emailAddress: 'ann@x.example', roleName: 'Client' }],
    due_date: '2026-12-31',
  });
});

test('a Zap does not continue with the draft of another Zap', async () => {
  const { send, state, routes } = serve();
  state.sendStatus = 422;
  await expect(send(FORM, '1')).rejects.toThrow('but not sent');
  state.sendStatus = 200;
  expect(await send(FORM, '2')).toMatchObject({ id: 'a2' });
  expect(await send(FORM, '1')).toMatchObject({ id: 'a1' });
  expect(
    routes()
      .filter((route) => route.endsWith('/send'))
      .slice(1),
  ).toEqual(['POST /agreements/a2/send', 'POST /agreements/a1/send']);
});
