/** How keys are told apart and remembered, how long their calls wait, and what a part of a key may do. */
import { describe, expect, test, vi } from 'vitest';
import { type Account, computeKeyFingerprint, createAccounts } from '../../../mcp/account/account.ts';
import { createKeyObserver } from '../../../mcp/account/key-observer.ts';
import { restrictAccount } from '../../../mcp/account/restrict-account.ts';
import { createMemoryState } from '../../../mcp/state/memory-state.ts';
import { whoami } from '../../../mcp/tools/whoami.ts';
import { type Client, RateLimitError } from '../../../src/index.ts';
import { createStub } from '../../support/create-stub.ts';

const secret = Buffer.alloc(32, 7);
const HERE = 'https://docshare.test/api/v1';

function accountsOf(baseUrl: string) {
  const state = createMemoryState();
  return createAccounts({ baseUrl, missingKey: 'none', state: async () => state });
}

test('a yes to one key is none to another, nor to the same key at another service or under another secret', () => {
  const [mine, yours] = ['key_mine_1234567890', 'key_yours_1234567890'];
  const print = (baseUrl: string, key: string, under = secret) =>
    accountsOf(baseUrl).get(key).getSharedFingerprint(under);
  const own = print(HERE, mine);
  expect(own).not.toContain(mine);
  for (const other of [
    print(HERE, yours),
    print('https://other.test/api/v1', mine),
    print('http://docshare.test/api/v1', mine),
    print(HERE, mine, Buffer.alloc(32, 8)),
  ])
    expect(other).not.toBe(own);
  // What is one service for the limiter is one here, at every server and with the blanks that people copy along.
  for (const same of [print(HERE, mine), print('https://docshare.test/api/v2', mine), print(HERE, ` ${mine}\n`)])
    expect(same).toBe(own);
  expect(computeKeyFingerprint(secret, { baseUrl: HERE, apiKey: mine })).toBe(own);
});

test('a call that would wait longer for the limit than hosts do ends at once, with when to come back', async () => {
  // Other servers use up the limit: another start fits in two minutes.
  const limit = { take: () => 120_000, pause: () => undefined };
  const state = { ...createMemoryState(), limit };
  const accounts = createAccounts({ baseUrl: HERE, missingKey: 'none', state: async () => state });
  const client = await accounts.get('key_that_waits_1234567890').client();
  // What would hang ends, in another error.
  const signal = AbortSignal.timeout(30_000);
  const failure = await client.documents.get({ id: 'd' }, { signal }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(failure).toMatchObject({ retryAfterMs: expect.any(Number), message: expect.stringContaining('not sent') });
  await accounts.close();
});

test('of keys 256 are kept, and each is the same account for as long', () => {
  const state = createMemoryState();
  const accounts = createAccounts({ baseUrl: HERE, missingKey: 'none', state: async () => state });
  const [first, second] = [accounts.get('key 0'), accounts.get('key 1')];
  for (let at = 2; at < 256; at += 1) accounts.get(`key ${at}`);
  expect(accounts.get('key 0')).toBe(first);
  accounts.get('key 256');
  expect(accounts.get('key 1')).toBe(second);
  expect(accounts.get('key 0')).not.toBe(first);
});

test('of a service five hundred habits are kept, each for ten minutes', () => {
  let now = 0;
  const { behaviorCache } = createKeyObserver(HERE, () => now);
  for (let at = 0; at <= 500; at += 1) behaviorCache.set(`list ${at}`, 'heeds');
  expect(['list 0', 'list 1', 'list 500'].map(behaviorCache.get)).toEqual([undefined, 'heeds', 'heeds']);
  now = 10 * 60_000;
  expect(behaviorCache.get('list 500')).toBeUndefined();
});

describe('whoever allowed a part of a key', () => {
  const keyStatus = createStub<Account['keyStatus']>({
    scopes: () => ({ granted: ['links:read', 'contacts:read'], denied: ['documents:read'] }),
  });
  const part = (client: () => Promise<Client>) =>
    restrictAccount(createStub<Account>({ keyStatus, client }), ['links:read', 'documents:read']);

  test('may do what it covers, and nothing else by any door', async () => {
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
    for (const act of others) await expect(act()).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('sees of it what it covers, and all else as refused', () => {
    const { granted, denied } = part(async () => createStub<Client>({})).keyStatus.scopes();
    expect(granted).toEqual(['links:read']);
    expect(denied).toEqual(expect.arrayContaining(['contacts:read', 'documents:read']));
    expect(denied).not.toContain('links:read');
  });

  test('is connected anew where it failed the first time', async () => {
    const connect = vi.fn(async () => createStub<Client>({}));
    connect.mockRejectedValueOnce(new Error('away'));
    const account = part(connect);
    await expect(account.client()).rejects.toThrow('away');
    await expect(account.client()).resolves.toBeDefined();
    await account.client();
    expect(connect).toHaveBeenCalledTimes(2);
  });
});

test('what is left of the limit is never less than nothing', async () => {
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
