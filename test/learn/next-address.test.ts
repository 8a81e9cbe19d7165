/** Which URL of a response is learned as the next page if other URLs precede it. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createLimiter, defineClient, type Transport } from '../../src/index.ts';

const ENTRIES = Array.from({ length: 57 }, (_, at) => ({ id: `d${at}`, name: `Document ${at}` }));

/** A service whose links repeat the query; the URLs of the current and the last page precede the next one. */
const transport: Transport = async ({ url }) => {
  const { pathname, searchParams: query } = new URL(url);
  const size = Number(query.get('limit') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const last = Math.ceil(ENTRIES.length / size);
  const link = (number: number) => `/api/v1/documents?limit=${size}${number > 1 ? `&page=${number}` : ''}`;
  const data = ENTRIES.slice((page - 1) * size, page * size);
  const links = { self: link(page), last: link(last), next: page < last ? link(page + 1) : null };
  const isList = pathname === '/api/v1/documents';
  const body = isList ? { links, data } : { error: 'not found' };
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': `${bytes.length}` };
  return { status: isList ? 200 : 404, headers, body: Readable.from([bytes]) };
};

test('the URL in `next` is learned, not that of the current page, and causes no contradiction', async () => {
  const baseUrl = 'https://docshare.test/api/v1';
  const { profile } = await learn({ apiKey: 'key', baseUrl, transport });
  expect(profile.operations['documents.list']?.list?.next).toMatchObject({ by: 'url', at: ['links', 'next'] });
  const contradictions: unknown[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl,
    profile,
    transport,
    limiter: createLimiter({ requests: 1000 }),
    hooks: { onContradiction: (contradiction) => contradictions.push(contradiction) },
  });
  expect(await client.documents.list().collect()).toEqual(ENTRIES);
  expect(contradictions).toEqual([]);
});
