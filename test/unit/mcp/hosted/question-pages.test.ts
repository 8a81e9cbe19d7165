/** Confirmation requests, as their pages and their calls see them: the decision, its owner, and its expiry. */

import { expect, test } from 'vitest';
import { createDeclineStore } from '../../../../mcp/confirm/outcome.ts';
import { createConfirmationRequests } from '../../../../mcp/pages/confirmation-requests.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const REQUESTER = { grant: 'g', account: 'mine', browser: 'b' };

function open() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const state = createMemoryState({ now });
  const questions = createConfirmationRequests({ state: async () => state, getUrl: (token) => token, now });
  const effectKeys = ['effect'];
  const binding = { tool: 'delete_link', args: { id: 'l' }, account: 'mine' };
  const getDetails = async () => ({ headline: 'Deletes the link.', args: {}, about: undefined });
  const request = {
    binding,
    idempotencyKey: 'call',
    effectKeys,
    getConfirmationNonce: async () => 'round',
    getDetails,
  };
  const openQuestion = (requester = REQUESTER) => questions.findOrCreate(request, requester);
  return { clock, state, questions, effectKeys, openQuestion, declines: createDeclineStore(state, { now }) };
}

test('an approval on a page counts as declined if the action was declined elsewhere meanwhile', async () => {
  const { questions, effectKeys, openQuestion, declines } = open();
  const { url: token } = await openQuestion();
  expect(await questions.recordDecision(token, 'accepted')).toBe('accepted');
  expect(await questions.find(token)).toMatchObject({ decision: 'accepted', isUsed: false });
  await declines.add(effectKeys);
  expect(await questions.find(token)).toMatchObject({ decision: 'declined', isUsed: false });
});

test('a decline on a page blocks the action, however it is retried, and an approval does not', async () => {
  for (const word of ['accepted', 'declined'] as const) {
    const { questions, effectKeys, openQuestion, declines } = open();
    const { url: token } = await openQuestion();
    await questions.recordDecision(token, word);
    expect((await declines.find(effectKeys)) !== undefined).toBe(word === 'declined');
  }
});

test('the first decision is final', async () => {
  const { questions, openQuestion } = open();
  const question = await openQuestion();
  expect(await question.recordDecline()).toBe('declined');
  expect(await questions.recordDecision(question.url, 'accepted')).toBe('declined');
  expect(await questions.recordDecision('x'.repeat(43), 'accepted')).toBeUndefined();
});

test('a decline that the person takes back blocks nothing, and the page asks again', async () => {
  const { clock, questions, effectKeys, openQuestion, declines } = open();
  const question = await openQuestion();
  clock.now += 9 * 60_000;
  await questions.recordDecision(question.url, 'declined');
  clock.now += 2 * 60_000;
  await questions.withdrawDecline(question.url);
  expect([await declines.find(effectKeys), (await questions.find(question.url))?.decision]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await questions.recordDecision(question.url, 'accepted')).toBe('accepted');
  // An approval is not taken back this way.
  await questions.withdrawDecline(question.url);
  expect((await openQuestion()).url).toBe(question.url);
  expect(await questions.find(question.url)).toMatchObject({ decision: 'accepted' });
});

test('the same call of the same grant opens the same question, and another grant its own', async () => {
  const { openQuestion } = open();
  const first = await openQuestion();
  expect([first.newDetails?.headline, (await openQuestion()).newDetails]).toEqual(['Deletes the link.', undefined]);
  expect((await openQuestion()).url).toBe(first.url);
  for (const other of [{ grant: 'h' }, { account: 'yours' }])
    expect((await openQuestion({ ...REQUESTER, ...other })).url).not.toBe(first.url);
});

test('two simultaneous calls show one question, and only one of them uses its approval', async () => {
  const { openQuestion, questions } = open();
  const [one, other] = await Promise.all([openQuestion(), openQuestion()]);
  expect(one.url).toBe(other.url);
  await questions.recordDecision(one.url, 'accepted');
  expect([await one.consume(), await other.consume()]).toEqual([true, false]);
});

test('a late approval stays valid for ten minutes, and is used once', async () => {
  const { clock, questions, openQuestion } = open();
  const question = await openQuestion();
  clock.now += 9.9 * 60_000;
  await questions.recordDecision(question.url, 'accepted');
  clock.now += 9.9 * 60_000;
  const again = await openQuestion();
  expect(again.url).toBe(question.url);
  expect(await again.waitForOutcome({ waitMs: 0, signal: new AbortController().signal })).toBe('accepted');
  expect([await again.consume(), await again.consume()]).toEqual([true, false]);
  expect(await questions.find(question.url)).toMatchObject({ decision: 'accepted', isUsed: true });
});

test('a used approval expires after a minute, and then the question is asked again', async () => {
  const { clock, state, questions, openQuestion } = open();
  const question = await openQuestion();
  await questions.recordDecision(question.url, 'accepted');
  const remove = state.remove;
  // It ended before it could put the question away.
  state.remove = async () => undefined;
  expect(await question.consume()).toBe(true);
  state.remove = remove;
  clock.now += 60_000;
  expect((await openQuestion()).url).toBe(question.url);
  clock.now += 1;
  expect((await openQuestion()).url).not.toBe(question.url);
});

test('an unanswered question closes after ten minutes, and is then asked again', async () => {
  const { clock, questions, openQuestion } = open();
  const { url: token } = await openQuestion();
  clock.now += 10 * 60_000 - 1;
  expect(await questions.find(token)).toMatchObject({ decision: undefined });
  clock.now += 1;
  expect(await questions.find(token)).toBeUndefined();
  expect((await openQuestion()).url).not.toBe(token);
});

test('open questions are limited by number and length, per sign-in and per key, and a decision frees a slot', async () => {
  const { questions, openQuestion } = open();
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
  const first = await openQuestion();
  for (let index = 1; index < 8; index++) await ask(`small ${index}`);
  await expect(ask('ninth')).rejects.toMatchObject({ code: 'too_many' });
  expect((await openQuestion()).url).toBe(first.url);
  await questions.recordDecision(first.url, 'declined');
  await ask('ninth');
  const long = { text: 'x'.repeat(59_000) };
  for (const grant of ['h', 'i', 'j']) await ask('long', { grant, ...long });
  await expect(ask('short', { grant: 'h' })).rejects.toMatchObject({ code: 'too_many' });
  await expect(ask('short', { grant: 'k' })).rejects.toMatchObject({ code: 'too_many' });
  await ask('short', { grant: 'k', account: 'yours' });
});
