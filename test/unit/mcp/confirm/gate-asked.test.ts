/** Questions whose answer comes with another call: forms of the modern era, cards and pages. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { ConfirmableCall } from '../../../../mcp/confirm/confirmable-call.ts';
import { texts } from '../../../mcp/texts.ts';
import { actOf, createGates, DECLINED, dataOf, type GateHost, NO, YES } from '../../../support/gate-host.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
let gates = createGates(START);
beforeEach(() => {
  gates = createGates(START);
});
const server = (more: { tokensOnly?: boolean; formWaitMs?: number } = {}) => gates.server(more);
const check = (host: GateHost, act: Partial<ConfirmableCall> = {}, gate = server()) => gates.check(host, act, gate);
const tokenOf = (act: Partial<ConfirmableCall> = {}) => gates.tokenOf(act);
const MODERN = { forms: true, era: 'modern' } as const;
const FORM = { forms: true, answer: () => YES };

describe('a form of the modern era', () => {
  const ask = async (act: Partial<ConfirmableCall> = {}, gate = server()) => {
    const verdict = await check(MODERN, act, gate);
    if (verdict.approved || !('inputRequired' in verdict)) throw new Error(`not asked: ${JSON.stringify(verdict)}`);
    return verdict.inputRequired as { requestState: string; inputRequests: Record<string, unknown> };
  };
  const bring = (state: string, reply?: object, act: Partial<ConfirmableCall> = {}) =>
    check({ ...MODERN, back: { state, ...(reply === undefined ? {} : { reply }) } }, act);

  test('goes out with a state, and its answer comes back with the call', async () => {
    const { requestState, inputRequests } = await ask();
    expect(inputRequests).toEqual({
      confirm: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: expect.stringContaining('Deletes the link.'),
          requestedSchema: expect.objectContaining({ required: ['confirm'] }),
        },
      },
    });
    expect(await bring(requestState, YES)).toEqual({ approved: true, channel: 'form' });
    await expect(bring(requestState, YES)).rejects.toMatchObject({
      message: expect.stringMatching(/^The form’s state was already used/),
    });
  });

  test.each([
    ['without an answer', undefined],
    ['with a no', NO],
    ['with a box that is not ticked', { action: 'accept', content: { confirm: false } }],
    ['with words', { role: 'user', content: 'yes' }],
  ])('that comes back %s is a no', async (_, reply) => {
    const { requestState } = await ask();
    expect(dataOf(await bring(requestState, reply))).toEqual(DECLINED);
    expect(dataOf(await check({}))).toMatchObject({ declined: true });
  });

  test('takes no state but its own', async () => {
    const { requestState } = await ask();
    const other = { binding: { ...actOf().binding, args: { id: 'm' } } };
    await expect(bring(requestState, YES, other)).rejects.toMatchObject({ details: { fault: 'other_arguments' } });
    await expect(bring('forged', YES)).rejects.toMatchObject({ details: { fault: 'forged' } });
    // Of another kind of asking: what a model saw is no answer of a person, nor the other way round.
    await expect(bring(await tokenOf({ idempotencyKey: 'own' }), YES)).rejects.toMatchObject({
      details: { fault: 'other_tool' },
    });
    await expect(check({}, { token: requestState })).rejects.toMatchObject({ details: { fault: 'other_tool' } });
    expect(await bring(requestState, YES)).toMatchObject({ approved: true });
  });

  test('is overtaken by a yes that came in another way meanwhile', async () => {
    const token = await tokenOf();
    const { requestState } = await ask();
    expect(await check({}, { token })).toMatchObject({ approved: true });
    await expect(bring(requestState, YES)).rejects.toMatchObject({ details: { fault: 'overtaken' } });
  });

  test('that could not be made is not waited for, and is no no to who has joined it', async () => {
    const { promise, reject } = Promise.withResolvers<undefined>();
    const gate = server();
    const first = check(MODERN, { preview: () => promise }, gate);
    const joined = check(MODERN, {}, gate);
    reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    expect(dataOf(await joined)).toMatchObject({
      no_response: true,
      next: expect.stringContaining(texts.hasEndedSoItsForm),
    });
    expect(await ask({}, gate)).toHaveProperty('requestState');
  });

  test('is waited for by a second call of the same, at any server', async () => {
    for (const [word, heard] of [
      [YES, { duplicate_request: true }],
      [NO, { declined: true }],
    ] as const) {
      const [gate, deed] = [server(), `deed ${word.action}`];
      const { requestState } = await ask({ idempotencyKey: deed }, gate);
      const second = check(MODERN, { idempotencyKey: deed }, gate);
      await check({ ...MODERN, back: { state: requestState, reply: word } }, { idempotencyKey: deed }, gate);
      expect(dataOf(await second)).toMatchObject({ done: false, ...heard });
    }
  });
});

describe('a card', () => {
  const CARDS = { cards: true };
  const show = async (host: GateHost = CARDS, act: Partial<ConfirmableCall> = {}) => {
    const verdict = await check(host, act);
    expect(verdict.approved, 'a card that is shown is no yes').toBe(false);
    const { meta = {}, data } = 'result' in verdict ? verdict.result : { data: {} };
    const [asked] = Object.values(meta) as { token: string }[];
    return { data, token: asked?.token };
  };
  const decide = (token: string, go: boolean, act: Partial<ConfirmableCall> = {}) =>
    check({ ...CARDS, decision: { token, approved: go } }, act);

  test('holds what its answer needs where the model does not see it', async () => {
    const { data, token = '' } = await show();
    expect(data).toMatchObject({ done: false, preview: expect.stringMatching(/^Deletes the link/) });
    expect(JSON.stringify(data)).not.toContain(token);
    expect(await decide(token, true)).toEqual({ approved: true, channel: 'card' });
    await expect(decide(token, true)).rejects.toMatchObject({
      message: expect.stringMatching(/^The card’s token was already used/),
    });
  });

  test('whose person says no is a no everywhere', async () => {
    const { token = '' } = await show();
    expect(dataOf(await decide(token, false))).toEqual(DECLINED);
    expect(dataOf(await decide(token, true))).toEqual(DECLINED);
    expect(dataOf(await check({}))).toEqual(DECLINED);
  });

  test('and a preview take no token of the other', async () => {
    await expect(decide(await tokenOf(), true)).rejects.toMatchObject({ details: { fault: 'other_tool' } });
    const { token } = await show(CARDS, { idempotencyKey: 'own' });
    await expect(check({}, { token })).rejects.toMatchObject({ details: { fault: 'other_tool' } });
  });

  test('is shown once where the host has forms as well, and again where it has none', async () => {
    expect((await show()).token).toBeDefined();
    expect((await show()).token).toBeDefined();
    expect(await check({ ...FORM, ...CARDS })).toEqual({ approved: true, channel: 'form' });
    expect((await show({ ...FORM, ...CARDS }, { idempotencyKey: 'new' })).token).toBeDefined();
    gates.clock.now += 10 * MINUTE_MS;
    expect((await show({ ...FORM, ...CARDS })).token).toBeDefined();
  });

  test('and a form about the same are good for one act', async () => {
    const { token = '' } = await show({ ...FORM, ...CARDS });
    expect(await check({ ...FORM, ...CARDS })).toEqual({ approved: true, channel: 'form' });
    await expect(decide(token, true)).rejects.toMatchObject({ details: { fault: 'overtaken' } });
  });
});
