/** What actions send: all that was filled in, to what was meant, and under the names that it is known by there. */
import { describe, expect, test } from 'vitest';
import { createProposal } from '../../zapier/creates/create-proposal.ts';
import { sendForSignature } from '../../zapier/creates/send-for-signature.ts';
import { setRoomPermissions } from '../../zapier/creates/set-room-permissions.ts';
import { updateLink } from '../../zapier/creates/update-link.ts';
import { type ZapAnswer, zapStep } from '../world/zap-step.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;

test('a price list keeps a row without a name, and leaves out one without a name and a price', async () => {
  const step = zapStep(() => ({ status: 201, json: { id: 'p1' } }));
  const items = [
    { item_name: 'Seats', quantity: '3', unit_price: '10' },
    { unit_price: '5' },
    { quantity: 2 },
  ];
  await step.run(perform(createProposal), { inputData: { name: 'Offer', items } });
  expect(step.calls.at(-1)?.body).toMatchObject({
    items: [
      { name: 'Seats', quantity: 3, unit_price: 10 },
      { name: '', quantity: 1, unit_price: 5 },
    ],
  });
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
    expect(await set({ access: 'download', folder: 'f1' })).toEqual([
      WHOLE,
      OTHER,
      { ...FOLDER, access: 'download' },
    ]);
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
  const run = (zap: string) =>
    step.run(perform(sendForSignature), { inputData, meta: { zap: { id: zap } } as never });
  await expect(run('1')).rejects.toThrow('Agreement a1 exists, and was not sent.');
  isRefusing = false;
  expect(await run('2')).toMatchObject({ id: 'a2' });
  expect(await run('1')).toMatchObject({ id: 'a1' });
  expect(sent).toEqual(['a2', 'a1']);
});
