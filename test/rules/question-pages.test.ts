/** What a page shows of an answer to its question. */
import { expect, test } from 'vitest';
import { createRefusals } from '../../mcp/call/word.ts';
import { createQuestions } from '../../mcp/hosted/confirm/questions.ts';
import { createMemoryState } from '../../mcp/state/memory-state.ts';
import { actOf } from '../world/gate-host.ts';

test('a yes on a page reads as a no where the same was refused elsewhere meanwhile', async () => {
  const state = createMemoryState();
  const questions = createQuestions({ state: async () => state, urlOf: (token) => token });
  const { binding, deed } = actOf();
  const show = async () => ({ will: 'Deletes the link.', args: {}, about: undefined });
  const asker = { grant: 'g', account: 'mine', browser: 'b' };
  const { url: token } = await questions.stand({ binding, deed, round: async () => 'round', show }, asker);
  expect(await questions.answer(token, 'yes')).toBe('yes');
  expect(await questions.find(token)).toMatchObject({ word: 'yes', spent: false });
  await createRefusals(state, { now: Date.now }).add(deed);
  expect(await questions.find(token)).toMatchObject({ word: 'no', spent: false });
});
