import { expect, test } from 'vitest';
import { act, type Item } from '../../support/zap-step.ts';

test.each([
  ['yes', 0],
  ['no', 1],
  [undefined, 1],
])('with Ask a Person First set to %j, an agreement is sent %i times', async (ask_first, sends) => {
  const draft = { id: 'a1', status: 'draft', url: 'https://a.test/a1' };
  const { outcome, writes } = await act('send_agreement', { agreement: 'a1', ask_first }, ({ method }) => ({
    json: method === 'GET' ? [draft] : { id: 'a1', status: 'sent' },
  }));
  expect(writes).toHaveLength(sends);
  expect(outcome).toMatchObject(
    sends ? { status: 'sent', draft_url: null } : { status: 'draft', draft_url: draft.url },
  );
});

test.each<[string, Item, boolean]>([
  ['send_agreement', { status: 'Sent' }, false],
  ['send_agreement', { status: 'pending', sent_at: '2030-01-01T00:00:00Z' }, false],
  ['send_agreement', { status: 'Completed' }, false],
  ['send_proposal', { status: 'declined' }, false],
  ['send_proposal', { status: 'Accepted' }, false],
  ['send_proposal', { status: 'lost' }, false],
  ['send_proposal', { status: 'opened' }, false],
  ['send_agreement', { status: 'approved' }, true],
  ['send_proposal', { status: 'pending' }, true],
])('%s asks a person only for a draft: %j', async (key, record, isDraft) => {
  const ask = { agreement: 'x1', proposal: 'x1', ask_first: 'yes' };
  const { outcome } = await act(key, ask, () => ({ json: [{ id: 'x1', url: 'https://a.test/x1', ...record }] }));
  expect(outcome).toEqual(isDraft ? expect.objectContaining(record) : expect.stringContaining('no longer a draft'));
});

test.each<[string, Item, string | undefined]>([
  ['send_agreement', { signer_emails: 'Ann <ANN@a.test>', message: 'Hi\n' }, undefined],
  ['send_agreement', { signer_emails: 'zoe@a.test' }, 'Signer Emails'],
  ['send_and_wait', { message: 'Hello' }, 'Message'],
  ['send_proposal', { recipient_emails: 'zoe@a.test' }, 'Recipient Emails'],
  ['send_proposal', { fields: { reminder_days: '3' } }, 'Additional Fields'],
])('%s for a person, with %j, stops if the draft would lack a value', async (key, input, lost) => {
  const draft = { id: 'x1', status: 'draft', message: 'Hi', recipients: [{ email: 'ann@a.test' }] };
  const ask = { agreement: 'x1', proposal: 'x1', ask_first: 'yes', ...input };
  const { outcome, writes } = await act(key, ask, () => ({ json: [draft] }));
  expect(writes).toEqual([]);
  expect(outcome).toEqual(lost ? expect.stringContaining(`"${lost}"`) : expect.objectContaining({ status: 'draft' }));
});
