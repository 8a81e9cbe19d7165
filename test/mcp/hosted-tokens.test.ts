import { expect, test } from 'vitest';
import type { Grants } from '../../mcp/hosted/oauth/grants.ts';
import { createTokens } from '../../mcp/hosted/oauth/tokens.ts';
import { SECRET } from '../support/hosted-server.ts';
import { createClaimsEncryptor } from '../support/mcp-parts.ts';

const grants: Grants = {
  create: () => 'grant',
  isRevoked: async () => false,
  revoke: async () => true,

  rejectKey: async () => undefined,
  isKeyRejected: async () => false,
  acceptKey: async () => undefined,
  rotate: async () => 1,
  recordUse: async () => undefined,
  list: async () => [],
};

test('a token that was opened before opens until its last second, and no longer', async () => {
  let at = 1_900_000_000_000;
  const now = () => at;
  const seals = createClaimsEncryptor({ secrets: [SECRET], issuer: 'https://a', audience: 'https://a/mcp', now });
  const tokens = createTokens({ claimsEncryptor: seals, grants, accessTtlMs: 60_000, refreshTtlMs: 600_000, now });
  const given = await tokens.issue(
    {
      ...{ id: 'grant', key: 'key_of_somebody_0123456789', client: 'client', name: 'Test', place: 'test' },
      ...{ scopes: [], declined: [], readOnly: false, confirm: 'auto' as const, browser: 'none', since: 0 },
    },
    1,
  );
  const first = await tokens.decryptAccessToken(given.access_token);
  expect(first?.grant.id).toBe('grant');
  at += 59_000;
  expect(await tokens.decryptAccessToken(given.access_token)).toEqual(first);
  at += 1000;
  expect(await tokens.decryptAccessToken(given.access_token)).toBeUndefined();
  expect(await tokens.decryptAccessToken(given.refresh_token)).toBeUndefined();
});
