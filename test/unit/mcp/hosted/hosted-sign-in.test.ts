/** Who may ask for a sign-in, where its answer may go, and what only this server can read. */

import { describe, expect, test } from 'vitest';
import { parseAuthorizationRequest } from '../../../../mcp/hosted/oauth/authorization-request.ts';
import { createOAuthClients, type OAuthClients } from '../../../../mcp/hosted/oauth/oauth-clients.ts';
import { checkResource, getSingleParameter } from '../../../../mcp/hosted/oauth/oauth-parameters.ts';
import { buildRedirectUrl, isRegisteredRedirect } from '../../../../mcp/hosted/oauth/redirect-uri.ts';
import { sanitizeClientName } from '../../../../mcp/hosted/oauth/sanitize-client-name.ts';
import { texts } from '../../../mcp/texts.ts';
import { createClaimsEncryptor } from '../../../support/mcp-parts.ts';

const SECRETS = ['s'.repeat(40), 't'.repeat(40)];
const sealsOf = (more: Partial<Parameters<typeof createClaimsEncryptor>[0]> = {}) =>
  createClaimsEncryptor({ secrets: SECRETS, issuer: 'https://mcp.test', audience: 'https://mcp.test/mcp', ...more });

describe('what is sealed', () => {
  test('opens for its purpose, its audience and its time, under every secret that stands', async () => {
    let now = Date.UTC(2026, 10, 21, 12);
    const at = { now: () => now };
    const seals = sealsOf(at);
    const text = await seals.encrypt('visit', { key: 'k' }, 1000);
    expect(await seals.decrypt('visit', text)).toMatchObject({ key: 'k' });
    expect(await seals.decrypt('grant', text)).toBeUndefined();
    expect(await sealsOf({ ...at, audience: 'https://other.test' }).decrypt('visit', text)).toBeUndefined();
    expect(await sealsOf({ ...at, secrets: [...SECRETS].reverse() }).decrypt('visit', text)).toMatchObject({
      key: 'k',
    });
    expect(await sealsOf({ ...at, secrets: ['u'.repeat(40)] }).decrypt('visit', text)).toBeUndefined();
    now += 2000;
    expect(await seals.decrypt('visit', text)).toBeUndefined();
    expect(await seals.decrypt('visit', 'forged')).toBeUndefined();
  });
  test('is read up to a length, longer for a form', async () => {
    const seals = sealsOf();
    const long = { text: 'x'.repeat(20_000) };
    expect(await seals.decrypt('form', await seals.encrypt('form', long))).toMatchObject(long);
    expect(await seals.decrypt('visit', await seals.encrypt('visit', long))).toBeUndefined();
  });
  test('needs a secret', () => {
    expect(() => sealsOf({ secrets: [] })).toThrow(texts.noSecretToEncryptWith);
  });
  test('is found by its hash under the present secret first', () => {
    const [first, second] = sealsOf().getHashes('key', 'k');
    expect(sealsOf({ secrets: [...SECRETS].reverse() }).getHashes('key', 'k')).toEqual([second, first]);
    expect(sealsOf().getHashes('grant', 'k')).not.toContain(first);
  });
});

describe('a redirect', () => {
  test.each([
    ['https://a.test/cb', true],
    ['https://a.test/cb/', false],
    ['http://localhost:4711/cb', true],
    ['http://localhost/cb', true],
    ['http://localhost:4711/other', false],
    ['http://127.0.0.1:4711/cb', false],
    ['http://[::1]:9/cb', true],
    ['http://evil.test:80/cb', false],
    ['http://localhost@evil.test/cb', false],
  ])('to %s is own: %s', (asked, own) => {
    const registered = ['https://a.test/cb', 'http://localhost:1/cb', 'http://[::1]:1/cb', 'http://evil.test/cb'];
    expect(isRegisteredRedirect(asked, registered)).toBe(own);
  });
  test('keeps what stands in it, and gets what is answered', () => {
    expect(buildRedirectUrl('https://a.test/cb', { code: 'x y', state: undefined })).toBe('https://a.test/cb?code=x+y');
    expect(buildRedirectUrl('https://a.test/cb?a=%20', { code: 'c' })).toBe('https://a.test/cb?a=%20&code=c');
  });
});

test.each([
  ['  Claude \n Desktop ', 'Claude Desktop'],
  ['a\u202Eb\u0000c', 'a b c'],
  [`x${'\u0301'.repeat(9)}`, 'x\u0301'],
  ['x'.repeat(80), `${'x'.repeat(59)}…`],
  ['\u200B', undefined],
  [7, undefined],
])('%j as a name is %j', (given, name) => {
  expect(sanitizeClientName(given)).toBe(name);
});

describe('parameters', () => {
  test('are read once, empty as none, twice not at all', () => {
    expect(getSingleParameter(new URLSearchParams('a=1&b='), 'a')).toBe('1');
    expect(getSingleParameter(new URLSearchParams('a=1&b='), 'b')).toBeUndefined();
    expect(() => getSingleParameter(new URLSearchParams('a=1&a=1'), 'a')).toThrow(texts.sentMoreThanOnce);
  });
  test.each(['', 'https://mcp.test/mcp', 'https://mcp.test/mcp/', 'https://mcp.test', 'HTTPS://MCP.test/mcp'])(
    'a token for %j is given',
    (resource) => {
      const form = new URLSearchParams({ resource });
      expect(() => checkResource(form, 'https://mcp.test/mcp')).not.toThrow();
    },
  );
  test.each(['https://other.test', 'mcp.test', 'https://mcp.test/other'])('a token for %j is not', (resource) => {
    const form = new URLSearchParams({ resource });
    expect(() => checkResource(form, 'https://mcp.test/mcp')).toThrow(texts.serverIssuesTokensHttps);
  });
});

describe('who asks', () => {
  const document: Record<string, unknown> = { redirect_uris: ['https://a.test/cb'] };
  const clients = createOAuthClients({
    claimsEncryptor: sealsOf(),
    clientMetadata: { fetch: async () => document } as never,
  });
  test('is named by its document, else by where that stands', async () => {
    expect(await clients.find('https://apps.test/x.json')).toMatchObject({
      name: 'apps.test',
      publishedBy: 'apps.test/x.json',
    });
    document['client_name'] = 'An App';
    expect(await clients.find('https://apps.test/x.json')).toMatchObject({ name: 'An App' });
  });
  test('is named by itself where it registered, or by nothing, and nobody vouches for it', async () => {
    const named = await clients.register({ ...document, client_name: 'Me' });
    expect(named).toMatchObject({ client_name: 'Me', token_endpoint_auth_method: 'none' });
    expect(await clients.find(String(named['client_id']))).toEqual({
      id: named['client_id'],
      name: 'Me',
      redirects: ['https://a.test/cb'],
      publishedBy: undefined,
    });
    const { client_id: id } = await clients.register({ redirect_uris: ['https://a.test/cb'] });
    expect(await clients.find(String(id))).toMatchObject({ name: 'Unnamed app' });
  });
  test.each<[unknown, string]>([
    [[], texts.sendMetadataJsonObject],
    [{}, texts.redirectUrisMustContain],
    [{ redirect_uris: [] }, texts.redirectUrisMustContain],
    [{ redirect_uris: Array(13).fill('https://a.test/') }, texts.redirectUrisMustContain],
    [{ redirect_uris: ['https://a.test/', 'http://a.test/'] }, texts.redirectUris1Must],
    [{ redirect_uris: ['javascript:alert(1)'] }, texts.redirectUris0Must],
    [{ redirect_uris: ['https://me@a.test/'] }, texts.redirectUris0MustContain],
    [{ redirect_uris: ['https://a.test/#x'] }, 'redirect_uris[0] must not have a fragment.'],
    [{ redirect_uris: ['https:a.test/'] }, texts.redirectUris0MustHost],
    [{ redirect_uris: ['https://a.test/<x>'] }, 'redirect_uris[0] contains an invalid character.'],
    [{ redirect_uris: [7] }, texts.redirectUris0Url],
    [
      { redirect_uris: Array.from({ length: 12 }, (_, at) => `https://a.test/${at}${'x'.repeat(900)}`) },
      texts.redirectUrisTooLong,
    ],
  ])('does not register with %j', async (metadata, message) => {
    await expect(clients.register(metadata)).rejects.toThrow(message);
  });
  test.each(['forged', 'x'.repeat(6001)])('is nobody with a made-up id', async (id) => {
    await expect(clients.find(id)).rejects.toThrow(texts.thisClientIdIsUnknown);
  });
});

describe('a request to sign in', () => {
  const CHALLENGE = 'c'.repeat(43);
  const registered = { id: 'c', name: 'C', redirects: ['https://a.test/cb'], publishedBy: undefined };
  const clients = (redirects: readonly string[]): OAuthClients => ({
    find: async () => ({ ...registered, redirects }),
    register: async () => ({}),
    keep: () => undefined,
    hasDocuments: async () => true,
  });
  const GOOD = { client_id: 'c', response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256' };
  const read = (more: Record<string, string> | string, redirects: readonly string[] = registered.redirects) =>
    parseAuthorizationRequest(
      new URLSearchParams(typeof more === 'string' ? `${new URLSearchParams(GOOD)}&${more}` : { ...GOOD, ...more }),
      {
        clients: clients(redirects),
        resource: 'https://mcp.test/mcp',
        issuer: 'https://mcp.test',
        scopes: ['links:read', 'billing:read'],
        address: '1.1.1.1',
      },
    );
  test('goes to the one address that the app has, with all that the server offers', async () => {
    expect(await read({})).toMatchObject({
      redirect: 'https://a.test/cb',
      scopes: ['links:read', 'billing:read'],
      authorization: { client: 'c', challenge: CHALLENGE, state: undefined, scope: undefined },
    });
    expect(await read({ state: 's', scope: 'links:read other', resource: 'https://mcp.test' })).toMatchObject({
      scopes: ['links:read'],
      authorization: { state: 's', scope: 'links:read' },
    });
  });
  test.each<[string, Record<string, string>, readonly string[], string]>([
    ['of nobody', { client_id: '' }, registered.redirects, 'client_id is missing.'],
    ['to one of two addresses unnamed', {}, ['https://a.test/1', 'https://a.test/2'], 'redirect_uri is missing.'],
    [
      'to another’s address',
      { redirect_uri: 'https://evil.test/' },
      registered.redirects,
      texts.redirectUriIsNotRegistered,
    ],
  ])('%s leads nowhere', async (_, more, redirects, message) => {
    await expect(read(more, redirects)).rejects.toThrow(message);
  });
  test.each<[Record<string, string> | string, string, string]>([
    [{ response_type: 'token' }, 'unsupported_response_type', texts.responseTypeMustCode],
    [{ response_mode: 'fragment' }, 'invalid_request', texts.responseModeMustQuery],
    [{ code_challenge: '' }, 'invalid_request', 'PKCE is required'],
    [{ code_challenge_method: 'plain' }, 'invalid_request', 'PKCE is required'],
    [{ code_challenge: 'short' }, 'invalid_request', 'PKCE is required'],
    ['state=a&state=b', 'invalid_request', texts.stateMustSentOnce],
    [{ state: 'x'.repeat(4097) }, 'invalid_request', texts.stateMustSentOnce],
    [{ prompt: 'login none' }, 'interaction_required', texts.signNeedsUserInteraction],
    [{ resource: 'https://other.test' }, 'invalid_target', texts.thisServerIssuesTokensFor],
    ['scope=a&scope=b', 'invalid_request', texts.scopeSentMoreThan],
  ])('with %j goes back with %s', async (more, code, message) => {
    const answer = await read(more);
    if (!('returnUrl' in answer)) throw new Error('It was taken.');
    const back = new URL(answer.returnUrl).searchParams;
    expect([back.get('error'), back.get('iss'), back.get('state')]).toEqual([code, 'https://mcp.test', null]);
    expect(back.get('error_description')).toContain(message);
  });
  test('a no carries the state along', async () => {
    const answer = await read({ state: 's', response_type: 'token' });
    expect('returnUrl' in answer && new URL(answer.returnUrl).searchParams.get('state')).toBe('s');
  });
});
