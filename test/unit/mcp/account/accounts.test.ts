/** How keys are told apart, by whom they may be, and how long their calls wait. */
import { expect, test } from 'vitest';
import { computeKeyFingerprint, createAccounts } from '../../../../mcp/account/account.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import { RateLimitError } from '../../../../src/index.ts';

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
