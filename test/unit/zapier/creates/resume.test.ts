/** A Zap that waits for a signature goes on with the signed agreement, and with nothing else. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ZObject } from 'zapier-platform-core';
import { sendAndWait } from '../../../../zapier/creates/send-and-wait.ts';
import { platformWith } from '../../../support/zapier-z.ts';

const AUTH = { apiKey: 'resume', baseUrl: 'https://docs.test/api/v1' };

/** What resuming comes to where the list of agreements holds this. */
async function resume(agreements: readonly object[], status = 200): Promise<{ result: unknown; removed: string[] }> {
  const removed: string[] = [];
  const thrower = (name: string) =>
    class extends Error {
      override name = name;
    };
  const errors = Object.fromEntries(
    ['Error', 'HaltedError', 'ThrottledError', 'ExpiredAuthError'].map((name) => [name, thrower(name)]),
  );
  const z = platformWith({
    errors,
    console: { log: () => undefined },
    cache: { get: async () => null, set: async () => true, delete: async () => true },
    hash: () => 'h',
    dehydrateFile: () => 'hydrate|||',
    request: async ({ method, url }: { method: string; url: string }) => {
      if (method === 'DELETE') removed.push(new URL(url).pathname);
      const body = method === 'DELETE' ? '{}' : JSON.stringify({ data: agreements });
      return { status, headers: new Headers(), body: Readable.from([Buffer.from(body)]) };
    },
  });
  const bundle = {
    authData: AUTH,
    inputData: { agreement: 'a' },
    outputData: { waiting: { agreement_id: 'a', webhook_id: 'w' } },
    meta: {},
  };
  const { performResume } = sendAndWait.operation as {
    performResume: (z: ZObject, bundle: object) => Promise<unknown>;
  };
  const result = await performResume(z, bundle).catch((error: Error) => error.name);
  return { result, removed };
}

test('a signed agreement goes on, and its registration goes', async () => {
  const { result, removed } = await resume([
    { id: 'b', status: 'sent' },
    { id: 'a', name: 'NDA', status: 'signed' },
  ]);
  expect(result).toMatchObject({ id: 'a', status: 'signed' });
  expect(removed).toEqual(['/api/v1/webhooks/w']);
});

test.each([
  ['sent', { id: 'a', status: 'sent' }],
  ['viewed', { id: 'a', status: 'viewed' }],
  // Fails closed: nothing says that it is this one that was signed.
  ['without a status', { id: 'a', name: 'NDA' }],
  ['without a status and with a time of signing', { id: 'a', signed_at: '2026-01-01T00:00:00Z' }],
  ['of an empty status', { id: 'a', status: '' }],
])('an agreement that is %s does not', async (_, agreement) => {
  const { result, removed } = await resume([agreement, { id: 'b', status: 'signed' }]);
  expect({ result, removed }).toEqual({ result: 'ThrottledError', removed: [] });
});

test.each(['declined', 'voided', 'expired'])('one that was %s ends the Zap', async (status) => {
  const { result, removed } = await resume([{ id: 'a', status }]);
  expect({ result, removed }).toEqual({ result: 'HaltedError', removed: ['/api/v1/webhooks/w'] });
});

test('one that is gone ends the Zap, and one that can not be read does not go on', async () => {
  expect((await resume([{ id: 'b', status: 'signed' }])).result).toBe('HaltedError');
  expect(typeof (await resume([], 403)).result).toBe('string');
  expect((await resume([], 403)).removed).toEqual([]);
});
