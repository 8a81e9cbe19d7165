/** A stored file is asked for again only where that may help, and not for who has given up. */
import { expect, test } from 'vitest';
import { type DownloadSource, fetchSource } from '../../../../src/download/download-source.ts';
import { fetchFromStorage } from '../../../../src/download/fetch-from-storage.ts';
import type { Transport, TransportResponse } from '../../../../src/index.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const url = new URL('https://store.test/1?sig=abcd');
const retry = { retries: 2, baseDelayMs: 0, maxDelayMs: 0 };
const never = () => new Promise<never>(() => undefined);
const response = (status: number): TransportResponse => ({ status, headers: {}, body: (async function* () {})() });

/** How it ended, and how often the storage was asked. */
async function fetched(transport: Transport, options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  let times = 0;
  const counted: Transport = (request) => {
    times += 1;
    return transport(request);
  };
  const end = await fetchFromStorage({ transport: counted, retry }, { url }, options).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { end, times };
}
const fails = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

test.each<[string, Transport, unknown, number]>([
  ['answers', async () => response(200), 200, 1],
  [texts.isOutOfOrder, async () => response(503), 503, 3],
  ['knows no such file', async () => response(404), 404, 1],
  ['resets the connection', fails('ECONNRESET'), expect.objectContaining({ code: 'ECONNRESET' }), 3],
  ['shows a wrong certificate', fails('CERT_HAS_EXPIRED'), expect.objectContaining({ code: 'CERT_HAS_EXPIRED' }), 1],
])('a storage that %s is asked so often', async (_, transport, end, times) => {
  expect(await fetched(transport)).toEqual({ end, times });
});

test('a storage that keeps silent is given up, and who has given up asks none', async () => {
  const silent = expect.objectContaining({ name: 'TimeoutError' });
  expect(await fetched(never, { timeoutMs: 20 })).toEqual({ end: silent, times: 1 });
  expect(await fetched(never, { signal: AbortSignal.abort('enough') })).toEqual({ end: 'enough', times: 0 });
});

test('a fresh address is asked for with the signal of who reads the file', async () => {
  const { signal } = new AbortController();
  const given: unknown[] = [];
  const fresh = standIn<DownloadSource>({ fetch: async () => response(200) });
  const source = standIn<DownloadSource>({
    fetch: async () => response(403),
    renew: async (one: unknown) => {
      given.push(one);
      return fresh;
    },
  });
  expect(await fetchSource(source, { signal })).toMatchObject({ source: fresh, response: { status: 200 } });
  expect(given).toEqual([signal]);
});
