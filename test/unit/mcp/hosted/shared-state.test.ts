import { expect, test } from 'vitest';
import { createDeclineStore } from '../../../../mcp/confirm/outcome.ts';
import type { ClaimsEncryptor } from '../../../../mcp/hosted/oauth/claims-encryptor.ts';
import { createGrants } from '../../../../mcp/hosted/oauth/grants.ts';
import { createConfirmationRequests } from '../../../../mcp/pages/confirmation-requests.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const KEY = 'key_of_the_grants';
const LIFETIME_MS = 60 * 24 * 60 * 60_000;

function openGrants() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const state = createMemoryState({ now });
  const seals = createStub<ClaimsEncryptor>({
    getHashes: (subject: string, text: string) => [`${subject} of ${text}`],
  });
  return { clock, grants: createGrants({ state: async () => state, claimsEncryptor: seals, ttlMs: LIFETIME_MS, now }) };
}

const noteOf = (id: string, usedAt: number) => {
  return { id, client: 'App', place: 'app.example', readOnly: false, scopes: [], since: usedAt, usedAt };
};

test('beyond 200 grants of one key, the one that was idle longest is revoked, so that every valid grant is listed', async () => {
  const { grants } = openGrants();
  const idle = 'grant 77';
  for (let at = 0; at < 200; at += 1)
    await grants.recordUse(KEY, noteOf(`grant ${at}`, `grant ${at}` === idle ? 1 : 1000 + at));
  expect(await grants.isRevoked({ id: idle, key: KEY })).toBe(false);
  await grants.recordUse(KEY, noteOf('one more', 5000));
  expect(await grants.isRevoked({ id: idle, key: KEY })).toBe(true);
  expect(await grants.isRevoked({ id: 'grant 0', key: KEY })).toBe(false);
  const listed = (await grants.list(KEY)).map(({ id }) => id);
  expect(listed).toHaveLength(200);
  expect([listed[0], listed.includes(idle)]).toEqual(['one more', false]);
});

test('a grant that is used again keeps the time it was created', async () => {
  const { grants } = openGrants();
  await grants.recordUse(KEY, noteOf('grant', 1000));
  await grants.recordUse(KEY, noteOf('grant', 9000));
  expect(await grants.list(KEY)).toMatchObject([{ id: 'grant', since: 1000, usedAt: 9000 }]);
  expect(await grants.list('another key')).toEqual([]);
});

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

test('an approval on a page counts as declined if the action was declined elsewhere before it was used', async () => {
  const { questions, effectKeys, openQuestion, declines } = open();
  const { url: token, consume, recordDecline, secondsLeft } = await openQuestion();
  expect(secondsLeft).toBe(600);
  expect(await questions.recordDecision(token, 'accepted')).toBe('accepted');
  expect(await questions.find(token)).toMatchObject({ decision: 'accepted', isUsed: false });
  // The first decision counts.
  expect(await recordDecline()).toBe('accepted');
  await declines.add(effectKeys);
  expect(await questions.find(token)).toMatchObject({ decision: 'declined', isUsed: false, isWithdrawable: false });
  await consume();
  expect(await questions.find(token)).toMatchObject({ decision: 'accepted', isUsed: true });
});

test('a withdrawn decline blocks nothing, and the page asks again', async () => {
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
  // An approval cannot be withdrawn.
  await questions.withdrawDecline(question.url);
  expect((await openQuestion()).url).toBe(question.url);
  expect(await questions.find(question.url)).toMatchObject({ decision: 'accepted' });
});

test('a used approval expires after a minute, and then a new confirmation is requested', async () => {
  const { clock, state, questions, openQuestion } = open();
  const question = await openQuestion();
  await questions.recordDecision(question.url, 'accepted');
  const remove = state.remove;
  // The server ended before it could remove the confirmation.
  state.remove = async () => undefined;
  expect(await question.consume()).toBe(true);
  state.remove = remove;
  clock.now += 60_000;
  expect((await openQuestion()).url).toBe(question.url);
  clock.now += 1;
  expect((await openQuestion()).url).not.toBe(question.url);
});

test('a decline counts if the state fails while it is recorded', async () => {
  const { state, questions, effectKeys, openQuestion, declines } = open();
  const { url: token } = await openQuestion();
  state.remove = () => Promise.reject(new Error('connection lost'));
  await expect(questions.recordDecision(token, 'declined')).rejects.toThrow('connection lost');
  expect(await declines.find(effectKeys)).toBe(0);
});

test('confirmations are limited by number and length, per grant and per key, whether open or answered', async () => {
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
  const theirs = { grant: 't', account: 'theirs' };
  const answer = async (id: string) => questions.recordDecision((await ask(id, theirs)).url, 'accepted');
  for (let index = 0; index < 64 + 8; index++) await answer(`answered ${index}`);
  await expect(answer('one more')).rejects.toMatchObject({ code: 'too_many' });
});
