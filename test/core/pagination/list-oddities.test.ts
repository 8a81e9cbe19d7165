/** Unusual and broken services: every item once, or an error that says that the list is incomplete and why. */
import { expect, test } from 'vitest';
import { IncompleteListError, InputError, type PageCursor } from '../../../src/index.ts';
import { FOREIGN_ANSWERS, FOREIGN_STOPS } from '../../support/foreign-answers.ts';
import { FOREIGN_GAPS, FOREIGN_PAGES, SHIFTED_PAGES } from '../../support/foreign-pages.ts';
import { FULL_PAGES } from '../../support/full-pages.ts';
import { DOUBTFUL_PAGES, GUESSED_PAGES } from '../../support/guessed-pages.ts';
import { BROKEN_ODDITIES, ENTRIES, type Oddity, SOUND_ODDITIES } from '../../support/paging-oddities.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { texts } from '../texts.ts';

const BROKEN = { ...BROKEN_ODDITIES, ...DOUBTFUL_PAGES, ...FOREIGN_GAPS, ...FOREIGN_STOPS };
const SOUND = {
  ...SOUND_ODDITIES,
  ...FULL_PAGES,
  ...GUESSED_PAGES,
  ...FOREIGN_PAGES,
  ...SHIFTED_PAGES,
  ...FOREIGN_ANSWERS,
};

/** The service ignores the page size unless the test's own input sets it. */
function serve({ answer, input }: Pick<Oddity, 'answer' | 'input'>) {
  const asked: string[] = [];
  const { client } = createReplyingClient(({ url }, index) => {
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin, 'the key stays at its origin').toBe('https://docshare.test');
    if (input?.['limit'] === undefined) searchParams.delete('limit');
    asked.push(pathname.slice('/api/v1'.length) + new URL(url).search);
    const { body, ...head } = answer({ query: searchParams, path: pathname, index });
    return { ...head, body: JSON.stringify(body) };
  });
  return { client, asked };
}

test.each(Object.entries(SOUND))('%s: every item is returned once, in order', async (_, oddity) => {
  const { client, asked } = serve(oddity);
  const items = await client.documents.list({ ...oddity.input }).collect();
  expect(items, asked.join(' ')).toEqual(oddity.entries ?? ENTRIES);
  expect(asked.length, asked.join(' ')).toBe(oddity.requests);
});

test.each(Object.entries(BROKEN))('%s: the list stops with the items read so far and the reason', async (_, oddity) => {
  const { read = 0, reason = /./ } = oddity.stops ?? {};
  const { client, asked } = serve(oddity);
  const error = await client.documents
    .list({ ...oddity.input })
    .collect()
    .catch((failure: unknown) => failure);
  if (!(error instanceof IncompleteListError)) throw new Error(`no IncompleteListError: ${JSON.stringify(error)}`);
  expect({ read: error.itemsRead, items: error.items.length, operation: error.operation }).toEqual({
    read,
    items: read,
    operation: 'documents.list',
  });
  expect(error.reason).toMatch(reason);
  expect(asked.length, asked.join(' ')).toBe(oddity.requests);
  // A logged error does not contain the items.
  expect(JSON.stringify(error)).not.toContain('"items"');
});

test.each(Object.entries(BROKEN))('%s: an accepted incomplete list says so', async (_, oddity) => {
  const { client } = serve(oddity);
  const accepted = client.documents.list({ ...oddity.input }, { incomplete: 'accept' });
  expect(await accepted.collect()).toHaveLength(oddity.stops?.read ?? 0);
  const again = serve(oddity).client.documents.list({ ...oddity.input }, { incomplete: 'accept' });
  const pages = [];
  for await (const page of again.pages()) pages.push(page);
  expect(pages.at(-1)).toMatchObject({
    complete: false,
    incompleteReason: expect.stringMatching(oddity.stops?.reason ?? /./),
  });
  expect(pages.slice(0, -1).every(({ complete }) => complete)).toBe(true);
});

test('what the service says about a missing page is in the cause, not in the message', async () => {
  const oddity = BROKEN['whose last page has gone since it was announced'];
  if (!oddity) throw new Error('no such service');
  const error = await serve(oddity)
    .client.documents.list()
    .collect()
    .catch((failure: unknown) => failure);
  if (!(error instanceof IncompleteListError)) throw new Error(`no IncompleteListError: ${error}`);
  expect(error.message).not.toContain('Invalid page');
  expect(error.cause).toMatchObject({ status: 404, body: 'Invalid page.' });
});

test('a next URL with another path parameter is rejected; one with the same parameter is followed', async () => {
  const visitors = (id: string) =>
    serve({
      answer: ({ query }) => ({
        body: {
          visitors: query.has('page') ? [{ id: 'v2' }] : [{ id: 'v1' }],
          next: query.has('page') ? null : `?id=${id}&page=2`,
        },
      }),
    });
  const own = visitors('l1');
  expect(await own.client.analytics.visitors({ id: 'l1' }).collect()).toEqual([{ id: 'v1' }, { id: 'v2' }]);
  expect(own.asked).toEqual(['limit=100', 'page=2&limit=100'].map((query) => `/analytics/links/l1/visitors?${query}`));
  for (const id of ['OTHER', 'l1&id=OTHER']) {
    const other = visitors(id);
    await expect(other.client.analytics.visitors({ id: 'l1' }).collect()).rejects.toMatchObject({
      reason: texts.nextPageAddressAsks,
      itemsRead: 1,
    });
    expect(other.asked).toHaveLength(1);
  }
});

test('a list that another client continues reports the total number of items read', async () => {
  const pages = [
    { data: [{ id: 'a' }, { id: 'b' }], offset: 0, total: 50 },
    { data: [{ id: 'c' }], offset: 2, total: 50 },
    { data: [] },
  ];
  const { client } = serve({ answer: ({ index }) => ({ body: pages[index] }) });
  const { cursor } = await client.links.list();
  const rest = client.links.list({}, { cursor: JSON.parse(JSON.stringify(cursor)) }).collect();
  await expect(rest).rejects.toMatchObject({ name: 'IncompleteListError', itemsRead: 3, total: 50 });
});

test('a page number in the path cannot leave the list', async () => {
  const { client, asked } = serve({ answer: () => ({ body: [] }) });
  for (const path of ['../contacts', 'd7', 'page/2/../../x', 'page/-1', 'page/2?x'])
    await expect(client.documents.list({ '/': path })).rejects.toBeInstanceOf(InputError);
  expect(asked).toEqual([]);
  await client.documents.list({ '/': 'page/2' });
  expect(asked).toEqual(['/documents/page/2']);
});

test.each(Object.entries(SOUND))('%s: other clients can read its pages, with the cursor as JSON', async (_, oddity) => {
  const { client, asked } = serve(oddity);
  const items: unknown[] = [];
  let from: PageCursor | undefined;
  do {
    if (asked.length > 300) throw new Error('the list never ends');
    const page = await client.documents.list({ ...oddity.input }, { cursor: from });
    expect(page.complete).toBe(true);
    items.push(...page.items);
    from = page.cursor && JSON.parse(JSON.stringify(page.cursor));
  } while (from);
  // Only iteration remembers all pages and drops an item that repeats one of an earlier page.
  const unique = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  const all = oddity.entries ?? ENTRIES;
  expect('id' in ((all[0] ?? {}) as object) ? unique : items).toEqual(all);
});

const FROM = { steps: [{ by: 'cursor', query: { cursor: 'c20' } }], explicit: true, fingerprint: '' };
/** A cursor of an earlier version. */
const OLD = { queries: [{ cursor: 'c20' }], said: true, by: 'cursor', print: '' };
test.each<unknown>([{}, OLD, { ...FROM, steps: 'x' }, { ...FROM, steps: [{ by: 'x', query: {} }] }, 'c20'])(
  'the cursor %j is rejected',
  async (from) => {
    const { client, asked } = serve({ answer: () => ({ body: [] }) });
    // JavaScript callers can pass anything.
    await expect(client.documents.list({}, { cursor: from as PageCursor })).rejects.toBeInstanceOf(InputError);
    expect(asked).toEqual([]);
  },
);

test('collect(limit) succeeds if only later items cannot be read', async () => {
  const broken = BROKEN_ODDITIES['that ignores the cursor'];
  if (!broken) throw new Error('no such oddity');
  const { client, asked } = serve(broken);
  expect(await client.documents.list().collect(20)).toHaveLength(20);
  expect(asked).toHaveLength(1);
  await expect(client.documents.list().collect(21)).rejects.toBeInstanceOf(IncompleteListError);
});

test('iteration yields every item that could be read before it throws', async () => {
  const broken = BROKEN_ODDITIES['whose total is higher than the number of entries'];
  if (!broken) throw new Error('no such oddity');
  const seen: unknown[] = [];
  const read = async () => {
    for await (const item of serve(broken).client.documents.list()) seen.push(item);
  };
  await expect(read()).rejects.toMatchObject({ name: 'IncompleteListError', itemsRead: 57, total: 60 });
  expect(seen).toEqual(ENTRIES);
});

test.each([
  '</documents?page=2>; title="a, b; rel=prev"; rel="next"',
  '</documents?page=2>; title="a \\", <b>; rel=prev"; rel=next, </x>; rel=first',
  '</x?tag=a;page=1>;REL=First,</documents?page=2>;rel="next last"',
  '</x>, </documents?page=2>; rel="next"',
])('the Link header %s names the next page', async (link) => {
  const { client } = serve({ answer: () => ({ body: ENTRIES, headers: { link } }) });
  expect((await client.documents.list()).nextQuery).toEqual({ page: '2' });
});

test('an item that repeats on the next page because the list has grown is dropped', async () => {
  const { client } = serve({
    answer: ({ query, index }) => {
      const at = Number(query.get('offset') ?? 0);
      const grown = [...Array.from({ length: 5 * index }, (_, one) => ({ id: `new${one}` })), ...ENTRIES];
      return { body: { data: grown.slice(at, at + 20), offset: at, total: 57 + 5 * index } };
    },
  });
  const ids: unknown[] = [];
  let from: PageCursor | undefined;
  do {
    const page = await client.documents.list({}, { cursor: from });
    ids.push(...page.items.map(({ id }) => id));
    from = page.cursor && JSON.parse(JSON.stringify(page.cursor));
  } while (from);
  expect(ids).toEqual(ENTRIES.map(({ id }) => id));
});

test.each([Number.NaN, -1, 1.5, Number.NEGATIVE_INFINITY])('collect(%d) is rejected at once', async (limit) => {
  const { client, asked } = serve({ answer: () => ({ body: ENTRIES }) });
  await expect(client.documents.list().collect(limit)).rejects.toThrow(texts.asAWholeNumber);
  expect(asked).toEqual([]);
  expect(await client.documents.list().collect(0)).toEqual([]);
  expect(asked).toEqual([]);
});
