import { beforeEach, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';

let context: ZapierContext;

const connect = async (apiKey: string, baseUrl = context.sandbox.url) => {
  const authData = { apiKey, baseUrl };
  const tested = await context.zap.run('authentication.test', { authData });
  return { tested, label: await context.zap.run('authentication.connectionLabel', { authData, inputData: tested }) };
};
const getError = (apiKey: string, baseUrl = context.sandbox.url) =>
  context.zap.runError('authentication.test', { authData: { apiKey, baseUrl } });
/** The word in the label for a key with one scope; other scopes are not named. */
const SHOWN: Partial<Record<Scope, string>> = {
  'documents:read': 'documents',
  'links:read': 'links',
  'datarooms:read': 'rooms',
  'envelopes:read': 'agreements',
  'contacts:read': 'contacts',
};
const hostOf = (url: string) => new URL(url).host;

describe('the connection test', () => {
  beforeEach(async () => {
    context = await closeAfterTest(openZapierContext());
  });

  test('accepts a key with all scopes, and the label names the host', async () => {
    const { tested, label } = await connect(context.key);
    expect(tested['readable']).toHaveLength(5);
    expect(label).toBe(`${hostOf(context.sandbox.url)} (can read documents, links, rooms, agreements, contacts)`);
  });

  test.each(SCOPES)('accepts a key with only the scope %s', async (scope: Scope) => {
    const { label } = await connect(context.sandbox.key([scope]));
    const word = SHOWN[scope];
    expect(label).toBe(`${hostOf(context.sandbox.url)} (${word === undefined ? 'limited key' : `can read ${word}`})`);
  });

  test('uses https for a base URL without a scheme, and rejects http', async () => {
    expect((await getError(context.key, 'http://docs.example.com/api/v1')).message).toContain('https://');
    const host = hostOf(context.sandbox.url);
    expect((await getError(context.key, `${host}/api/v1`)).message).toContain(`https://${host}`);
  });

  test('reports a wrong base URL', async () => {
    expect((await getError(context.key, `${context.sandbox.origin}/elsewhere`)).message).toContain('/api/v1');
  });
});

test.each(['modern', 'gateway'] as const)('a revoked or mistyped key is rejected by "%s"', async (profile) => {
  context = await closeAfterTest(openZapierContext(profile));
  const revoked = context.sandbox.key();
  context.sandbox.revoke(revoked);
  for (const key of [revoked, 'mistyped'])
    expect((await getError(key)).message).toMatch(/API key.*Settings → API keys/);
});
