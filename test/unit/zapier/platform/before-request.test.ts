/** The key of a connection goes to its API and nowhere else, whatever address a Zap asks for. */

import { afterEach, expect, test, vi } from 'vitest';
import type { HttpRequestOptionsWithUrl, ZObject } from 'zapier-platform-core';
import { addApiKey } from '../../../../zapier/platform/before-request.ts';
import { readApiKey, readBaseUrl } from '../../../../zapier/platform/with-client.ts';
import { texts } from '../../../zapier/texts.ts';

const KEY = 'sk_live_1234567890';
const BASE = 'https://docs.test/api/v1';
afterEach(() => void vi.unstubAllEnvs());

interface Asked {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly middlewareData?: Record<string, unknown>;
  readonly authData?: Record<string, string>;
}

async function keyed({ url, headers, middlewareData, authData }: Asked): Promise<unknown> {
  const request = {
    url,
    method: 'GET',
    ...(headers ? { headers } : {}),
    ...(middlewareData ? { middlewareData } : {}),
  };
  const bundle = { authData: authData ?? { apiKey: KEY, baseUrl: BASE } };
  const sent = await addApiKey(request as HttpRequestOptionsWithUrl & { url: string }, {} as ZObject, bundle as never);
  return sent.headers?.['authorization'];
}

test.each([
  `${BASE}/documents`,
  BASE,
  `${BASE}/`,
  `${BASE}?a=b`,
  'https://DOCS.test/api/v1/links/1',
  'https://docs.test:443/api/v1/links',
  'https://docs.test/x/../api/v1/links',
])('%s gets the key', async (url) => {
  expect(await keyed({ url })).toBe(`Bearer ${KEY}`);
});

test.each([
  // The same path at another host: the origin alone tells.
  'https://evil.test/api/v1/documents',
  'https://docs.test.evil.test/api/v1/documents',
  'https://docs.test@evil.test/api/v1/documents',
  'https://evil.test\\@docs.test/api/v1/documents',
  'http://docs.test/api/v1/documents',
  'https://docs.test:8443/api/v1/documents',
  // The same origin, beside the API.
  'https://docs.test/storage/1?sig=2',
  'https://docs.test/api/v10/documents',
  'https://docs.test/api/v1x',
  'https://docs.test/api',
  'https://docs.test/api/v1/../v2/documents',
  'https://docs.test/x/api/v1/documents',
  'not an address',
  '',
])('%s gets none', async (url) => {
  expect(await keyed({ url })).toBeUndefined();
});

test('an authorization that is given stays, in whatever case it is written', async () => {
  const url = `${BASE}/documents`;
  expect(await keyed({ url, headers: { authorization: 'mine' } })).toBe('mine');
  expect(await keyed({ url, headers: { Authorization: 'mine' } })).toBeUndefined();
  expect(await keyed({ url, headers: { accept: 'x' } })).toBe(`Bearer ${KEY}`);
});

test('what the client has keyed itself, and a connection without a key or an address, get none', async () => {
  const url = `${BASE}/documents`;
  expect(await keyed({ url, middlewareData: { hasApiKey: true } })).toBeUndefined();
  expect(await keyed({ url, middlewareData: { other: true } })).toBe(`Bearer ${KEY}`);
  expect(await keyed({ url, authData: { baseUrl: BASE } })).toBeUndefined();
  expect(await keyed({ url, authData: { apiKey: ' "" ', baseUrl: BASE } })).toBeUndefined();
  vi.stubEnv('DOCSHARE_BASE_URL', '');
  expect(await keyed({ url, authData: { apiKey: KEY } })).toBeUndefined();
});

test('a base URL with a slash at its end is the same', async () => {
  const authData = { apiKey: KEY, baseUrl: `${BASE}//` };
  expect(await keyed({ url: `${BASE}/links`, authData })).toBe(`Bearer ${KEY}`);
  expect(await keyed({ url: 'https://docs.test/api/v1links', authData })).toBeUndefined();
});

test.each([
  ['sk_1', 'sk_1'],
  ['  sk_1 \n', 'sk_1'],
  ['"sk_1"', 'sk_1'],
  ['“sk_1”', 'sk_1'],
  ['Bearer sk_1', 'sk_1'],
  ['authorization: bearer  sk_1', 'sk_1'],
  ['"Bearer \'sk_1\'"', 'sk_1'],
  ['xBearer sk_1', 'xBearer sk_1'],
  [undefined, ''],
])('a key that was copied as %j is %j', (apiKey, key) => {
  expect(readApiKey({ apiKey })).toBe(key);
});

test('a base URL without a scheme means https; one that is missing is asked for', () => {
  expect(readBaseUrl({ baseUrl: ' "docs.test/api/v1" ' })).toBe(BASE);
  expect(readBaseUrl({ baseUrl: 'http://x/api/v1' })).toBe('http://x/api/v1');
  vi.stubEnv('DOCSHARE_BASE_URL', 'https://own.test/api/v1');
  expect(readBaseUrl({})).toBe('https://own.test/api/v1');
  expect(readBaseUrl({ baseUrl: '""' })).toBe('https://own.test/api/v1');
  vi.stubEnv('DOCSHARE_BASE_URL', '');
  expect(() => readBaseUrl({})).toThrow(texts.enterBaseUrlYour);
});
