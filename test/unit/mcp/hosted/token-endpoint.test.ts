/** Codes and tokens at the endpoint where programs exchange them: for whom, for how long, and once. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAuthorizationCodes } from '../../../../mcp/hosted/oauth/authorization-codes.ts';
import { createGrants } from '../../../../mcp/hosted/oauth/grants.ts';
import { hashClientId, type OAuthClients } from '../../../../mcp/hosted/oauth/oauth-clients.ts';
import { createTokenEndpoint } from '../../../../mcp/hosted/oauth/token-endpoint.ts';
import { createTokens, type Grant } from '../../../../mcp/hosted/oauth/tokens.ts';
import { texts } from '../../../mcp/texts.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createClaimsEncryptor, createMemoryState, StateUnavailableError } from '../../../support/mcp-parts.ts';

const RESOURCE = 'https://mcp.example/mcp';
const APP = 'https://app.example/client.json';
const BACK = 'https://app.example/back';
const VERIFIER = 'v'.repeat(43);
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

function open() {
  const clock = { now: 1_000_000_000_000 };
  const now = () => clock.now;
  const memory = createMemoryState({ now });
  /** Whether the other replicas can be reached. */
  const carrier = { isUp: true };
  const writeEventually: typeof memory.writeEventually = async (...args) =>
    (await memory.writeEventually(...args)) && carrier.isUp;
  const claim: typeof memory.putIfAbsent = async (key, ...more) => {
    if (!carrier.isUp && key.startsWith('grants ')) throw new StateUnavailableError();
    return memory.putIfAbsent(key, ...more);
  };
  const state = async () => ({ ...memory, writeEventually, putIfAbsent: claim });
  const seals = createClaimsEncryptor({ secrets: ['s'.repeat(32)], issuer: RESOURCE, audience: RESOURCE, now });
  const grants = createGrants({ state, claimsEncryptor: seals, ttlMs: 10_000_000, now });
  const codes = createAuthorizationCodes({ state, claimsEncryptor: seals, grants, now });
  const tokens = createTokens({ claimsEncryptor: seals, grants, accessTtlMs: 60_000, refreshTtlMs: 10_000_000, now });
  const found: string[] = [];
  const clients = createStub<OAuthClients>({ find: async (id: string) => found.push(id) });
  const endpoint = createTokenEndpoint({ clients, codes, grants, tokens, resource: RESOURCE });
  const grant: Grant = {
    ...{ id: grants.create(), key: 'key_of_a_person', client: hashClientId(APP), name: 'App', place: 'app' },
    ...{ scopes: ['links:read'], declined: [], readOnly: true, confirm: 'auto', browser: 'b', since: 1 },
  };
  const ask = (given: Record<string, string>) => endpoint.exchange(new URLSearchParams(given));
  const mint = (verifier = VERIFIER, form = randomUUID()) =>
    codes.issue({ grant, challenge: challengeOf(verifier), redirect: BACK }, form);
  const revoke = (given: Record<string, string>) => endpoint.revoke(new URLSearchParams(given));
  return { clock, carrier, grant, grants, tokens, found, ask, mint, revoke };
}

const redeem = { grant_type: 'authorization_code', client_id: APP, code_verifier: VERIFIER };
const renew = { grant_type: 'refresh_token', client_id: APP };

test('a refresh for fewer scopes returns an access token for them, and the next refresh has all scopes again', async () => {
  const { ask, tokens, grant } = open();
  const { refresh_token } = await tokens.issue({ ...grant, scopes: ['links:read', 'datarooms:read'] }, 0);
  const fewer = await ask({ ...renew, refresh_token, scope: 'datarooms:read' });
  expect(fewer.scope).toBe('datarooms:read');
  expect((await tokens.decryptAccessToken(fewer.access_token))?.grant.scopes).toEqual(['datarooms:read']);
  expect((await ask({ ...renew, refresh_token: fewer.refresh_token })).scope).toBe('links:read datarooms:read');
});

describe('a code', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['for its client, with its verifier', {}, undefined],
    ['with the address that it was asked for with', { redirect_uri: BACK }, undefined],
    ['with another address', { redirect_uri: `${BACK}/` }, 'invalid_grant'],
    ['by another client', { client_id: `${APP}?2` }, 'invalid_grant'],
    ['with another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['without a verifier', { code_verifier: '' }, 'invalid_request'],
    ['for this endpoint', { resource: RESOURCE }, undefined],
    ['for another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['by another way', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('%s', async (_, more, refused) => {
    const { ask, mint, grants, grant } = open();
    const asking = ask({ ...redeem, code: await mint(), ...more });
    if (refused === undefined) await expect(asking).resolves.toMatchObject({ scope: 'links:read' });
    else await expect(asking).rejects.toMatchObject({ code: refused });
    // Whoever only tries takes nothing away from the app that it belongs to.
    expect(await grants.isRevoked(grant)).toBe(false);
  });

  test.each([42, 129])('with a verifier of %i characters is none of PKCE', async (length) => {
    const { ask, mint } = open();
    const verifier = 'v'.repeat(length);
    const asking = ask({ ...redeem, code: await mint(verifier), code_verifier: verifier });
    await expect(asking).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('is good for two minutes and once; a second use ends what the first one gave', async () => {
    const { ask, mint, clock, grants, grant } = open();
    const [late, code] = [await mint(), await mint()];
    clock.now += 119_000;
    await ask({ ...redeem, code });
    await expect(ask({ ...redeem, code })).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await grants.isRevoked(grant)).toBe(true);
    clock.now += 2000;
    await expect(ask({ ...redeem, code: late })).rejects.toThrow(texts.olderThanTwoMinutes);
  });
});

test('the id of a client that registered itself is opened, the document of another is not fetched', async () => {
  const { ask, mint, found } = open();
  const code = await mint();
  await ask({ ...redeem, code });
  await expect(ask({ ...redeem, code, client_id: 'sealed' })).rejects.toThrow();
  expect(found).toEqual(['sealed']);
});

test('a sign-in that can’t be shown to its person gives no tokens; one that can is shown', async () => {
  const { ask, mint, grants, grant, carrier } = open();
  carrier.isUp = false;
  await expect(ask({ ...redeem, code: await mint() })).rejects.toMatchObject({ code: 'state_unavailable' });
  carrier.isUp = true;
  await ask({ ...redeem, code: await mint() });
  expect(await grants.list(grant.key)).toMatchObject([{ id: grant.id, client: 'App' }]);
});

describe('a refresh token', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['of its client', {}, undefined],
    ['for the scope that was allowed', { scope: 'links:read' }, undefined],
    ['for it with spaces around', { scope: ' links:read  links:read ' }, undefined],
    ['for one scope more', { scope: 'links:read links:write' }, 'invalid_scope'],
    ['of another client', { client_id: `${APP}?2` }, 'invalid_grant'],
    ['for another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['that is none', { refresh_token: 'none' }, 'invalid_grant'],
  ])('%s', async (_, more, refused) => {
    const { ask, mint, grants, grant } = open();
    const { refresh_token } = await ask({ ...redeem, code: await mint() });
    const asking = ask({ ...renew, refresh_token, ...more });
    if (refused === undefined) await expect(asking).resolves.toMatchObject({ expires_in: 60 });
    else await expect(asking).rejects.toMatchObject({ code: refused });
    expect(await grants.isRevoked(grant)).toBe(false);
  });

  test('of a sign-in that was ended gives nothing', async () => {
    const { ask, mint, grants, grant } = open();
    const { refresh_token } = await ask({ ...redeem, code: await mint() });
    await grants.revoke(grant.id);
    await expect(ask({ ...renew, refresh_token })).rejects.toMatchObject({
      code: 'invalid_grant',
      message: texts.accessRevokedSignAgain,
    });
  });

  test('that was replaced is good for a minute, for windows that set out together; then it was copied, and ends its sign-in', async () => {
    const { ask, mint, clock, grants, grant } = open();
    const first = await ask({ ...redeem, code: await mint() });
    const second = await ask({ ...renew, refresh_token: first.refresh_token });
    clock.now += 60_000;
    await ask({ ...renew, refresh_token: first.refresh_token });
    expect(await grants.isRevoked(grant)).toBe(false);
    clock.now += 1;
    await expect(ask({ ...renew, refresh_token: first.refresh_token })).rejects.toMatchObject({
      code: 'invalid_grant',
      message: texts.refreshTokenAlreadyReplaced,
    });
    expect(await grants.isRevoked(grant)).toBe(true);
    await expect(ask({ ...renew, refresh_token: second.refresh_token })).rejects.toThrow(/was revoked/);
  });
});

describe('a token that is given back', () => {
  test.each(['refresh_token', 'access_token'] as const)('as %s ends its sign-in', async (name) => {
    const { ask, mint, revoke, grants, grant } = open();
    const token = (await ask({ ...redeem, code: await mint() }))[name];
    await expect(revoke({ token, client_id: `${APP}?2` })).rejects.toMatchObject({ status: 401 });
    await expect(revoke({ token: 'none' })).resolves.toBeUndefined();
    expect(await grants.isRevoked(grant)).toBe(false);
    await revoke({ token, client_id: APP });
    expect(await grants.isRevoked(grant)).toBe(true);
  });

  test('while the replicas can’t be told is to be given back again, and ends here', async () => {
    const { ask, mint, revoke, grants, grant, carrier } = open();
    const { refresh_token: token } = await ask({ ...redeem, code: await mint() });
    carrier.isUp = false;
    await expect(revoke({ token })).rejects.toMatchObject({ code: 'temporarily_unavailable', status: 503 });
    expect(await grants.isRevoked(grant)).toBe(true);
  });
});

describe('whoever is refused hears why', () => {
  test.each<[string, Record<string, string>, string]>([
    ['invalid_grant', { refresh_token: 'none' }, texts.refreshTokenUnknownExpired],
    ['invalid_grant', { client_id: `${APP}?2` }, texts.refreshTokenIssuedAnother],
    ['invalid_scope', { scope: 'links:write' }, texts.scopeMustContainScopes],
    ['unsupported_grant_type', { grant_type: 'password' }, texts.grantTypeMustAuthorization],
    ['invalid_request', { refresh_token: '' }, 'refresh_token is missing.'],
    ['invalid_request', { grant_type: '' }, 'grant_type is missing.'],
    ['invalid_request', { client_id: '' }, 'client_id is missing.'],
  ])('%s for %j', async (code, more, message) => {
    const { ask, mint } = open();
    const { refresh_token } = await ask({ ...redeem, code: await mint() });
    await expect(ask({ ...renew, refresh_token, ...more })).rejects.toMatchObject({ code, message });
  });

  test('of a token that is given back', async () => {
    const { ask, mint, revoke, carrier } = open();
    const { refresh_token: token } = await ask({ ...redeem, code: await mint() });
    await expect(revoke({})).rejects.toMatchObject({ code: 'invalid_request', message: 'token is missing.' });
    await expect(revoke({ token, client_id: `${APP}?2` })).rejects.toMatchObject({
      code: 'invalid_client',
      message: texts.tokenIssuedAnotherClient,
    });
    carrier.isUp = false;
    await expect(revoke({ token })).rejects.toThrow(texts.accessRevokedReplicaBut);
  });
});
