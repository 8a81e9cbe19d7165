import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  createClient,
  createFetchTransport,
  createLimiter,
  createUndiciTransport,
  defineClient,
  signEvent,
  verifyEvent,
} from '../../src/index.ts';
import { createSpanHooks } from '../../src/opentelemetry.ts';
import { untyped } from '../support/untyped.ts';
import { texts } from './texts.ts';

const client = createClient({ apiKey: 'k_options', baseUrl: 'http://127.0.0.1:9/api/v1' });
/** A file whose storage is never requested. */
const download = () => {
  const transport = async () => ({
    status: 200,
    headers: {},
    body: Readable.from([Buffer.from('{"url":"http://127.0.0.1:9/a"}')]),
  });
  return defineClient({ apiKey: 'k', baseUrl: client.baseUrl, transport }).agreements.document({ id: 'a' });
};

test.each([
  [{ timeoutMs: '5000' }, texts.timeoutmsMustMoreThan],
  [{ deadlineMs: '5' }, texts.deadlinemsMustMoreThan],
  [{ maxWaitMs: '5' }, texts.maxwaitmsMust0Milliseconds],
  [{ retries: '3' }, 'retries must be'],
  [{ priority: '1' }, 'priority must be a number.'],
  [{ timeoutMs: Number.NaN }, texts.timeoutmsMustMoreThan],
  [{ deadlineMs: -1 }, texts.deadlinemsMustMoreThan],
  [{ maxWaitMs: Number.NaN }, texts.maxwaitmsMust0Milliseconds],
  [{ retries: -1 }, 'retries must be'],
  [{ priority: Number.NaN }, 'priority must be a number.'],
])('the option %j is rejected by name before anything is sent', async (options, message) => {
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
  ['saveTo', async () => (await download()).saveTo('.', untyped({ overwritte: true })), ['saveTo', 'overwrite']],
  ['open', async () => (await download()).open(untyped({ timeout: 5 })), ['open', 'timeoutMs']],
  ['createLimiter', () => createLimiter(untyped({ perMinute: 600 })), ['createLimiter', '"perMinute"']],
  ['verifyEvent', () => verifyEvent('{}', {}, untyped({ secrets: ['s'] })), ['"secrets"', 'secret']],
  ['signEvent', () => signEvent({}, untyped({ secret: 's', timestamp: 5 })), ['signEvent', '"timestamp"']],
  ['createSpanHooks', () => createSpanHooks(untyped({ tracers: [] })), ['createSpanHooks', 'tracer']],
  ['an argument of request', () => client.request(untyped({ method: 'POST', path: '/links', json: {} })), ['"json"']],
  ['createUndiciTransport', () => createUndiciTransport(untyped({ proxy: 'http://p' })), ['"proxy"']],
  ['createFetchTransport', () => createFetchTransport(untyped({ timeout: 5 })), ['createFetchTransport', '"timeout"']],
])('%s rejects an unknown option by name', async (_, run, facts) => {
  const error: unknown = await (async () => run())().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'InputError' });
  for (const fact of facts) expect(String(error)).toContain(fact);
});

test('an invalid option of an upload is rejected before its source is read', async () => {
  const source = Readable.from([Buffer.from('x')]);
  await expect(client.upload(source, { timeoutMs: 0 })).rejects.toMatchObject({ name: 'InputError' });
  expect(source.readableDidRead).toBe(false);
});

test('the error of a failed source is reported without its secrets', async () => {
  async function* source() {
    yield Buffer.from('x');
    throw new Error('GET https://bucket.test/x?X-Amz-Signature=deadbeefdeadbeef \u001b[31mfailed');
  }
  const error: unknown = await client.upload(source(), { name: 'a.txt' }).catch((reason: unknown) => reason);
  expect(String(error)).toContain('failed');
  expect(String(error)).not.toContain('deadbeef');
  expect(String(error)).not.toContain('\u001b');
});
