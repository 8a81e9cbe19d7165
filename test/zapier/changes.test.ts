/** Polling triggers for changes: which items are new to Zapier after a change in the service. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openZapierContext, type ZapierContext } from '../support/zapier-context.ts';
import type { Fields } from '../support/zapier-lambda.ts';

let context: ZapierContext;
let link: Fields;
let agreement: string;
beforeEach(async () => {
  context = await openZapierContext();
  ({ link, agreement } = await context.share());
});
afterEach(() => context.close());

/** Runs one poll. */
const poll = (key: string, inputData: Fields = {}) => context.trigger(key, 'perform', { inputData });

/** The items that are new to Zapier in a second poll: those whose ID the first one did not return. */
async function newAfter(key: string, act: () => Promise<unknown>, inputData: Fields = {}): Promise<Fields[]> {
  const known = (await poll(key, inputData)).map(({ id }) => id);
  expect(new Set(known).size).toBe(known.length);
  await act();
  return (await poll(key, inputData)).filter(({ id }) => !known.includes(id));
}

test.each(['declined', 'voided', 'expired'] as const)(
  'an agreement that was %s is reported as one change',
  async (status) => {
    const change = `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
    const expected = [{ agreement_id: agreement, status, change, name: 'NDA with Ann' }];
    const end = () => context.sandbox.endAgreement(agreement, status);
    expect(await newAfter('agreement_status_changed', end)).toMatchObject(expected);
    expect(await poll('agreement_status_changed', { change: status })).toMatchObject(expected);
    expect(await newAfter('agreement_status_changed', async () => undefined)).toEqual([]);
  },
);

test('a completed agreement is reported for the filter "completed", even if its status is "signed"', async () => {
  const sign = () => context.sandbox.sign(agreement);
  const found = await newAfter('agreement_status_changed', sign, { change: 'completed' });
  expect(found).toMatchObject([{ agreement_id: agreement, status: 'signed' }]);
});

test('an accepted proposal is a status change, and one accepted proposal', async () => {
  const [draft] = (await context.trigger('proposal_list', 'perform')).slice(-1);
  const accepted = await poll('proposal_accepted');
  expect(accepted.every(({ status }) => status === 'accepted')).toBe(true);
  expect((await poll('proposal_status_changed')).length).toBeGreaterThan(accepted.length);
  expect(draft).toBeDefined();
});

test('a changed contact is new again, an unchanged one is not', async () => {
  const [first] = await poll('updated_contact');
  const update = () => context.act('update_contact', { contact: first?.['contact_id'], company: 'Elsewhere Ltd' });
  expect(await newAfter('updated_contact', update)).toMatchObject([
    { contact_id: first?.['contact_id'], company: 'Elsewhere Ltd' },
  ]);
});

test('each visitor of a link is new once', async () => {
  const visit = (email: string) => context.sandbox.visit(String(link['id']), { email });
  const inputData = { link: link['id'] };
  expect(await newAfter('new_visitor', () => visit('ann@northwind.example'), inputData)).toMatchObject([
    { email: 'ann@northwind.example', link_id: link['id'] },
  ]);
  expect(await newAfter('new_visitor', () => visit('ann@northwind.example'), inputData)).toEqual([]);
  expect(await newAfter('new_visitor', () => visit('bob@northwind.example'), inputData)).toHaveLength(1);
});
