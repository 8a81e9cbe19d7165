/** What a sign-in makes of the service's answers about a key. */
import { expect, test } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import { checkKey } from '../../../../mcp/hosted/oauth/check-key.ts';
import type { Scope } from '../../../../src/index.ts';
import { AuthenticationError, PermissionError } from '../../../../src/index.ts';
import { createStub } from '../../../support/create-stub.ts';

const SCOPES: readonly Scope[] = ['documents:read', 'links:read'];

/** A key whose reads of documents and of links end like this. */
function check(documents: () => unknown, links: () => unknown) {
  const client = { documents: { list: async () => documents() }, links: { list: async () => links() } };
  return checkKey(createStub<Account>({ secrets: [], client: async () => client }), SCOPES);
}

const parts = { operation: 'links.list', scope: 'links:read', body: '', details: [], headers: {} } as const;
const read = () => ({ items: [] });
const forbidden = () => {
  throw new PermissionError('x', { ...parts, status: 403 });
};
const unknown = () => {
  throw new AuthenticationError('x', { ...parts, status: 401 });
};

test('a key works with what it reads, and what it may not is known', async () => {
  expect(await check(read, forbidden)).toEqual({
    isValid: true,
    readableScopes: ['documents:read'],
    deniedScopes: ['links:read'],
  });
});

test.each([
  ['at once', unknown, read],
  ['behind one that it may not make', forbidden, unknown],
])('a key that one read does not know is none: %s', async (_, documents, links) => {
  expect(await check(documents, links)).toMatchObject({
    isValid: false,
    message: expect.stringContaining('key isn’t valid'),
  });
});
