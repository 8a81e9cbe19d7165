/** Targets of redirects: the key never leaves its origin, and a write is never sent with another method. */
import { describe, expect, test } from 'vitest';
import { resolveRedirect } from '../../../../src/request/redirect.ts';
import { isFollowedRedirect, resolveStorageUrl } from '../../../../src/transport/storage-url.ts';
import { texts } from '../../../core/texts.ts';

const body = () => 'x';
const HEADERS = { 'content-type': 'application/json', 'x-own': '1' };
const wireOf = (method: string) => ({ method, url: 'https://api.test/api/v1/links/1?a=b', headers: HEADERS, body });
const hop = (method: string, status: number, location: string | undefined = '/api/v2/links/1', hops = 0) =>
  resolveRedirect(wireOf(method), { status, location, hops });

const THERE = 'https://api.test/api/v2/links/1';
const WRITES = ['POST', 'PATCH', 'PUT', 'DELETE'];

test.each(['GET', ...WRITES])('307 and 308 repeat a %s with its body and headers', (method) => {
  for (const status of [307, 308]) expect(hop(method, status)).toEqual({ ...wireOf(method), url: THERE });
});

test('a GET follows every redirect except 304', () => {
  for (const status of [300, 301, 302, 303, 305, 306, 399])
    expect(hop('GET', status), String(status)).toEqual({ ...wireOf('GET'), url: THERE });
  expect(hop('GET', 304)).toBeTypeOf('string');
});

test.each(WRITES)('a 303 requests the result of a %s with a GET, without its body and headers', (method) => {
  expect(hop(method, 303)).toEqual({ method: 'GET', url: THERE, headers: { accept: 'application/json' } });
});

test.each(WRITES)('301 and 302 of a %s are not followed', (method) => {
  for (const status of [300, 301, 302, 304, 305])
    expect(hop(method, status)).toBe(
      `the service redirected this ${method} to another path, which would lose its body. Correct the base URL`,
    );
});

test.each([
  ['nowhere', undefined, /the service responded with a redirect without a location/],
  ['an invalid URL', 'https://', /the service responded with a redirect to an invalid URL/],
  ['another host', 'https://evil.test/api/v1/links/1', /the service redirected to https:\/\/evil\.test/],
  ['another scheme', 'http://api.test/api/v1/links/1', /the service redirected to http:\/\/api\.test/],
  ['another host without a scheme', '//evil.test/x', /the service redirected to https:\/\/evil\.test/],
  ['a host after user information', 'https://api.test@evil.test/x', /the service redirected to https:\/\/evil\.test/],
])('a redirect to %s is not followed, whatever its status and method', (_, location, why) => {
  for (const status of [301, 303, 307, 308])
    for (const method of ['GET', 'POST'])
      expect(resolveRedirect(wireOf(method), { status, location, hops: 0 })).toMatch(why);
});

test('five redirects are followed, a sixth is not', () => {
  expect([0, 4, 5, 6].map((hops) => typeof hop('GET', 302, THERE, hops))).toEqual([
    'object',
    'object',
    'string',
    'string',
  ]);
  expect(hop('GET', 302, THERE, 5)).toBe(texts.serviceRedirectedTooManyTimes);
});

describe('a file', () => {
  const statuses = Array.from({ length: 100 }, (_, at) => 300 + at);
  test('is uploaded again only by 307 and 308, and downloaded by every redirect', () => {
    expect(statuses.filter((status) => isFollowedRedirect(status, 'PUT'))).toEqual([307, 308]);
    expect(statuses.filter((status) => isFollowedRedirect(status, 'GET'))).toEqual([301, 302, 303, 307, 308]);
  });

  const fail = (reason: string) => new Error(reason);
  const resolved = (address: string, base = 'https://api.test/api/v1/documents/uploads') => {
    try {
      return resolveStorageUrl(address, { base, createError: fail }).href;
    } catch (error) {
      return (error as Error).message.replace('the storage address that the service gave is ', '');
    }
  };
  test.each([
    ['https://store.test/a?sig=1', 'https://store.test/a?sig=1'],
    [' /files/1 ', 'https://api.test/files/1'],
    ['http://store.test/a?sig=SECRET', texts.serviceReturnedStorageUrl],
    ['http://localhost:9/a', 'http://localhost:9/a'],
    ['http://127.1.2.3/a', 'http://127.1.2.3/a'],
    ['http://[::1]:9/a', 'http://[::1]:9/a'],
    ['http://localhost.evil.test/a', texts.serviceReturnedStorageUrl],
    ['file:///etc/passwd', texts.serviceReturnedStorageUrlHttp],
  ])('at %s is requested at %s', (address, place) => {
    expect(resolved(address)).toBe(place);
  });
  test('may use plain HTTP if the service itself does', () => {
    expect(resolved('http://store.test/a', 'http://api.test/api/v1/x')).toBe('http://store.test/a');
  });
});
