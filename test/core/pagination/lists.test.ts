/** Every list envelope is read or rejected with a typed error, and no list is endless. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocshareError } from '../../../src/index.ts';
import { createReplyingClient, type Reply } from '../../support/replying-client.ts';

/** A client whose service responds to the query alone. */
function clientOf(answer: (query: URLSearchParams, index: number) => Reply) {
  const queries: string[] = [];
  const { client } = createReplyingClient(({ url }, index) => {
    const { searchParams } = new URL(url);
    queries.push(searchParams.toString());
    const { body, ...head } = answer(searchParams, index);
    return { ...head, body: JSON.stringify(body) };
  });
  return { client, queries };
}

const ALL = Array.from({ length: 7 }, (_, index) => ({ id: `d${index}` }));
const pageAt = (from: number) => ({
  items: ALL.slice(from, from + 3),
  next: from + 3 < ALL.length ? from + 3 : undefined,
});

/** Pages of three by a cursor at the top. */
const byCursor = (query: URLSearchParams): Reply => {
  const { items, next } = pageAt(Number(query.get('cursor')?.slice(1) ?? 0));
  return { body: { data: items, next_cursor: next === undefined ? null : `c${next}` } };
};

test('a list call sends nothing until it is used, and requests its first page once', async () => {
  const { client, queries } = clientOf(() => ({ body: { data: ALL, total: 7 } }));
  const list = client.documents.list({ status: 'open', tag: ['a', 'b'] });
  expect(queries).toEqual([]);
  const page = await list;
  expect(page).toEqual({ items: ALL, nextQuery: undefined, complete: true, total: 7, raw: { data: ALL, total: 7 } });
  expect(await list.collect()).toEqual(ALL);
  expect((await list.withResponse()).response.status).toBe(200);
  expect(queries).toEqual(['status=open&tag=a&tag=b']);
});

test('collect stops at its limit and requests no further page', async () => {
  const { client, queries } = clientOf(byCursor);
  expect(await client.documents.list({ status: 'open' }).collect(6)).toEqual(ALL.slice(0, 6));
  expect(queries).toEqual(['status=open', 'status=open&cursor=c3']);
  expect(await client.documents.list().collect(0)).toEqual([]);
  const pages: unknown[] = [];
  for await (const { items } of client.documents.list().pages()) pages.push(items.length);
  expect(pages).toEqual([3, 3, 1]);
});

test('the error of a failed collect has the items read so far', async () => {
  const { client } = clientOf((query) =>
    query.has('cursor') ? { body: 'no list' } : { body: { data: ALL.slice(0, 3), next_cursor: 'c3' } },
  );
  await expect(client.documents.list().collect()).rejects.toMatchObject({ status: 200, items: ALL.slice(0, 3) });
});

test('a complete list requests 100 items per page, and stops doing so once the service rejects it', async () => {
  const { client, queries } = clientOf((query) => {
    const from = Number(query.get('offset') ?? 0);
    const size = Number(query.get('limit') ?? 25);
    const data = Array.from({ length: Math.min(size, 257 - from) }, (_, at) => ({ id: `d${from + at}` }));
    return { body: { data, offset: from, total: 257 }, status: size > 50 && query.has('strict') ? 422 : 200 };
  });
  expect(await client.documents.list().collect()).toHaveLength(257);
  expect(queries).toEqual(['limit=100', 'offset=100&limit=100', 'offset=200&limit=100']);
  expect(await client.links.list({ strict: 1 }).collect(26)).toHaveLength(26);
  expect(await client.links.list({ strict: 1 }).collect()).toHaveLength(257);
  expect(queries.slice(3, 6)).toEqual(['strict=1&limit=26', 'strict=1&limit=100', 'strict=1']);
  const before = queries.length;
  await client.links.list({ strict: 1 }).collect();
  expect(queries[before]).toBe('strict=1');
});

test("a next URL that repeats a parameter keeps the caller's value", async () => {
  const { client, queries } = clientOf((query) => ({
    body: { data: [{ id: query.get('at') ?? '0' }], next: query.has('at') ? null : '/documents?tag=a&tag=b&at=1' },
  }));
  expect(await client.documents.list({ tag: ['a', 'b'] }).collect()).toHaveLength(2);
  expect(queries).toEqual(['tag=a&tag=b&limit=100', 'tag=a&tag=b&at=1&limit=100']);
});

test.each([
  [{ data: { items: ALL }, errors: [] }],
  [{ response: { payload: ALL }, warnings: [] }],
  [{ files: ALL, included: [{ id: 'x' }] }],
  [{ data: ALL, links: [] }],
  [{ _documents: { href: '/' }, documents: ALL }],
  [{ documents: ALL, _documents: { href: '/' } }],
])('the list is found in %j', async (body) => {
  const { client } = clientOf(() => ({ body }));
  expect((await client.documents.list()).items).toEqual(ALL);
});

test.each([[{ documents: null }], [null], [[]], [{ data: [] }]])('%j is an empty list', async (body) => {
  const { client } = clientOf(() => ({ body }));
  expect((await client.documents.list()).items).toEqual([]);
});

test('items nested deeper than the call stack are read', async () => {
  const text = `{"data":[{"tree":${'['.repeat(50_000)}1${']'.repeat(50_000)}}]}`;
  const { client } = createReplyingClient([{ body: text }]);
  expect(await client.documents.list().collect()).toHaveLength(1);
});

test.each(['next-cursor', 'Next-Cursor', 'X-Next-Cursor', 'continuation-token'])(
  'the header %s of a bare array names the next page',
  async (header) => {
    const { client } = clientOf((query) => {
      const { items, next } = pageAt(Number(query.get('cursor') ?? query.get('continuation_token') ?? 0));
      return { body: items, headers: next === undefined ? {} : { [header.toLowerCase()]: String(next) } };
    });
    expect(await client.documents.list().collect()).toEqual(ALL);
  },
);

test('any JSON is a list or a typed error, and iteration ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 4 }), async (bodies) => {
      const { client, queries } = clientOf((_, index) => ({ body: bodies[index % bodies.length] }));
      const outcome = await client.documents
        .list()
        .collect()
        .catch((reason: unknown) => reason);
      if (Array.isArray(outcome)) for (const item of outcome) expect(item).toBeTypeOf('object');
      else expect(outcome).toBeInstanceOf(DocshareError);
      expect(queries.length).toBeLessThan(50);
    }),
    { numRuns: 300, seed: 20_261_121 },
  );
});

test('a list of objects is found under any name, in any common envelope', async () => {
  const name = fc
    .stringMatching(/^[A-Za-z_]{1,12}$/)
    .filter(
      (word) =>
        !/^(errors|links|meta|fields|columns|facets|filters|sort|included|messages|notices|warnings)$/.test(word),
    );
  const envelope = fc.constantFrom('data', 'result', 'response', 'payload', undefined);
  const items = fc.array(fc.record({ id: fc.uuid() }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(name, envelope, items, async (key, outer, list) => {
      const inner = { [key]: list, count: list.length };
      const { client } = clientOf(() => ({ body: outer === undefined ? inner : { [outer]: inner, ok: true } }));
      expect((await client.rooms.list()).items).toEqual(list);
    }),
    { seed: 20_261_121 },
  );
});
