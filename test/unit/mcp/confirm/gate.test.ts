/** Nothing that can't be undone happens without a person's yes, and one yes is good for one act. */
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConfirmableCall } from '../../../../mcp/confirm/confirmable-call.ts';
import { texts } from '../../../mcp/texts.ts';
import { actOf, createGates, DECLINED, dataOf, type GateHost, hostOf, NO, YES } from '../../../support/gate-host.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
let gates = createGates(START);
beforeEach(() => {
  gates = createGates(START);
});
const server = (more: { tokensOnly?: boolean; formWaitMs?: number } = {}) => gates.server(more);
const check = (host: GateHost, act: Partial<ConfirmableCall> = {}, gate = server()) => gates.check(host, act, gate);
const tokenOf = (act: Partial<ConfirmableCall> = {}) => gates.tokenOf(act);
const FORM = { forms: true, answer: () => YES };

describe('where the host shows no form', () => {
  test('a preview tells what would happen, and does nothing', async () => {
    expect(await check({})).toEqual({
      approved: false,
      result: {
        data: {
          done: false,
          preview: 'Deletes the link.\n\nRequest:\n- id: "l"',
          about: { name: 'Deck' },
          confirm_token: expect.stringMatching(/^[\w-]+(\.[\w-]*){6}$/),
          next: texts.nothingBeenDoneYetShow,
        },
        unredactedFields: ['confirm_token'],
        trustedFields: ['preview', 'next', 'confirm_token'],
      },
    });
    expect(dataOf(await check({}, { preview: async () => undefined }))).not.toHaveProperty('about');
  });

  test('its token is good for the act once', async () => {
    const token = await tokenOf();
    expect(await check({}, { token })).toEqual({ approved: true, channel: 'token' });
    await expect(check({}, { token })).rejects.toMatchObject({
      code: 'not_confirmed',
      details: { fault: 'used' },
      message: texts.confirmTokenAlreadyUsed,
    });
  });

  const { binding } = actOf();
  test.each<[string, string, Partial<ConfirmableCall>]>([
    ['other_tool', texts.belongsToAnotherTool, { binding: { ...binding, tool: 'delete_room' } }],
    ['other_arguments', texts.belongsToOtherArguments, { binding: { ...binding, args: { id: 'm' } } }],
    ['other_key', texts.belongsAnotherApiKey, { binding: { ...binding, account: 'yours' } }],
    ['forged', texts.wasNotIssuedByThis, { token: 'a.b.c.d.e.f.g' }],
  ])('a token that is %s is refused, and says so', async (fault, words, more) => {
    const token = await tokenOf();
    await expect(check({}, { token, ...more })).rejects.toMatchObject({
      details: { fault },
      message: expect.stringMatching(`^confirm_token ${words}\\. Nothing was done\\.`),
    });
  });

  test('a token of more than ten minutes ago is refused', async () => {
    const token = await tokenOf();
    gates.clock.now += 10 * MINUTE_MS;
    await expect(check({}, { token })).rejects.toMatchObject({
      details: { fault: 'expired' },
      message: expect.stringContaining(texts.confirmTokenExpiredValid),
    });
  });

  test('of two previews of the same one is carried out', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()];
    expect(await check({}, { token: first })).toMatchObject({ approved: true });
    await expect(check({}, { token: second })).rejects.toMatchObject({
      details: { fault: 'overtaken' },
      message: expect.stringContaining(texts.confirmTokenLongerNeeded),
    });
    // Asked after that, the same may be done again.
    expect(await check({}, { token: await tokenOf() })).toMatchObject({ approved: true });
  });

  test('no form is shown, and no card, to a host whose person starts the server with tokens', async () => {
    const host = hostOf({ ...FORM, cards: true });
    const verdict = await server({ tokensOnly: true }).request(actOf(), host.mcp, host.formDoor);
    expect(dataOf(verdict)).toHaveProperty('confirm_token');
    expect(host.asked).not.toHaveBeenCalled();
  });
});

describe('a form of the 2025 era', () => {
  test('says what will happen, with a box that nobody has ticked, and waits 40 s unless told', async () => {
    const host = hostOf(FORM);
    expect(await server().request(actOf(), host.mcp, host.formDoor)).toEqual({ approved: true, channel: 'form' });
    expect(host.asked).toHaveBeenCalledExactlyOnceWith(
      {
        mode: 'form',
        message: 'Deletes the link.\n\nRequest:\n- id: "l"\n\nDetails (from the service): {"name":"Deck"}',
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Approve this action', default: false } },
          required: ['confirm'],
        },
      },
      { timeout: 40_000, signal: expect.any(AbortSignal) },
    );
  });

  test.each<[string, () => unknown]>([
    ['a no', () => NO],
    ['a form that is closed', () => ({ action: 'cancel', content: { confirm: true } })],
    ['a box that is not ticked', () => ({ action: 'accept', content: { confirm: false } })],
    ['a form without its box', () => ({ action: 'accept', content: {} })],
    ['a form without its content', () => ({ action: 'accept' })],
    ['words in place of the tick', () => ({ action: 'accept', content: { confirm: 'true' } })],
    [
      'a form that breaks',
      () => {
        throw new Error('the window is gone');
      },
    ],
    [
      'a host that hangs up',
      () => {
        throw new SdkError(SdkErrorCode.ConnectionClosed, 'closed');
      },
    ],
  ])('%s is no yes, and stands for ten minutes in every way of asking', async (_, answer) => {
    const gate = server();
    expect(dataOf(await check({ forms: true, answer }, {}, gate))).toEqual(DECLINED);
    gates.clock.now += 61_000;
    const later = { ...DECLINED, next: DECLINED.next.replace('the form.', 'the form 61 s ago.') };
    expect(await server().findDecline('deed')).toEqual({ data: later, trustedFields: ['next'] });
    const host = hostOf(FORM);
    expect(dataOf(await server().request(actOf(), host.mcp, host.formDoor))).toEqual(later);
    expect(host.asked).not.toHaveBeenCalled();
    expect(dataOf(await check({}))).toEqual(later);
    expect(await server().findDecline('another deed')).toBeUndefined();
    gates.clock.now += 10 * MINUTE_MS - 61_000;
    expect(await check(FORM)).toEqual({ approved: true, channel: 'form' });
  });

  test('whose answer was no message does nothing, says so, and is no no; any other refusal of the protocol is one', async () => {
    const refusedBy = (code: number) => () => {
      throw new ProtocolError(code, 'no');
    };
    expect(await check({ forms: true, answer: refusedBy(-32_700) })).toEqual({
      approved: false,
      result: {
        data: { done: false, no_response: true, next: expect.stringContaining(texts.replyFormMalformedNothing) },
        trustedFields: ['next'],
      },
    });
    expect(await server().findDecline('deed')).toBeUndefined();
    expect(dataOf(await check({ forms: true, answer: refusedBy(-32_600) }))).toEqual(DECLINED);
    const named = () => {
      throw Object.assign(new Error('no'), { code: -32_700 });
    };
    expect(dataOf(await check({ forms: true, answer: named }, { idempotencyKey: 'other' }))).toEqual(DECLINED);
  });

  test('that nobody answers does nothing, and is no no', async () => {
    const answer = () => {
      throw new SdkError(SdkErrorCode.RequestTimeout, 'late');
    };
    const token = await tokenOf();
    expect(await check({ forms: true, answer }, {}, server({ formWaitMs: 7400 }))).toEqual({
      approved: false,
      result: { data: { done: false, no_response: true, next: texts.userDidAnswerForm }, trustedFields: ['next'] },
    });
    // What was asked before stays open.
    expect(await check({}, { token })).toEqual({ approved: true, channel: 'token' });
    expect(await check(FORM)).toEqual({ approved: true, channel: 'form' });
  });

  test.each<[string, () => unknown]>([
    ['breaks the form', () => Promise.reject(new Error('aborted'))],
    ['comes before the yes', () => YES],
  ])('a cancel that %s does nothing, and is no no', async (_, answer) => {
    const abort = new AbortController();
    const cancelled = () => {
      abort.abort(new Error('cancelled'));
      return answer();
    };
    await expect(check({ forms: true, answer: cancelled, signal: abort.signal })).rejects.toThrow('cancelled');
    expect(await check(FORM)).toEqual({ approved: true, channel: 'form' });
  });

  const GONE = {
    done: false,
    no_response: true,
    next: expect.stringMatching(
      /^Another identical call .* has ended, .* Nothing was done\. Call again to ask again\.$/,
    ),
  };

  test('whose call is cancelled is gone for who has joined it, and no no', async () => {
    const gate = server();
    const abort = new AbortController();
    const { promise, reject } = Promise.withResolvers<unknown>();
    const first = check({ forms: true, answer: () => promise, signal: abort.signal }, {}, gate);
    const joined = check(FORM, {}, gate);
    abort.abort(new Error('cancelled'));
    reject(new Error('aborted'));
    await expect(first).rejects.toThrow('cancelled');
    expect(dataOf(await joined)).toEqual(GONE);
    expect(await check(FORM, {}, gate)).toEqual({ approved: true, channel: 'form' });
  });

  test('that could not be made is gone too', async () => {
    const gate = server();
    const { promise, reject } = Promise.withResolvers<undefined>();
    const first = check(FORM, { preview: () => promise }, gate);
    const joined = check(FORM, {}, gate);
    reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    expect(dataOf(await joined)).toEqual(GONE);
  });

  test('of a cancelled call is taken away, and who waits for it hears of no yes', async () => {
    const gate = server();
    const abort = new AbortController();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const first = hostOf({ forms: true, answer: () => promise, signal: abort.signal });
    const cancelled = gate.request(actOf(), first.mcp, first.formDoor);
    await vi.waitFor(() => expect(first.asked).toHaveBeenCalled());
    expect(first.asked).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ signal: abort.signal }));
    const second = hostOf(FORM);
    const joined = gate.request(actOf(), second.mcp, second.formDoor);
    abort.abort(new Error('cancelled'));
    resolve(YES);
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(dataOf(await joined)).toEqual(GONE);
  });

  test('takes no token: the person is asked', async () => {
    const token = await tokenOf();
    const host = hostOf(FORM);
    const verdict = server().request(actOf({ token }), host.mcp, host.formDoor);
    await expect(verdict).rejects.toMatchObject({
      code: 'not_confirmed',
      details: { fault: 'forms' },
      message: texts.hostShowsConfirmationForms,
    });
    expect(host.asked).not.toHaveBeenCalled();
  });

  test('has no state: one that a host sends along is not read', async () => {
    const state = await tokenOf();
    expect(await check({ ...FORM, back: { state, reply: YES } })).toEqual({ approved: true, channel: 'form' });
  });

  test('is overtaken by a yes that came in another way meanwhile', async () => {
    const token = await tokenOf();
    const answer = async () => {
      await check({}, { token });
      return YES;
    };
    await expect(check({ forms: true, answer })).rejects.toMatchObject({
      details: { fault: 'overtaken' },
      message: expect.stringMatching(/^The form’s answer is no longer needed/),
    });
  });

  test.each([
    [
      'yes',
      YES,
      { done: false, duplicate_request: true, next: expect.stringContaining(texts.alreadyConfirmedEarlierIdentical) },
    ],
    ['no', NO, DECLINED],
  ])('is asked once for two calls of the same: its %s is heard by both', async (_, reply, heard) => {
    const gate = server();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const first = check({ forms: true, answer: () => promise }, {}, gate);
    const second = hostOf(FORM);
    const joined = gate.request(actOf(), second.mcp, second.formDoor);
    resolve(reply);
    expect(await joined).toEqual({ approved: false, result: { data: heard, trustedFields: ['next'] } });
    expect((await first).approved).toBe(reply === YES);
    expect(second.asked).not.toHaveBeenCalled();
    // Answered, it is closed: the next call is asked anew.
    if (reply === YES) expect(await check(FORM, {}, gate)).toEqual({ approved: true, channel: 'form' });
  });
});
