import { expect, test } from 'vitest';
import { buildRedirectUrl, isRegisteredRedirect } from '../../../../mcp/hosted/oauth/redirect-uri.ts';
import { sanitizeClientName } from '../../../../mcp/hosted/oauth/sanitize-client-name.ts';
import { createClaimsEncryptor } from '../../../support/mcp-parts.ts';

test('an encrypted claim has a purpose and a maximum length, which is larger for a form', async () => {
  const issuer = 'https://mcp.test';
  const encryptor = createClaimsEncryptor({ secrets: ['s'.repeat(40)], issuer, audience: `${issuer}/mcp` });
  const long = { text: 'x'.repeat(20_000) };
  const form = await encryptor.encrypt('form', long);
  expect(await encryptor.decrypt('form', form)).toMatchObject(long);
  expect(await encryptor.decrypt('visit', await encryptor.encrypt('visit', long))).toBeUndefined();
  const visit = await encryptor.encrypt('visit', { key: 'k' });
  expect([await encryptor.decrypt('visit', visit), await encryptor.decrypt('grant', visit)]).toMatchObject([
    { key: 'k' },
    undefined,
  ]);
});

test.each([
  ['https://a.test/cb', true],
  ['http://localhost:4711/cb', true],
  ['http://localhost:99999/cb', false],
  ['http://localhost:4711/other', false],
  ['http://127.0.0.1:4711/cb', false],
  ['http://[::1]:9/cb', true],
  ['http://evil.test:80/cb', false],
  ['http://localhost@evil.test/cb', false],
])('a redirect to %s is registered: %s', (asked, isRegistered) => {
  const registered = ['https://a.test/cb', 'http://localhost:1/cb', 'http://[::1]:1/cb', 'http://evil.test/cb'];
  expect(isRegisteredRedirect(asked, registered)).toBe(isRegistered);
});

test('a redirect keeps its query and gets the response parameters', () => {
  expect(buildRedirectUrl('https://a.test/cb', { code: 'x y', state: undefined })).toBe('https://a.test/cb?code=x+y');
  expect(buildRedirectUrl('https://a.test/cb?a=%20', { code: 'c' })).toBe('https://a.test/cb?a=%20&code=c');
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
