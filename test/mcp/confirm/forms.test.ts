import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient, createLimiter } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { type InProcess, openInProcess, openRaw } from '../../support/mcp-in-process.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const limiter = createLimiter({ requests: 1000, windowMs: 1000 });
const client = await closeAfterAll(createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url, limiter }));
beforeEach(() => sandbox.log.clear());

const deletes = () => sandbox.log.entries().filter(({ method }) => method === 'DELETE').length;
const YES = { action: 'accept', content: { confirm: true } } as const;

/** A host of the 2025 era whose user answers when the test says so. */
async function openPerson(options: Partial<InProcess> = {}) {
  const host = await openInProcess({ client, confirm: 'auto', forms: true, ...options });
  const answers: ((reply: object) => void)[] = [];
  host.client.setRequestHandler(
    ElicitRequestSchema,
    () => new Promise<never>((resolve) => answers.push(resolve as (reply: object) => void)),
  );
  const call = async (args: Record<string, unknown>, more: object = {}) =>
    (await host.client.callTool({ name: 'delete_link', arguments: args }, undefined, more)).structuredContent as
      | Record<string, unknown>
      | undefined;
  const asked = async (count: number) => {
    while (answers.length < count) await sleep(5);
  };
  return { call, answers, asked, close: host.close };
}

describe('while a form of the 2025 era is open', () => {
  test.each([
    ['a decline applies to both calls', { action: 'decline' }, ['declined', 'declined'], 0],
    ['an approval runs the action once', YES, ['duplicate', undefined], 1],
  ])('the same call waits for its answer: %s', async (_, reply, outcomes, done) => {
    const person = await closeAfterTest(openPerson());
    const both = [person.call({ id: 'a' }), person.call({ id: 'a' })];
    await person.asked(1);
    await sleep(50);
    person.answers[0]?.(reply);
    expect((await Promise.all(both)).map((answer) => answer?.['outcome']).toSorted()).toEqual(outcomes);
    expect(person.answers).toHaveLength(1);
    expect(deletes()).toBe(done);
  });

  test('other arguments have their own form', async () => {
    const person = await closeAfterTest(openPerson());
    const first = person.call({ id: 'c' });
    const second = person.call({ id: 'd' });
    await person.asked(2);
    person.answers[0]?.(YES);
    person.answers[1]?.({ action: 'decline' });
    await first;
    expect(await second).toMatchObject({ outcome: 'declined' });
    expect(deletes()).toBe(1);
  });
});

test('an unanswered form ends the call without a token, the next call asks again, and a late answer does nothing', async () => {
  const person = await closeAfterTest(openPerson({ formWaitMs: 600 }));
  const next = expect.stringContaining('within 1 s');
  expect(await person.call({ id: 'e' })).toMatchObject({ done: false, outcome: 'timed_out', next });
  person.answers[0]?.(YES);
  await sleep(50);
  expect(deletes()).toBe(0);
  const second = person.call({ id: 'e' });
  await person.asked(2);
  person.answers[1]?.(YES);
  await second;
  expect(deletes()).toBe(1);
});

test('a call that is cancelled while its form is open does nothing, whatever the answer is', async () => {
  const person = await closeAfterTest(openPerson());
  const abort = new AbortController();
  const call = person.call({ id: 'g' }, { signal: abort.signal });
  await person.asked(1);
  abort.abort();
  await expect(call).rejects.toThrow();
  person.answers[0]?.(YES);
  await sleep(100);
  expect(deletes()).toBe(0);
});

test('a decline expires after ten minutes', async () => {
  let now = Date.now();
  const person = await closeAfterTest(openPerson({ now: () => now }));
  const first = person.call({ id: 'h' });
  await person.asked(1);
  person.answers[0]?.({ action: 'decline' });
  expect(await first).toMatchObject({ outcome: 'declined' });
  now += 9 * 60_000;
  expect(await person.call({ id: 'h' })).toMatchObject({ outcome: 'declined' });
  now += 61_000;
  const later = person.call({ id: 'h' });
  await person.asked(2);
  person.answers[1]?.(YES);
  await later;
  expect(deletes()).toBe(1);
});

/** The values that answer the form with this state. */
const answer = (reply: object, state: unknown) => ({ requestState: String(state), inputResponses: { confirm: reply } });

describe('servers that share a state', () => {
  const folder = createFolderForFile('docshare-forms-');

  test.each([
    ['no', { action: 'decline' }, { outcome: 'declined' }, 0],
    ['yes', YES, { outcome: 'duplicate' }, 1],
  ])('ask once for the same call: the answer %s at one applies at the other', async (word, reply, heard, done) => {
    const state = join(folder, word);
    const [one, two] = [await closeAfterTest(openPerson({ state })), await closeAfterTest(openPerson({ state }))];
    const first = one.call({ id: 'v' });
    await one.asked(1);
    const second = two.call({ id: 'v' });
    await sleep(400);
    one.answers[0]?.(reply);
    await first;
    expect(await second).toMatchObject(heard);
    expect(two.answers).toEqual([]);
    expect(deletes()).toBe(done);
  });

  test('share a form: it is opened at one, answered at the other, and every waiting call gets the answer', async () => {
    const options = { client, confirm: 'auto', forms: true, state: join(folder, 'modern') } as const;
    const [one, two] = [await closeAfterTest(openRaw(options)), await closeAfterTest(openRaw(options))];
    const { requestState } = await one.call('delete_link', { id: 'w' });
    const waiting = one.call('delete_link', { id: 'w' });
    await sleep(300);
    await two.call('delete_link', { id: 'w' }, answer(YES, requestState));
    expect((await waiting)['structuredContent']).toMatchObject({ outcome: 'duplicate' });
    expect(deletes()).toBe(1);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('let a decline of form %i at one override an approval of form %i at the other', async (declined, approved) => {
    const options = {
      client,
      confirm: 'auto',
      forms: true,
      formWaitMs: 200,
      state: join(folder, `${declined}`),
    } as const;
    const [one, two] = [await closeAfterTest(openRaw(options)), await closeAfterTest(openRaw(options))];
    const states = [];
    for (const host of [one, two]) {
      states.push((await host.call('delete_link', { id: 'x' }))['requestState']);
      await sleep(250);
    }
    await one.call('delete_link', { id: 'x' }, answer({ action: 'decline' }, states[declined]));
    const late = await two.call('delete_link', { id: 'x' }, answer(YES, states[approved]));
    expect(late['structuredContent']).toMatchObject({ outcome: 'declined' });
    expect(deletes()).toBe(0);
  });
});

test('--confirm unattended gives a token even if the host supports forms', async () => {
  const person = await closeAfterTest(openPerson({ confirm: 'unattended' }));
  const preview = await person.call({ id: 'i' });
  expect(preview).toMatchObject({ done: false, confirm_token: expect.any(String) });
  expect(person.answers).toEqual([]);
  await person.call({ id: 'i', confirm_token: preview?.['confirm_token'] });
  expect(deletes()).toBe(1);
});

const UNDER_PROTO = JSON.parse('{"__proto__":{"confirm":true}}');

describe('a form of the modern era', () => {
  const faultOf = (result: Record<string, unknown>) =>
    JSON.parse((result['content'] as { text: string }[])[0]?.text ?? '{}').error?.fault;
  const open = (options: Partial<InProcess> = {}) =>
    openRaw({ client, confirm: 'auto', forms: true, formWaitMs: 200, ...options });

  test('has a state that is valid once, for this tool and these arguments, until it expires or is modified', async () => {
    let now = Date.now();
    const host = await closeAfterTest(open({ now: () => now }));
    const { requestState } = await host.call('delete_link', { id: 'k' });
    const yes = answer(YES, requestState);
    expect(faultOf(await host.call('delete_link', { id: 'other' }, yes))).toBe('other_arguments');
    expect(faultOf(await host.call('delete_template', { id: 'k' }, yes))).toBe('other_tool');
    expect(faultOf(await host.call('delete_link', { id: 'k' }, answer(YES, `${requestState}x`)))).toBe('forged');
    expect(deletes()).toBe(0);
    await host.call('delete_link', { id: 'k' }, yes);
    expect(deletes()).toBe(1);
    expect(faultOf(await host.call('delete_link', { id: 'k' }, yes))).toBe('used');
    const { requestState: old } = await host.call('delete_link', { id: 'k' });
    now += 10 * 60_000 + 1000;
    expect(faultOf(await host.call('delete_link', { id: 'k' }, answer(YES, old)))).toBe('expired');
    expect(deletes()).toBe(1);
  });

  test('is not confirmed by the token of a preview, nor a preview by its state', async () => {
    const forms = await closeAfterTest(open());
    const tokens = await closeAfterTest(openRaw({ client, confirm: 'auto' }));
    const preview = await tokens.call('delete_link', { id: 'm' });
    const { confirm_token } = preview['structuredContent'] as { confirm_token: string };
    expect(await forms.call('delete_link', { id: 'm', confirm_token })).toMatchObject({ isError: true });
    expect(faultOf(await forms.call('delete_link', { id: 'm' }, answer(YES, confirm_token)))).toBe('forged');
    const { requestState } = await forms.call('delete_link', { id: 'm' });
    expect(faultOf(await tokens.call('delete_link', { id: 'm', confirm_token: requestState }))).toBe('forged');
    expect(deletes()).toBe(0);
  });

  test('cannot be answered before it was shown', async () => {
    const host = await closeAfterTest(open());
    for (const id of ['s', 't']) {
      const result = await host.call('delete_link', { id }, { inputResponses: { confirm: YES } });
      expect(result).toMatchObject({ resultType: 'input_required' });
    }
    // Nor from a host that does not support forms.
    const tokens = await closeAfterTest(openRaw({ client, confirm: 'auto' }));
    const { requestState } = await host.call('delete_link', { id: 'u' });
    const result = await tokens.call('delete_link', { id: 'u' }, answer(YES, requestState));
    expect(result['structuredContent']).toMatchObject({ done: false });
    expect(deletes()).toBe(0);
  });

  test.each([
    ['inputResponses', 'not_shown', (y: string) => ({ inputResponses: JSON.parse(`{"__proto__":{"confirm":${y}}}`) })],
    ['content', 'not_shown', () => ({ inputResponses: { confirm: { action: 'accept', content: UNDER_PROTO } } })],
  ])('is not an approval if it is under the `__proto__` of %s', async (_, outcome, toReply) => {
    const host = await closeAfterTest(open());
    const { requestState } = await host.call('delete_link', { id: 'v' });
    const more = { requestState: String(requestState), ...toReply(JSON.stringify(YES)) };
    expect((await host.call('delete_link', { id: 'v' }, more))['structuredContent']).toMatchObject({ outcome });
    expect(deletes()).toBe(0);
  });

  test('is awaited by the same call, which gets the decline or a timeout; then the next call asks again', async () => {
    const patient = await closeAfterTest(open({ formWaitMs: 40_000 }));
    const { requestState } = await patient.call('delete_link', { id: 'n' });
    const second = patient.call('delete_link', { id: 'n' });
    await sleep(30);
    await patient.call('delete_link', { id: 'n' }, answer({ action: 'decline' }, requestState));
    expect((await second)['structuredContent']).toMatchObject({ outcome: 'declined' });
    const host = await closeAfterTest(open());
    await host.call('delete_link', { id: 'o' });
    expect((await host.call('delete_link', { id: 'o' }))['structuredContent']).toMatchObject({ outcome: 'timed_out' });
    expect(await host.call('delete_link', { id: 'o' })).toMatchObject({ resultType: 'input_required' });
    expect(deletes()).toBe(0);
  });

  test.each([
    ['no answer', {}],
    ['an answer to another question', { other: YES }],
    ['a yes in words', { confirm: { action: 'accept', content: { confirm: 'true' } } }],
    ['a list', { confirm: [YES] }],
    ['nothing in it', { confirm: null }],
  ])('approves nothing with %s', async (what, inputResponses) => {
    const host = await closeAfterTest(open());
    const { requestState } = await host.call('delete_link', { id: what });
    await host.call('delete_link', { id: what }, { requestState: String(requestState), inputResponses });
    expect(deletes()).toBe(0);
    const { structuredContent } = await host.call('delete_link', { id: what });
    expect(structuredContent ?? {}).not.toHaveProperty('confirm_token');
  });
});
