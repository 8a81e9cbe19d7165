/** What actions send: all that was filled in, to what was meant, and under the names that it is known by there. */
import { describe, expect, test } from 'vitest';
import { addContactTags } from '../../../../zapier/creates/add-contact-tags.ts';
import { createAgreement } from '../../../../zapier/creates/create-agreement.ts';
import { createLink } from '../../../../zapier/creates/create-link.ts';
import { createProposal } from '../../../../zapier/creates/create-proposal.ts';
import { sendForSignature } from '../../../../zapier/creates/send-for-signature.ts';
import { setRoomPermissions } from '../../../../zapier/creates/set-room-permissions.ts';
import { shareDocument } from '../../../../zapier/creates/share-document.ts';
import { updateLink } from '../../../../zapier/creates/update-link.ts';
import { upsertContact } from '../../../../zapier/creates/upsert-contact.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;

test('a price list leaves out a row without a name and a price, and rejects one without a name', async () => {
  const step = zapStep(() => ({ status: 201, json: { id: 'p1' } }));
  const items = [{ item_name: 'Seats', quantity: '3', unit_price: '10' }, { quantity: 2 }];
  await step.run(perform(createProposal), { inputData: { name: 'Offer', items } });
  expect(step.calls.at(-1)?.body).toMatchObject({ items: [{ name: 'Seats', quantity: 3, unit_price: 10 }] });
  const unnamed = [...items, { unit_price: '5' }];
  await expect(step.run(perform(createProposal), { inputData: { name: 'Offer', items: unnamed } })).rejects.toThrow(
    'with the price 5 has no name',
  );
});

describe('the permissions of a room', () => {
  const WHOLE = { group_id: 'g1', access: 'view' };
  const FOLDER = { group_id: 'g1', folder_id: 'f1', access: 'none' };
  const OTHER = { group_id: 'g2', folder_id: 'f1', access: 'view' };
  const set = async (input: Item) => {
    const step = zapStep(({ method }) => ({
      json: method === 'GET' ? [{ id: 'r1', permissions: [WHOLE, FOLDER, OTHER] }] : {},
    }));
    await step.run(perform(setRoomPermissions), { inputData: { room: 'r1', group: 'g1', ...input } });
    const { body } = step.calls.find(({ method }) => method === 'PUT') ?? {};
    return Object.values(body as Record<string, Item[]>)[0];
  };
  test('of a folder leave those of the whole room and of others', async () => {
    expect(await set({ access: 'download', folder: 'f1' })).toEqual([WHOLE, OTHER, { ...FOLDER, access: 'download' }]);
  });
  test('of the whole room leave those of its folders', async () => {
    expect(await set({ access: 'none' })).toEqual([FOLDER, OTHER, { ...WHOLE, access: 'none' }]);
  });
});

test('a gate of a link is set under the name that this link has for it, not another', async () => {
  const links: Item[] = [
    { id: 'l2', requireNda: false },
    { id: 'l1', nda_required: false },
  ];
  const step = zapStep(({ method, body }): ZapAnswer => {
    if (method === 'PATCH') Object.assign(links[1] ?? {}, body);
    return method === 'PATCH' ? { json: {} } : { json: links };
  });
  await step.run(perform(updateLink), { inputData: { link: 'l1', gate_nda: true } });
  expect(step.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ nda_required: true });
});

test('a Zap does not go on with the draft that another Zap has left', async () => {
  const drafts: Item[] = [];
  const sent: string[] = [];
  let isRefusing = true;
  const step = zapStep(({ method, path, body }): ZapAnswer => {
    if (method === 'GET') return { json: { data: drafts } };
    const sending = /^\/agreements\/(\w+)\/send$/.exec(path)?.[1];
    if (sending === undefined) {
      const draft = { status: 'draft', ...(body as Item), id: `a${drafts.length + 1}` };
      drafts.push(draft);
      return { status: 201, json: draft };
    }
    if (isRefusing) return { status: 422, json: { message: 'Not today' } };
    sent.push(sending);
    return { json: { id: sending, status: 'sent' } };
  });
  const inputData = { template: 't', name: 'NDA', signers: [{ signer_email: 'ann@a.test' }] };
  const run = (zap: string) => step.run(perform(sendForSignature), { inputData, meta: { zap: { id: zap } } as never });
  await expect(run('1')).rejects.toThrow('but not sent');
  isRefusing = false;
  expect(await run('2')).toMatchObject({ id: 'a2' });
  expect(await run('1')).toMatchObject({ id: 'a1' });
  expect(sent).toEqual(['a2', 'a1']);
});

describe('an agreement that was made and not sent', () => {
  const inputData = { template: 't', name: 'NDA', signers: [{ signer_email: 'ann@a.test' }] };
  /** A service with one agreement at most in its list, which a test may change. */
  function serve(status: string) {
    const own: { send: ZapAnswer; list: () => ZapAnswer; draft: Item } = {
      send: undefined,
      list: () => ({ json: { data: 'id' in own.draft ? [own.draft] : [] } }),
      draft: {},
    };
    const step = zapStep(({ method, path, body }): ZapAnswer => {
      if (method === 'GET') return path === '/agreements' ? own.list() : { status: 403, json: {} };
      if (path !== '/agreements') return own.send;
      own.draft = { ...(body as Item), id: 'a1', status };
      return { status: 201, json: own.draft };
    });
    const posts = (path: string) => step.calls.filter((call) => call.method === 'POST' && call.path === path).length;
    return { own, posts, run: () => step.run(perform(sendForSignature), { inputData }) };
  }
  const SENT: ZapAnswer = { json: { id: 'a1', status: 'sent' } };

  test('is never made anew where it may have been sent: it may be deleted since, or the list lags behind', async () => {
    const { own, posts, run } = serve('draft');
    own.send = { status: 500, json: {} };
    await expect(run()).rejects.toThrow(texts.agreement1CreatedMayBeen);
    own.draft = {};
    own.send = SENT;
    await expect(run()).rejects.toThrow(texts.itWasNotSentAgain);
    expect([posts('/agreements'), posts('/agreements/a1/send')]).toEqual([1, 1]);
  });

  test('is sent by the next run where its state is what it was as a draft, whatever that is called', async () => {
    const { own, posts, run } = serve('pending');
    own.send = { status: 500, json: {} };
    await expect(run()).rejects.toThrow(texts.mayHaveBeenSent);
    own.send = SENT;
    expect(await run()).toMatchObject({ id: 'a1', status: 'sent' });
    expect([posts('/agreements'), posts('/agreements/a1/send')]).toEqual([1, 2]);
  });

  test('is neither sent nor made anew where nobody may look at it', async () => {
    const { own, posts, run } = serve('draft');
    own.send = { status: 422, json: { message: 'Not today' } };
    await expect(run()).rejects.toThrow('but not sent');
    own.list = () => ({ status: 403, json: {} });
    await expect(run()).rejects.toThrow(texts.agreementA1IsA);
    expect([posts('/agreements'), posts('/agreements/a1/send')]).toEqual([1, 1]);
  });

  test('for somebody whom its template may have brought is not sent where the template can not be read', async () => {
    const { own, posts, run } = serve('draft');
    own.list = () => {
      const { recipients } = own.draft;
      const people = Array.isArray(recipients) ? [...recipients, { email: 'legal@a.test' }] : [];
      return { json: { data: [{ ...own.draft, recipients: people }] } };
    };
    own.send = { status: 422, json: { message: 'Not today' } };
    await expect(run()).rejects.toThrow('but not sent');
    own.send = SENT;
    await expect(run()).rejects.toThrow(texts.whoIsNotASigner);
    expect(posts('/agreements/a1/send')).toBe(1);
  });
});

test.each([
  [500, texts.andItsLinkMayExist],
  [422, texts.thenReplayThisRun],
])('of a link that ends in %i it is said that %s', async (status, words) => {
  const step = zapStep(({ method, path }): ZapAnswer => {
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    if (method === 'GET') return { json: [] };
    return path.startsWith('/links') ? { status } : { status: 201, json: { id: 'd1' } };
  });
  await expect(step.run(perform(shareDocument), { inputData: { file: 'data:,some words' } })).rejects.toThrow(words);
});

test('a link is made by a key that may not read links, and has no id then', async () => {
  const step = zapStep(
    ({ method }): ZapAnswer =>
      method === 'GET' ? { status: 403, json: {} } : { status: 201, json: { url: 'https://a.test/l/1' } },
  );
  const inputData = { document: 'd1', gate_visitors: '5' };
  await expect(step.run(perform(createLink), { inputData })).rejects.toThrow(texts.couldNotBeDeleted);
  expect(await step.run(perform(createLink), { inputData: { document: 'd1' } })).toMatchObject({
    id: null,
    url: 'https://a.test/l/1',
  });
});

test('an agreement about nothing is not made', async () => {
  const step = zapStep(() => undefined);
  await expect(step.run(perform(createAgreement), { inputData: { name: 'NDA' } })).rejects.toThrow(
    texts.thereIsNothingToSign,
  );
  expect(step.calls).toEqual([]);
});

test('of a contact that stands on two pages there is one, and its own name wins over the one beside its address', async () => {
  const ann = { id: 'c1', email: 'ann@a.test', name: 'Ann' };
  const step = zapStep(({ method, query }): ZapAnswer => {
    if (method !== 'GET') return { json: {} };
    return { json: query['cursor'] ? { data: [ann, { id: 'c2' }] } : { data: [ann], next_cursor: 'n' } };
  });
  const inputData = { email: 'Ann B. <ann@a.test>', name: 'Ann C.' };
  expect(await step.run(perform(upsertContact), { inputData })).toMatchObject({ id: 'c1', is_new: false });
  expect(step.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Ann C.' });
});

test('tags are sent without blanks, empty lines and doubles', async () => {
  const step = zapStep(() => ({ json: {} }));
  await step.run(perform(addContactTags), { inputData: { contact: 'c1', tags: [' a ', '', 'a', ' ', 'b'] } });
  expect(step.calls.map(({ body }) => body)).toEqual([{ tags: ['a', 'b'] }]);
});
