/** Values that a service does not take: an action sends none of them in part, and reports what the response shows. */
import { expect, test } from 'vitest';
import { type Item, outcomeOf, type ZapAnswer, type ZapCall, zapStep } from '../../support/zap-step.ts';

async function act(key: string, input: Item, answer: (call: ZapCall) => ZapAnswer) {
  const step = zapStep(answer);
  const outcome = await outcomeOf(step.act(key, input));
  return { ...step, outcome, writes: step.calls.filter(({ method }) => method !== 'GET') };
}

test.each<[string, Item]>([
  ['send_agreement', { agreement: 'a1', signer_emails: ['ann@a.test', 'bob@a.test'] }],
  ['send_proposal', { proposal: 'p1', recipient_emails: ['ann@a.test; bob@a.test', 'cy@a.test'] }],
])('%s to several people never sends to one of them', async (key, input) => {
  const { outcome, writes } = await act(key, input, ({ body }) =>
    Object.hasOwn(Object(body), 'email') ? {} : { status: 422, json: { message: 'unknown field' } },
  );
  expect(outcome).toContain('unknown field');
  expect(writes.map(({ body }) => Object.keys(Object(body)))).toEqual([['recipients'], ['signers']]);
});

test.each<[string, Item, Item]>([
  ['create_contact', { first_name: 'Ann', last_name: 'Lee' }, { name: 'Ann Lee', company: 'New' }],
  ['create_contact', {}, { name: 'Cy Bee', last_name: 'Bee', company: 'New' }],
])('%s returns the values that the response shows: %j', async (key, record, shown) => {
  const input = { contact: 'c1', email: 'ann@a.test', name: 'Cy Bee', company: 'New' };
  const { outcome } = await act(key, input, () => ({ json: { id: 'c1', email: 'ann@a.test', ...record } }));
  expect(outcome).toMatchObject(shown);
});

test.each<[Item, string]>([
  [{ full_name: 'Ann Lee' }, 'did not apply the name of the contact: it shows "Ann Lee"'],
  [{ full_name: 'CY  BEE', organization: 'Acme' }, 'the company of the contact: it shows "Acme"'],
])('an update of a contact that then shows %j stops', async (record, words) => {
  for (const key of ['update_contact', 'create_or_update_contact']) {
    const input = { contact: 'c1', email: 'ann@a.test', name: 'Cy Bee', company: 'New' };
    const known = { id: 'c1', email: 'ann@a.test', ...record };
    const { outcome } = await act(key, input, ({ method }) => ({ json: method === 'GET' ? [known] : known }));
    expect(outcome).toContain(words);
  }
});
