import { describe, expect, test, vi } from 'vitest';
import { type Account, computeKeyFingerprint, createAccounts } from '../../../mcp/account/account.ts';
import { createKeyObserver } from '../../../mcp/account/key-observer.ts';
import { restrictAccount } from '../../../mcp/account/restrict-account.ts';
import { whoami } from '../../../mcp/tools/whoami.ts';
import { type Client, RateLimitError } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { createStub } from '../../support/create-stub.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';

const secret = Buffer.alloc(32, 7);
const HERE = 'https://docshare.test/api/v1';

function createAccountsAt(baseUrl: string) {
  const state = createMemoryState();
  return createAccounts({ baseUrl, missingKey: 'none', state: async () => state });
}

test('an approval counts only for its own key, at its own service and under its own secret', () => {
  const [mine, yours] = ['key_mine_1234567890', 'key_yours_1234567890'];
  const fingerprintOf = (baseUrl: string, key: string, under = secret) =>
    createAccountsAt(baseUrl).get(key).getSharedFingerprint(under);
  const own = fingerprintOf(HERE, mine);
  expect(own).not.toContain(mine);
  const others = [
    fingerprintOf(HERE, yours),
    fingerprintOf('https://other.test/api/v1', mine),
    fingerprintOf('http://docshare.test/api/v1', mine),
    fingerprintOf(HERE, mine, Buffer.alloc(32, 8)),
  ];
  expect(others).not.toContain(own);
  // The version of the API and copied spaces around the key make no difference, as for the rate limiter.
  expect([fingerprintOf('https://docshare.test/api/v2', mine), fingerprintOf(HERE, ` ${mine}\n`)]).toEqual([own, own]);
  expect(computeKeyFingerprint(secret, { baseUrl: HERE, apiKey: mine })).toBe(own);
});

test('a call that would wait longer for the rate limit than hosts do fails at once and says when to retry', async () => {
  // Other servers have used up the limit: the next start is possible in two minutes.
  const state = { ...createMemoryState(), limit: { take: () => 120_000, pause: () => undefined } };
  const accounts = await closeAfterTest(
    createAccounts({ baseUrl: HERE, missingKey: 'none', state: async () => state }),
  );
  const client = await accounts.get('key_that_waits_1234567890').client();
  // If the call hung instead, this would end it with another error.
  const signal = AbortSignal.timeout(30_000);
  const failure = await client.documents.get({ id: 'd' }, { signal }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(failure).toMatchObject({ retryAfterMs: expect.any(Number), message: expect.stringContaining('not sent') });
});

test('256 keys are cached, and each has the same account while it is cached', () => {
  const state = createMemoryState();
  const accounts = createAccounts({ baseUrl: HERE, missingKey: 'none', state: async () => state });
  const [first, second] = [accounts.get('key 0'), accounts.get('key 1')];
  for (let at = 2; at < 256; at += 1) accounts.get(`key ${at}`);
  expect(accounts.get('key 0')).toBe(first);
  accounts.get('key 256');
  expect(accounts.get('key 1')).toBe(second);
  expect(accounts.get('key 0')).not.toBe(first);
});

test('500 observations of a service are cached, each for ten minutes', () => {
  let now = 0;
  const { behaviorCache } = createKeyObserver(HERE, () => now);
  for (let at = 0; at <= 500; at += 1) behaviorCache.set(`list ${at}`, 'heeds');
  expect(['list 0', 'list 1', 'list 500'].map(behaviorCache.get)).toEqual([undefined, 'heeds', 'heeds']);
  now = 10 * 60_000;
  expect(behaviorCache.get('list 500')).toBeUndefined();
});

describe('a restricted key', () => {
  const keyStatus = createStub<Account['keyStatus']>({
    scopes: () => ({ granted: ['links:read', 'contacts:read'], denied: ['documents:read'] }),
    requireScope: () => undefined,
  });
  const part = (client: () => Promise<Client>) =>
    restrictAccount(createStub<Account>({ keyStatus, client }), ['links:read', 'documents:read']);

  test('allows only the operations of its scopes, by any method of the client', async () => {
    const done = async () => ({ id: 'succeeded' });
    const whole = { links: { list: done, create: done }, upload: done, finalizeUpload: done, request: done };
    const client = await part(async () => createStub<Client>(whole)).client();
    expect(await client.links.list()).toEqual({ id: 'succeeded' });
    const others: (() => Promise<unknown>)[] = [
      async () => client.links.create({ document_id: 'd' }),
      async () => client.upload(new Uint8Array()),
      async () => client.finalizeUpload(createStub({})),
      async () => client.request(createStub({})),
    ];
    for (const request of others) await expect(request()).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('is one account per set of scopes, in any order', () => {
    const account = createStub<Account>({ keyStatus, client: async () => createStub<Client>({}) });
    const restricted = restrictAccount(account, ['links:read', 'documents:read']);
    expect(restrictAccount(account, ['documents:read', 'links:read'])).toBe(restricted);
    expect(restrictAccount(account, ['documents:read'])).not.toBe(restricted);
  });

  test('connects again if the first attempt failed', async () => {
    const connect = vi.fn(async () => createStub<Client>({}));
    connect.mockRejectedValueOnce(new Error('away'));
    const account = part(connect);
    await expect(account.client()).rejects.toThrow('away');
    await expect(account.client()).resolves.toBeDefined();
    await account.client();
    expect(connect).toHaveBeenCalledTimes(2);
  });
});

test('the remaining limit is never negative', async () => {
  const scopes = () => ({ granted: [], denied: [] });
  const { data } = await whoami.handler(
    createStub({
      client: { expectedWaitMs: () => 1001 },
      keyStatus: { scopes, countRecentRequests: () => 130, getRateLimitHeaders: () => ({}) },
      ...{ mode: { readableGroups: [] }, fingerprint: 'f'.repeat(40), options: {} },
    }),
    {},
  );
  expect(data).toMatchObject({ key: 'f'.repeat(12), limit: { started_last_minute: 130, remaining: 0, wait_s: 2 } });
});
