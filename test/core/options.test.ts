import { expect, test } from 'vitest';
import { createClient, createFetchTransport } from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';
import { texts } from './texts.ts';

const client = createClient({ apiKey: 'k_options', baseUrl: 'http://127.0.0.1:9/api/v1' });

test.each([
  [{ timeoutMs: '5000' }, texts.timeoutmsMustMoreThan],
  [{ deadlineMs: '5' }, texts.deadlinemsMustMoreThan],
  [{ maxWaitMs: '5' }, texts.maxwaitmsMust0Milliseconds],
  [{ retries: '3' }, 'retries must be'],
  [{ retries: 1.5 }, 'retries must be'],
  [{ priority: '1' }, 'priority must be a number.'],
])('the option %j is refused by name before anything is sent', async (options, message) => {
  await expect(client.billing.usage({}, untyped(options))).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringContaining(message),
  });
});

test.each<[call: string, run: () => unknown, facts: readonly string[]]>([
  ['a read', () => client.billing.usage({}, untyped({ timeout: 5 })), ['"timeout"', 'timeoutMs']],
  ['a list', () => client.links.list({}, untyped({ maxRetries: 1 })), ['"maxRetries"', 'retries']],
  ['an upload', () => client.upload('no-such-file', untyped({ title: 'A' })), ['"title"']],
  ['request', () => client.request({ method: 'GET', path: '/links' }, untyped({ abort: 1 })), ['"abort"']],
  [
    'createClient',
    () => createClient(untyped({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9', timeout: 5 })),
    ['timeoutMs'],
  ],
  [
    'retry',
    () => createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9', retry: untyped({ max: 1 }) }),
    ['retry', '"max"'],
  ],
  ['createFetchTransport', () => createFetchTransport(untyped({ timeout: 5 })), ['createFetchTransport', '"timeout"']],
])('%s refuses an unknown option by name', async (_, run, facts) => {
  const error: unknown = await (async () => run())().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'InputError' });
  for (const fact of facts) expect(String(error)).toContain(fact);
});

test("what a caller's source says when it breaks is told without its secrets", async () => {
  async function* source() {
    yield Buffer.from('x');
    throw new Error('GET https://bucket.test/x?X-Amz-Signature=deadbeefdeadbeef \u001b[31mfailed');
  }
  const error: unknown = await client.upload(source(), { name: 'a.txt' }).catch((reason: unknown) => reason);
  expect(String(error)).toContain('failed');
  expect(String(error)).not.toContain('deadbeef');
  expect(String(error)).not.toContain('\u001b');
});
