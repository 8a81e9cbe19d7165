/** Values of the sign-in: encrypted claims, redirect URIs, client names and parameters. */

import { describe, expect, test } from 'vitest';
import { buildRedirectUrl, isRegisteredRedirect } from '../../../../mcp/hosted/oauth/redirect-uri.ts';
import { sanitizeClientName } from '../../../../mcp/hosted/oauth/sanitize-client-name.ts';
import { texts } from '../../../mcp/texts.ts';
import { createClaimsEncryptor } from '../../../support/mcp-parts.ts';

const SECRETS = ['s'.repeat(40), 't'.repeat(40)];
const sealsOf = (more: Partial<Parameters<typeof createClaimsEncryptor>[0]> = {}) =>
  createClaimsEncryptor({ secrets: SECRETS, issuer: 'https://mcp.test', audience: 'https://mcp.test/mcp', ...more });

describe('an encrypted claim', () => {
  test('can be decrypted for its purpose, its audience and its time, with every current secret', async () => {
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
  test('has a maximum length, which is larger for a form', async () => {
    const seals = sealsOf();
    const long = { text: 'x'.repeat(20_000) };
    expect(await seals.decrypt('form', await seals.encrypt('form', long))).toMatchObject(long);
    expect(await seals.decrypt('visit', await seals.encrypt('visit', long))).toBeUndefined();
  });
  test('needs a secret', () => {
    expect(() => sealsOf({ secrets: [] })).toThrow(texts.noSecretToEncryptWith);
  });
  test('is found by its hash, with the newest secret first', () => {
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
  ])('to %s is registered: %s', (asked, own) => {
    const registered = ['https://a.test/cb', 'http://localhost:1/cb', 'http://[::1]:1/cb', 'http://evil.test/cb'];
    expect(isRegisteredRedirect(asked, registered)).toBe(own);
  });
  test('keeps its query and gets the response parameters', () => {
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
])('the client name %j is shown as %j', (given, name) => {
  expect(sanitizeClientName(given)).toBe(name);
});
