/** What stands about the sign-ins of one key. */

import { expect, test } from 'vitest';
import type { ClaimsEncryptor } from '../../../../mcp/hosted/oauth/claims-encryptor.ts';
import { createGrants } from '../../../../mcp/hosted/oauth/grants.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const KEY = 'key_of_the_grants';
const LIFETIME_MS = 60 * 24 * 60 * 60_000;

function open() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const state = createMemoryState({ now });
  const seals = createStub<ClaimsEncryptor>({
    getHashes: (subject: string, text: string) => [`${subject} of ${text}`],
  });
  return { clock, grants: createGrants({ state: async () => state, claimsEncryptor: seals, ttlMs: LIFETIME_MS, now }) };
}

const noteOf = (id: string, usedAt: number) => {
  return { id, client: 'App', place: 'app.example', readOnly: false, scopes: [], since: usedAt, usedAt };
};

test('past 200 of one key the one that was idle longest ends, so that none works that its person can’t see', async () => {
  const { grants } = open();
  const idle = 'grant 77';
  for (let at = 0; at < 200; at += 1)
    await grants.recordUse(KEY, noteOf(`grant ${at}`, `grant ${at}` === idle ? 1 : 1000 + at));
  expect(await grants.isRevoked({ id: idle, key: KEY })).toBe(false);
  await grants.recordUse(KEY, noteOf('one more', 5000));
  expect(await grants.isRevoked({ id: idle, key: KEY })).toBe(true);
  expect(await grants.isRevoked({ id: 'grant 0', key: KEY })).toBe(false);
  const listed = (await grants.list(KEY)).map(({ id }) => id);
  expect(listed).toHaveLength(200);
  expect([listed[0], listed.includes(idle)]).toEqual(['one more', false]);
});

test('a grant that is used again keeps the time since when it stands', async () => {
  const { grants } = open();
  await grants.recordUse(KEY, noteOf('grant', 1000));
  await grants.recordUse(KEY, noteOf('grant', 9000));
  expect(await grants.list(KEY)).toMatchObject([{ id: 'grant', since: 1000, usedAt: 9000 }]);
  expect(await grants.list('another key')).toEqual([]);
});
