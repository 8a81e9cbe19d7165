/** The questions to people as their pages and their calls find them: what was said, to whom, and for how long. */
import { expect, test } from 'vitest';
import { createDeclineStore } from '../../../../mcp/confirm/outcome.ts';
import { createConfirmationRequests } from '../../../../mcp/pages/confirmation-requests.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';

const ASKER = { grant: 'g', account: 'mine', browser: 'b' };

function open() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const state = createMemoryState({ now });
  const questions = createConfirmationRequests({ state: async () => state, getUrl: (token) => token, now });
  const effectKeys = ['effect'];
  const binding = { tool: 'delete_link', args: { id: 'l' }, account: 'mine' };
  const getDetails = async () => ({ headline: 'Deletes the link.', args: {}, about: undefined });
  const act = { binding, idempotencyKey: 'call', effectKeys, getConfirmationNonce: async () => 'round', getDetails };
  const stand = (asker = ASKER) => questions.findOrCreate(act, asker);
  return { clock, state, questions, effectKeys, stand, refusals: createDeclineStore(state, { now }) };
}

test('a yes on a page reads as a no where the same was refused elsewhere meanwhile', async () => {
  const { questions, effectKeys, stand, refusals } = open();
  const { url: token } = await stand();
  expect(await questions.recordDecision(token, 'accepted')).toBe('accepted');
  expect(await questions.find(token)).toMatchObject({ decision: 'accepted', isUsed: false });
  await refusals.add(effectKeys);
  expect(await questions.find(token)).toMatchObject({ decision: 'declined', isUsed: false });
});

test('a no on a page refuses the act, whichever way it is tried again; a yes does not', async () => {
  for (const word of ['accepted', 'declined'] as const) {
    const { questions, effectKeys, stand, refusals } = open();
    const { url: token } = await stand();
    await questions.recordDecision(token, word);
    expect((await refusals.find(effectKeys)) !== undefined).toBe(word === 'declined');
  }
});

test('the first word stands, and a call that settles hears it', async () => {
  const { questions, stand } = open();
  const question = await stand();
  expect(await question.recordDecline()).toBe('declined');
  expect(await questions.recordDecision(question.url, 'accepted')).toBe('declined');
  expect(await questions.recordDecision('x'.repeat(43), 'accepted')).toBeUndefined();
});

test('the same call under the same grant stands before the same question, another before its own', async () => {
  const { stand } = open();
  const first = await stand();
  expect([first.newDetails?.headline, (await stand()).newDetails]).toEqual(['Deletes the link.', undefined]);
  expect((await stand()).url).toBe(first.url);
  for (const other of [{ grant: 'h' }, { account: 'yours' }])
    expect((await stand({ ...ASKER, ...other })).url).not.toBe(first.url);
});

test('of two calls that ask at once both show one question, which one of them takes', async () => {
  const { stand, questions } = open();
  const [one, other] = await Promise.all([stand(), stand()]);
  expect(one.url).toBe(other.url);
  await questions.recordDecision(one.url, 'accepted');
  expect([await one.consume(), await other.consume()]).toEqual([true, false]);
});

test('a yes at the last minute waits for its call ten minutes, and is taken once', async () => {
  const { clock, questions, stand } = open();
  const question = await stand();
  clock.now += 9.9 * 60_000;
  await questions.recordDecision(question.url, 'accepted');
  clock.now += 9.9 * 60_000;
  const again = await stand();
  expect(again.url).toBe(question.url);
  expect(await again.waitForOutcome({ waitMs: 0, signal: new AbortController().signal })).toBe('accepted');
  expect([await again.consume(), await again.consume()]).toEqual([true, false]);
  expect(await questions.find(question.url)).toMatchObject({ decision: 'accepted', isUsed: true });
});

test('a yes that was taken by a call which then ended is history in a minute: the same is asked anew', async () => {
  const { clock, state, questions, stand } = open();
  const question = await stand();
  await questions.recordDecision(question.url, 'accepted');
  const remove = state.remove;
  // It ended before it could put the question away.
  state.remove = async () => undefined;
  expect(await question.consume()).toBe(true);
  state.remove = remove;
  clock.now += 60_000;
  expect((await stand()).url).toBe(question.url);
  clock.now += 1;
  expect((await stand()).url).not.toBe(question.url);
});

test('a question that nobody answered is closed after ten minutes, and then asked anew', async () => {
  const { clock, questions, stand } = open();
  const { url: token } = await stand();
  clock.now += 10 * 60_000 - 1;
  expect(await questions.find(token)).toMatchObject({ decision: undefined });
  clock.now += 1;
  expect(await questions.find(token)).toBeUndefined();
  expect((await stand()).url).not.toBe(token);
});

test('one sign-in, and one key, open so many questions and characters at once; an answered question frees its place', async () => {
  const { questions, stand } = open();
  const ask = (id: string, { grant = 'g', account = 'mine', text = '' } = {}) =>
    questions.findOrCreate(
      {
        binding: { tool: 'create_webhook', args: { id }, account },
        idempotencyKey: id,
        effectKeys: [id],
        getConfirmationNonce: async () => 'round',
        getDetails: async () => ({ headline: 'Creates.', args: { text }, about: undefined }),
      },
      { grant, account, browser: 'b' },
    );
  const first = await stand();
  for (let index = 1; index < 8; index++) await ask(`small ${index}`);
  await expect(ask('ninth')).rejects.toMatchObject({ code: 'too_many' });
  expect((await stand()).url).toBe(first.url);
  await questions.recordDecision(first.url, 'declined');
  await ask('ninth');
  const long = { text: 'x'.repeat(59_000) };
  for (const grant of ['h', 'i', 'j']) await ask('long', { grant, ...long });
  await expect(ask('short', { grant: 'h' })).rejects.toMatchObject({ code: 'too_many' });
  await expect(ask('short', { grant: 'k' })).rejects.toMatchObject({ code: 'too_many' });
  await ask('short', { grant: 'k', account: 'yours' });
});
