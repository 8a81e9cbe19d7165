/** The connection test: a key that lives is taken whatever it may read, and of a dead one that is said, not what came beside it. */
import { expect, test } from 'vitest';
import { authentication } from '../../../../zapier/platform/authentication.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const BARE: ZapAnswer = { status: 403, json: { message: 'Forbidden' } };
const SCOPE: ZapAnswer = { status: 403, json: { message: 'Missing scope' } };
const DEAD: ZapAnswer = { status: 401, json: { message: 'Unknown key' } };
const BUSY: ZapAnswer = { status: 429, json: {}, headers: { 'retry-after': '30' } };
const DOWN: ZapAnswer = { status: 500, json: {} };
const NONE: ZapAnswer = { json: { data: [] } };

/** Five lists are asked; what comes to `/documents` a second time comes to a request without a key. */
function connect(answers: Readonly<Record<string, ZapAnswer>>, keyless?: ZapAnswer) {
  const step = zapStep(({ path }) => {
    const times = step.calls.filter((call) => call.path === path).length;
    return path === '/documents' && times > 1 ? keyless : (answers[path] ?? answers['*']);
  });
  return { step, tested: step.run<Item>(authentication.test) };
}

test.each<[string, Readonly<Record<string, ZapAnswer>>, ZapAnswer, string[]]>([
  ['one list', { '*': DOWN, '/rooms': NONE }, undefined, ['rooms']],
  ['no list, and is told which scope it lacks', { '*': BARE, '/links': SCOPE }, BARE, []],
  ['no list, but gets another answer than who has none', { '*': BARE }, DEAD, []],
])('a key is taken that reads %s', async (_, answers, keyless, readable) => {
  expect(await connect(answers, keyless).tested).toEqual({ host: 'api.test', readable });
});

test.each<[string, Readonly<Record<string, ZapAnswer>>, ZapAnswer, string]>([
  ['dead', { '*': BARE, '/links': DEAD }, undefined, texts.doesKnowApiKey],
  [
    'dead, though the limit is reached and the service fails',
    { '*': BUSY, '/rooms': DOWN, '/contacts': DEAD },
    undefined,
    texts.doesKnowApiKey,
  ],
  ['told to wait', { '*': DOWN, '/rooms': BUSY }, undefined, 'Zapier tries again in 30 seconds'],
  ['answered by faults', { '*': BARE, '/rooms': DOWN }, undefined, "contact Docshare's support"],
  ['refused as is who has no key', { '*': BARE }, BARE, texts.docshareRejectedEveryRequest],
])('a key is not taken that is %s', async (_, answers, keyless, words) => {
  await expect(connect(answers, keyless).tested).rejects.toThrow(words);
});

test('nothing is asked a second time: an editor waits', async () => {
  const { step, tested } = connect({ '*': DOWN });
  await expect(tested).rejects.toThrow("contact Docshare's support");
  expect(step.calls).toHaveLength(5);
});

test('a workspace is named, unless its name holds the key', async () => {
  const named = (name: string) => ({ json: { data: [], workspace: { name } } });
  expect(await connect({ '*': named('Acme') }).tested).toMatchObject({ workspace: 'Acme' });
  const step = zapStep(() => named('Of key_1234567890'));
  const authData = { apiKey: 'key_1234567890', baseUrl: 'https://api.test/api/v1' };
  expect(await step.run<Item>(authentication.test, { authData })).not.toHaveProperty('workspace');
});
