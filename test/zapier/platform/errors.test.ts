import { describe, expect, test } from 'vitest';
import { type CodedError, type Item, outcomeOf, type ZapAnswer, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

/** Runs a step whose service responds with `answer`, or throws it; `only` limits that to one path. */
async function fail(key: string, input: Item, answer: ZapAnswer | Error, only?: string) {
  const step = zapStep(({ path }) => {
    if (only !== undefined && path !== only) return { json: { id: 'l1', url: 'u' } };
    if (answer instanceof Error) throw answer;
    return answer;
  });
  Object.assign(step.z, { generateCallbackUrl: () => 'https://hooks.test/1' });
  const run = key.startsWith('find_') ? step.find(key, input) : step.act(key, input);
  const error = await run.then(
    () => undefined,
    (thrown: CodedError) => thrown,
  );
  return { name: error?.name, code: error?.code, message: error?.message ?? '' };
}
const fault = (code: string) => Object.assign(new Error('cut off'), { code });
const LINK = { document: 'd', email_required: true };
const UPDATE = { contact: 'c', name: 'Ann' };

/** After these, a run that Zapier repeats by itself could do something twice. */
const HALTED = 'HaltedError';

test.each<[string, string, Item, ZapAnswer | Error, string | undefined, string]>([
  ['a write without a response', 'create_link', LINK, fault('ECONNRESET'), undefined, HALTED],
  ['a write that failed inside', 'create_link', LINK, { status: 500, json: {} }, undefined, HALTED],
  ['a write with half an answer', 'create_link', LINK, { json: {} }, undefined, HALTED],
  ['an update without a response', 'update_contact', UPDATE, fault('ECONNRESET'), undefined, 'service_failed'],
  ['a write that was not sent', 'create_link', LINK, fault('ECONNREFUSED'), undefined, 'unreachable'],
  ['a rejected write', 'create_link', LINK, { status: 422, json: {} }, undefined, 'invalid_input'],
  ['a failure after a write', 'send_and_wait', { agreement: 'a' }, fault('ECONNREFUSED'), '/agreements/a/send', HALTED],
  ['a read', 'find_room', { name: 'x' }, fault('ECONNREFUSED'), undefined, 'unreachable'],
])('%s has its own code, or halts', async (_, key, input, answer, only, kind) => {
  const { code, name } = await fail(key, input, answer, only);
  expect(code ?? name).toBe(kind);
});

test.each<[string, Item, string]>([
  ['add_room_folder', { room: 'r', name: 'F' }, 'look for the folder of the room in Docshare'],
  ['send_proposal', { proposal: 'p' }, 'check in Docshare whether the proposal was sent'],
])('after an unclear %s with %j, the message says: %s', async (key, input, words) => {
  expect((await fail(key, input, fault('ECONNRESET'))).message).toContain(words);
});

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'The certificate of'],
  ['ENOTFOUND', texts.thereIsNoServerAt],
  ['ECONNREFUSED', texts.docshareCouldNotBeReached],
])('after %s the message begins with "%s" and the address', async (code, words) => {
  const { message } = await fail('find_room', { name: 'x' }, fault(code));
  expect(message).toContain(`${words} https://api.test`);
});

test.each<[number, Record<string, string>, string]>([
  [503, {}, 'ThrottledError'],
  [502, { 'retry-after': '900' }, 'ThrottledError'],
  [502, {}, 'Error'],
])('a read that fails with %i and %j rejects with the error %s', async (status, headers, name) => {
  expect(await fail('find_room', { name: 'x' }, { status, json: {}, headers })).toMatchObject({ name });
});

describe('a step that fails between two calls', () => {
  const SHARE = { file: 'data:,some words' };
  const failed = (answer: ZapAnswer | Error, isStoring = true) => {
    const step = zapStep(({ method, path }) => {
      if (path === '/documents') return { status: 201, json: { id: 'd1' } };
      if (method === 'GET') return { json: [] };
      if (answer instanceof Error) throw answer;
      return answer;
    });
    if (!isStoring) step.z.cache.set = () => Promise.reject(new Error('down'));
    return outcomeOf(step.act('share_document', SHARE));
  };
  const LIMITED: ZapAnswer = { status: 429, json: {}, headers: { 'retry-after': '900' } };
  const EXPIRED: ZapAnswer = { status: 401, json: {} };
  const BROKEN: ZapAnswer = { status: 500, json: {} };
  test.each<[string, ZapAnswer, boolean, string]>([
    ['may be replayed if it stored what it has done', { status: 422, json: {} }, true, 'Error'],
    ['halts if its next part may be done', BROKEN, true, 'HaltedError'],
    ['halts if it could not store it, so that Zapier does not repeat it', BROKEN, false, 'HaltedError'],
    ['is repeated by Zapier after a rate limit', LIMITED, true, 'ThrottledError'],
    ['is not repeated after a rate limit if nothing is stored', LIMITED, false, 'HaltedError'],
    ['continues when the account is connected again', EXPIRED, true, 'ExpiredAuthError'],
    ['halts for an invalid key if nothing is stored', EXPIRED, false, 'HaltedError'],
  ])('%s', async (_, answer, isStoring, name) => {
    expect(await failed(answer, isStoring)).toMatch(new RegExp(`^${name}: `));
  });
  test.each<[ZapAnswer | Error, string]>([
    [{ status: 404, json: { message: 'Insufficient scope' } }, texts.apiKeyLacksPermission],
    [{ status: 404 }, texts.docshareRejectedNextPart],
    [{ status: 422, json: { message: 'no' } }, texts.docshareRejectedNextPartStatus],
    [fault('ECONNRESET'), texts.docshareDidConfirmNext],
  ])('after %j says what is done, what happened and what to do', async (answer, words) => {
    const message = await failed(answer);
    expect(message).toContain('The file was uploaded as document d1');
    expect(message).toContain(words);
    expect(message).toMatch(
      /before you replay this run\.$|then replay this run within a day: completed parts are not repeated\.$/,
    );
  });
});

test('a compressed response may have another length than its content length', async () => {
  const headers = { 'content-length': '9', 'content-encoding': 'gzip' };
  const { find } = zapStep(() => ({ json: { data: [{ id: 'r1', name: 'Deal' }] }, headers }));
  expect(await find('find_room', { name: 'deal' })).toMatchObject([{ id: 'r1' }]);
});
