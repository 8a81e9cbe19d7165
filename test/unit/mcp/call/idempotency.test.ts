/** What was sent is not sent again, what may have happened is said to, and what failed blocks nothing. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createIdempotencyStore, IDEMPOTENCY_TTL_MS } from '../../../../mcp/call/idempotency.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import type { ToolResult } from '../../../../mcp/tool/tool.ts';
import { ToolError } from '../../../../mcp/tool-error.ts';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../../../src/errors.ts';
import { texts } from '../../../mcp/texts.ts';

let now = 0;
let state = createMemoryState();
beforeEach(() => {
  now = Date.UTC(2026, 10, 21);
  state = createMemoryState({ now: () => now });
});
/** Each is a server of its own on the one state. */
const server = () => createIdempotencyStore({ state: async () => state, now: () => now });
const { signal } = new AbortController();
const ONCE = { deduplicate: true, mayRepeat: false, signal };
const ANY = { deduplicate: false, mayRepeat: false, signal };
const sent: ToolResult = { data: { sent: true, id: 'a' }, trustedFields: ['next'], unredactedFields: ['x'] };
const acts = (answer: ToolResult | Error = sent) =>
  vi.fn(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });

describe.each([
  ['the same server', false],
  ['another server', true],
])('at %s', (_, isOther) => {
  const pair = () => {
    const first = server();
    return [first, isOther ? server() : first] as const;
  };

  test('a second send within ten minutes does nothing, and tells of the first', async () => {
    const [first, second] = pair();
    const act = acts();
    expect(await first.run('d', act, ONCE)).toEqual(sent);
    now += 7000;
    const mayRepeat = await second.run('d', act, ONCE);
    expect(mayRepeat.data).toEqual({
      sent: true,
      id: 'a',
      repeated: true,
      message: expect.stringContaining('the same was sent 7 s ago'),
    });
    expect(mayRepeat).toMatchObject({ trustedFields: ['next', 'message'], unredactedFields: ['x'] });
    expect(act).toHaveBeenCalledOnce();
    expect(await second.find('d', { signal })).toMatchObject({ kind: 'done', secondsAgo: 7, result: sent });
  });

  test('after ten minutes, and for another call, it is sent', async () => {
    const [first, second] = pair();
    const act = acts();
    await first.run('d', act, ONCE);
    await second.run('e', act, ONCE);
    now += IDEMPOTENCY_TTL_MS - 1;
    await second.run('d', act, ONCE);
    expect(act).toHaveBeenCalledTimes(2);
    now += 1;
    await second.run('d', act, ONCE);
    expect(act).toHaveBeenCalledTimes(3);
  });

  test('a failed send blocks nothing', async () => {
    const [first, second] = pair();
    await expect(first.run('d', acts(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await second.find('d', { signal })).toBeUndefined();
    expect(await second.run('d', acts(), ONCE)).toEqual(sent);
  });

  test.each([
    ['unknown', new UnknownOutcomeError('?', 'agreements.send')],
    ['an answer that can not be read', new UnexpectedResponseError('?', { operation: 'x', status: 200, excerpt: '' })],
    ['unknown to a tool', new ToolError('unknown_outcome', '?')],
  ])('a send whose outcome is %s is not repeated, unless a person agreed once more', async (_why, error) => {
    const [first, second] = pair();
    await expect(first.run('d', acts(error), ONCE)).rejects.toBe(error);
    expect(await second.find('d', { signal })).toEqual({ kind: 'unknown', secondsAgo: 0 });
    const act = acts();
    await expect(second.run('d', act, ONCE)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(act).not.toHaveBeenCalled();
    expect(await second.run('d', act, { ...ONCE, mayRepeat: true })).toEqual(sent);
    expect(act).toHaveBeenCalledOnce();
  });

  test('what may run more than once runs each time; only a doubt is remembered, until it went well', async () => {
    const [first, second] = pair();
    const act = acts();
    await first.run('d', act, ANY);
    await second.run('d', act, ANY);
    expect(act).toHaveBeenCalledTimes(2);
    expect(await second.find('d', { signal })).toBeUndefined();
    await expect(first.run('d', acts(new ToolError('other', '?')), ANY)).rejects.toThrow();
    expect(await second.find('d', { signal })).toBeUndefined();
    await expect(first.run('d', acts(new UnknownOutcomeError('?', 'x')), ANY)).rejects.toThrow();
    expect(await second.find('d', { signal })).toMatchObject({ kind: 'unknown' });
    await second.run('d', act, ANY);
    expect(await second.find('d', { signal })).toBeUndefined();
  });
});

test('of two at once one runs, and both hear its answer', async () => {
  const ledger = server();
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  const act = vi.fn(() => promise);
  const both = [ledger.run('d', act, ONCE), ledger.run('d', act, ONCE)];
  resolve(sent);
  const [one, two] = await Promise.all(both);
  expect([one?.data['repeated'], two?.data['repeated']]).toEqual([undefined, true]);
  expect(act).toHaveBeenCalledOnce();
});

test('of a send that runs at a server which is gone, it is said that it may have happened', async () => {
  const [first, second] = [server(), server()];
  void first.run('d', () => new Promise(() => undefined), ONCE);
  await expect.poll(() => state.get('call d')).toMatchObject({ status: 'running' });
  now += 31_000;
  const act = acts();
  await expect(second.run('d', act, ONCE)).rejects.toThrow(texts.sameCallMade31);
  expect(act).not.toHaveBeenCalled();
});

test('a state that keeps no texts, and a long answer, keep what was done and to what', async () => {
  const long = { data: { ...sent.data, done: true, deleted: false, note: 'x'.repeat(40_000) } };
  const kept = { sent: true, id: 'a', done: true, deleted: false };
  await server().run('d', acts(long), ONCE);
  expect((await server().find('d', { signal })) as object).toMatchObject({ result: { data: kept } });
  expect(JSON.stringify(await state.get('call d'))).not.toContain('xxx');
  state = { ...state, canStoreUserText: false };
  await server().run('e', acts({ data: { ...sent.data, note: 'words' } }), ONCE);
  expect(JSON.stringify(await state.get('call e'))).not.toContain('words');
});
