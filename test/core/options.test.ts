import { expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
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
