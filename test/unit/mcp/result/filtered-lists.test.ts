/** Lists that are cut in two or narrowed: nothing is lost on the way, and a failure is no empty answer. */
import { expect, test, vi } from 'vitest';
import { encodeCursor } from '../../../../mcp/result/cursor.ts';
import { createFilteredListResult } from '../../../../mcp/result/filtered-list.ts';
import { createListFilter } from '../../../../mcp/result/list-filter.ts';
import { createListResult } from '../../../../mcp/result/list-result.ts';
import type { FetchPage, ListSource } from '../../../../mcp/result/query-support.ts';
import { readFiltered } from '../../../../mcp/result/read-filtered.ts';
import type { ToolContext } from '../../../../mcp/tool/tool.ts';
import { ValidationError } from '../../../../src/errors.ts';
import type { Page, PageCursor } from '../../../../src/index.ts';
import type { JsonObject } from '../../../../src/records/fields.ts';
import { standIn } from '../../../support/stand-in.ts';

const NEXT = standIn<PageCursor>({ steps: [{ by: 'page', query: { page: '2' } }], explicit: true });
const REFUSED = { status: 422, operation: 'links.list', scope: 'links:read', body: '' } as const;
const item = (name: string) => ({ id: name, name });
const page = (names: readonly string[], cursor?: PageCursor) =>
  standIn<Page<JsonObject>>({ items: names.map(item), complete: true, ...(cursor ? { cursor } : {}) });

function sourceOf(fetch: FetchPage): ListSource {
  const habits = new Map<string, string>();
  return {
    operation: 'links.list',
    resource: 'link',
    fetch,
    getPageSizeQuery: (size) => ({ per_page: size }),
    behaviorCache: { get: (subject) => habits.get(subject), set: (subject, habit) => void habits.set(subject, habit) },
  };
}

test('the second half of a page is read with the borders that the first half had', async () => {
  const fetch = vi.fn<FetchPage>(async () => page(['a', 'b', 'c']));
  const cursor = encodeCursor({ query: { per_page: 3 }, skip: 1 });
  const { data } = await createListResult({ cursor, limit: 1 }, sourceOf(fetch));
  expect(data['items']).toMatchObject([{ id: 'b' }]);
  const bare = encodeCursor({ query: {}, skip: 2 });
  const rest = await createListResult({ cursor: bare, limit: 1 }, sourceOf(fetch));
  expect(rest.data['items']).toMatchObject([{ id: 'c' }]);
  expect(fetch.mock.calls.map(([query]) => query)).toEqual([{ per_page: 3 }, {}]);
});

test('a service that narrows and leaves out what fits is not believed: its list is read', async () => {
  const source = sourceOf(async (query, from) => {
    if (from) return page(['deck three']);
    return 'search' in query || 'q' in query ? page(['deck two']) : page(['deck one', 'nda'], NEXT);
  });
  const taken: unknown[] = [];
  const found = await readFiltered(source, {
    filter: createListFilter({ match: 'deck' }, 'link'),
    query: {},
    limits: { maxPages: 10, accept: ({ id }) => taken.push(id) > 0, mayFetchNext: () => true },
  });
  expect(found).toMatchObject({ by: 'server', end: { kind: 'whole', fromStart: true }, read: 3 });
  expect(taken).toEqual(['deck one', 'deck three']);
});

test('where nothing was found before the service failed, the failure is told and no empty list', async () => {
  const source = sourceOf(async (_, from) => {
    if (from) throw new Error('broken');
    return page(['nda'], NEXT);
  });
  const context = standIn<ToolContext>({
    client: { expectedWaitMs: () => 0 },
    options: {},
    progress: { step: () => undefined },
  });
  const wanted = { match: 'deck' };
  await expect(createFilteredListResult(wanted, { source, criteria: wanted, context })).rejects.toThrow('broken');
});

/** Reads for `deck`; who narrowed, and the names in each query that the service got. */
async function readFor(source: ListSource) {
  const asked: string[][] = [];
  const fetch: FetchPage = (query, from) => {
    asked.push(Object.keys(query).sort());
    return source.fetch(query, from);
  };
  const { by } = await readFiltered(
    { ...source, fetch },
    {
      filter: createListFilter({ match: 'deck' }, 'link'),
      query: {},
      limits: { maxPages: 10, accept: () => true, mayFetchNext: () => true },
    },
  );
  return { by, asked };
}

const isNarrowed = (query: JsonObject) => 'q' in query || 'search' in query;

test('a service that stops to heed a text is asked for whole pages from then on', async () => {
  let heeds = true;
  const source = sourceOf(async (query, from) => {
    if (from) return page([]);
    return heeds && isNarrowed(query) ? page(['deck']) : page(['deck', 'nda'], NEXT);
  });
  expect(await readFor(source)).toMatchObject({ by: 'service' });
  heeds = false;
  expect(await readFor(source)).toMatchObject({ by: 'server' });
  const { by, asked } = await readFor(source);
  expect([by, asked]).toEqual(['server', [['per_page'], ['per_page']]]);
});

test('a service that refuses large pages is asked for none again', async () => {
  const source = sourceOf(async (query) => {
    if ('per_page' in query) throw new ValidationError('No.', REFUSED);
    return page(['deck']);
  });
  expect((await readFor(source)).asked).toEqual([['per_page'], []]);
  expect((await readFor(source)).asked).toEqual([[]]);
});

test('a page that is full asks for no other: what follows waits for the next call', async () => {
  const fetch = vi.fn<FetchPage>(async (_, from) => page(['deck'], from ? undefined : NEXT));
  const context = standIn<ToolContext>({
    client: { expectedWaitMs: () => 0 },
    options: {},
    progress: { step: () => undefined },
  });
  const source = sourceOf(fetch);
  source.behaviorCache.set('links.list filter match', 'ignores');
  const asked = { match: 'deck', limit: 1 };
  const { data } = await createFilteredListResult(asked, { source, criteria: { match: 'deck' }, context });
  expect(data).toMatchObject({ items: [{ id: 'deck' }], searched: { read: 1, complete: false } });
  expect(data['next_cursor']).toBeDefined();
  expect(fetch).toHaveBeenCalledOnce();
});
