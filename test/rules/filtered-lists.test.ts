/** Lists that are cut in two or narrowed: nothing is lost on the way, and a failure is no empty answer. */
import { expect, test, vi } from 'vitest';
import { encodeCursor } from '../../mcp/answer/cursor.ts';
import { createFilter } from '../../mcp/answer/filter.ts';
import { filteredAnswer } from '../../mcp/answer/filtered-list.ts';
import type { FetchPage, ListSource } from '../../mcp/answer/heeded.ts';
import { listAnswer } from '../../mcp/answer/list-answer.ts';
import { readFiltered } from '../../mcp/answer/read-filtered.ts';
import type { ToolContext } from '../../mcp/contract/tool.ts';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { Onward, Page } from '../../src/index.ts';
import { standIn } from '../world/stand-in.ts';

const ONWARD = standIn<Onward>({ queries: [{ page: '2' }], by: 'number', said: true });
const item = (name: string) => ({ id: name, name });
const page = (names: readonly string[], onward?: Onward) =>
  standIn<Page<JsonObject>>({ items: names.map(item), complete: true, ...(onward ? { onward } : {}) });

function sourceOf(fetch: FetchPage): ListSource {
  const habits = new Map<string, string>();
  return {
    operation: 'links.list',
    resource: 'link',
    fetch,
    pagesOf: (size) => ({ per_page: size }),
    habits: {
      get: (subject) => habits.get(subject),
      set: (subject, habit) => void habits.set(subject, habit),
    },
  };
}

test('the second half of a page is read with the borders that the first half had', async () => {
  const fetch = vi.fn<FetchPage>(async () => page(['a', 'b', 'c']));
  const cursor = encodeCursor({ query: { per_page: 3 }, skip: 1 });
  const { data } = await listAnswer({ cursor, limit: 1 }, sourceOf(fetch));
  expect(data['items']).toMatchObject([{ id: 'b' }]);
  const bare = encodeCursor({ query: {}, skip: 2 });
  const rest = await listAnswer({ cursor: bare, limit: 1 }, sourceOf(fetch));
  expect(rest.data['items']).toMatchObject([{ id: 'c' }]);
  expect(fetch.mock.calls.map(([query]) => query)).toEqual([{ per_page: 3 }, {}]);
});

test('a service that narrows and leaves out what fits is not believed: its list is read', async () => {
  const source = sourceOf(async (query, from) => {
    if (from) return page(['deck three']);
    return 'search' in query || 'q' in query ? page(['deck two']) : page(['deck one', 'nda'], ONWARD);
  });
  const taken: unknown[] = [];
  const found = await readFiltered(source, {
    filter: createFilter({ match: 'deck' }, 'link'),
    query: {},
    bounds: {
      pages: 10,
      timeMs: 60_000,
      take: ({ id }) => taken.push(id) > 0,
      mayAsk: () => true,
    },
  });
  expect(found).toMatchObject({ by: 'reading', all: true, read: 3 });
  expect(taken).toEqual(['deck one', 'deck three']);
});

test('where nothing was found before the service failed, the failure is told and no empty list', async () => {
  const source = sourceOf(async (_, from) => {
    if (from) throw new Error('broken');
    return page(['nda'], ONWARD);
  });
  const context = standIn<ToolContext>({
    client: { expectedWaitMs: () => 0 },
    options: {},
    progress: { step: () => undefined },
  });
  const wanted = { match: 'deck' };
  await expect(filteredAnswer(wanted, { source, wanted, context })).rejects.toThrow('broken');
});
