/** What is remembered of a key and its service, for how long, and what a person who allowed a part of it may do. */
import { describe, expect, test, vi } from 'vitest';
import { type Account, createAccounts } from '../../../../mcp/account/account.ts';
import { createKeyObserver } from '../../../../mcp/account/key-observer.ts';
import { restrictAccount } from '../../../../mcp/account/restrict-account.ts';
import { completeId } from '../../../../mcp/resources/complete-id.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import { whoami } from '../../../../mcp/tools/whoami.ts';
import { NotFoundError, PermissionError, ServerError } from '../../../../src/errors.ts';
import type { Client } from '../../../../src/index.ts';
import { standIn } from '../../../support/stand-in.ts';

const HERE = 'https://docshare.test/api/v1';
const about = { status: 403, operation: 'links.list', scope: 'links:read', body: '' } as const;

describe('a scope', () => {
  const REFUSED = new PermissionError('No.', about);
  const NONE = new NotFoundError('No.', { ...about, status: 404 });
  test.each<[string, readonly object[], { granted: string[]; denied: string[] }]>([
    ['whose call was done works', [{}], { granted: ['links:read'], denied: [] }],
    ['that was refused is refused', [{ error: REFUSED }], { granted: [], denied: ['links:read'] }],
    [
      'that worked before works, though one object is refused',
      [{}, { error: REFUSED }],
      { granted: ['links:read'], denied: [] },
    ],
    ['that was refused and now works, works', [{ error: REFUSED }, {}], { granted: ['links:read'], denied: [] }],
    ['of a read that found nothing works', [{ error: NONE }], { granted: ['links:read'], denied: [] }],
    ['of a write that found nothing is unknown', [{ error: NONE, method: 'POST' }], { granted: [], denied: [] }],
    ['of a service that fails is unknown', [{ error: new ServerError('No.', about) }], { granted: [], denied: [] }],
    ['of what a storage answered is unknown', [{ target: 'storage' }], { granted: [], denied: [] }],
  ])('%s', (_, calls, scopes) => {
    const keyStatus = createKeyObserver(HERE);
    const { onRequestEnd } = keyStatus.hooks(() => 'links:read');
    for (const call of calls) {
      const outcome = 'error' in call ? 'failed' : 'succeeded';
      onRequestEnd?.(standIn({ operation: 'links.list', method: 'GET', outcome, target: 'api', ...call }));
    }
    expect(keyStatus.scopes()).toEqual(scopes);
  });
});

test('starts count for a minute, those of the API alone, and what it says of its limit is kept', async () => {
  let now = 0;
  const keyStatus = createKeyObserver(HERE, () => now);
  const send = keyStatus.observeTransport(async () =>
    standIn({ headers: { 'x-ratelimit-remaining': '7', 'retry-after': '1', 'x-odd': 'a' } }),
  );
  await send(standIn({ url: `${HERE}/links` }));
  now = 30_000;
  await send(standIn({ url: 'https://storage.test/put' }));
  expect([keyStatus.countRecentRequests(), keyStatus.host]).toEqual([1, 'docshare.test']);
  expect(keyStatus.getRateLimitHeaders()).toMatchObject({ 'x-ratelimit-remaining': '7' });
  expect(keyStatus.getRateLimitHeaders()).not.toHaveProperty('x-odd');
  now = 62_000;
  expect(keyStatus.countRecentRequests()).toBe(0);
});

test('of a service five hundred habits are kept, each for ten minutes', () => {
  let now = 0;
  const { behaviorCache } = createKeyObserver(HERE, () => now);
  for (let at = 0; at <= 500; at += 1) behaviorCache.set(`list ${at}`, 'heeds');
  expect(['list 0', 'list 1', 'list 500'].map(behaviorCache.get)).toEqual([undefined, 'heeds', 'heeds']);
  now = 10 * 60_000;
  expect(behaviorCache.get('list 500')).toBeUndefined();
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

describe('whoever allowed a part of a key', () => {
  const keyStatus = standIn<Account['keyStatus']>({
    scopes: () => ({ granted: ['links:read', 'contacts:read'], denied: ['documents:read'] }),
  });
  const part = (client: () => Promise<Client>) =>
    restrictAccount(standIn<Account>({ keyStatus, client }), ['links:read', 'documents:read']);

  test('may do what it covers, and nothing else by any door', async () => {
    const done = async () => ({ id: 'succeeded' });
    const whole = { links: { list: done, create: done }, upload: done, finalizeUpload: done, request: done };
    const client = await part(async () => standIn<Client>(whole)).client();
    expect(await client.links.list()).toEqual({ id: 'succeeded' });
    const others: (() => Promise<unknown>)[] = [
      async () => client.links.create({ document_id: 'd' }),
      async () => client.upload(new Uint8Array()),
      async () => client.finalizeUpload(standIn({})),
      async () => client.request(standIn({})),
    ];
    for (const act of others) await expect(act()).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('sees of it what it covers, and all else as refused', () => {
    const { granted, denied } = part(async () => standIn<Client>({})).keyStatus.scopes();
    expect(granted).toEqual(['links:read']);
    expect(denied).toEqual(expect.arrayContaining(['contacts:read', 'documents:read']));
    expect(denied).not.toContain('links:read');
  });

  test('is connected anew where it failed the first time', async () => {
    const connect = vi.fn(async () => standIn<Client>({}));
    connect.mockRejectedValueOnce(new Error('away'));
    const account = part(connect);
    await expect(account.client()).rejects.toThrow('away');
    await expect(account.client()).resolves.toBeDefined();
    await account.client();
    expect(connect).toHaveBeenCalledTimes(2);
  });
});

test('ids that could not be listed are asked for again, those that could for half a minute not', async () => {
  const collect = vi.fn(async () => [{ id: 'd1', name: 'Deck' }]);
  collect.mockRejectedValueOnce(new Error('away'));
  const client = { documents: { list: () => ({ collect }) } };
  const account = standIn<Account>({ client: async () => client });
  const complete = () => completeId(account, 'documents', { typed: 'de' });
  expect([await complete(), await complete(), await complete()]).toEqual([[], ['d1'], ['d1']]);
  expect(collect).toHaveBeenCalledTimes(2);
});

test('what is left of the limit is never less than nothing', async () => {
  const scopes = () => ({ granted: [], denied: [] });
  const { data } = await whoami.handler(
    standIn({
      client: { expectedWaitMs: () => 1001 },
      keyStatus: { scopes, countRecentRequests: () => 130, getRateLimitHeaders: () => ({}) },
      ...{ mode: { readableGroups: [] }, fingerprint: 'f'.repeat(40), options: {} },
    }),
    {},
  );
  expect(data).toMatchObject({ key: 'f'.repeat(12), limit: { started_last_minute: 130, remaining: 0, wait_s: 2 } });
});
