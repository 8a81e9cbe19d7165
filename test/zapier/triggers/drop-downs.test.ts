import { expect, test } from 'vitest';
import { type Item, serveList, zapStep } from '../../support/zap-step.ts';

const PAGE = (page: number) => ({ meta: { page } });
const links = (count: number) => {
  const items = Array.from({ length: count }, (_, at) => ({ id: `l${at}` }));
  const step = serveList(() => items, { pageSize: 1 });
  return { ...step, page: (number: number) => step.trigger('link_list', PAGE(number)) };
};

test('equal names are told apart by status and date, and records without an ID are left out', async () => {
  const { trigger } = zapStep(() => ({
    json: [
      { id: 'a', name: 'Deck', status: 'active', created_at: '2026-01-02T03:04:05Z' },
      { id: 'b', name: 'Deck' },
      { id: 'c', url: 'https://a.test/c' },
      { id: 'd', name: 'Other' },
      { name: 'nobody' },
    ],
  }));
  expect(await trigger('link_list', { meta: { timezone: 'Europe/Berlin' } })).toEqual([
    { id: 'a', name: 'Deck (active, 2026-01-02 04:04)' },
    { id: 'b', name: 'Deck (b)' },
    { id: 'c', name: 'https://a.test/c' },
    { id: 'd', name: 'Other' },
  ]);
});

test('equal names of one status and date are told apart by the first recipient, or else by the ID', async () => {
  const record = { name: 'NDA', status: 'sent', created_at: '2026-01-02T03:04:05Z' };
  const { trigger } = zapStep(() => ({
    json: ['ann@a.test', 'bob@a.test', undefined, undefined].map((email, at) => ({
      ...record,
      id: `a${at}`,
      recipients: email ? [{ email }] : [],
    })),
  }));
  expect((await trigger('agreement_list')).map(({ name }) => name)).toEqual([
    'NDA (sent, 2026-01-02 03:04, ann@a.test)',
    'NDA (sent, 2026-01-02 03:04, bob@a.test)',
    'NDA (sent, 2026-01-02 03:04, a2)',
    'NDA (sent, 2026-01-02 03:04, a3)',
  ]);
});

test('pages are read in order, each with one request, and nothing is requested after the last', async () => {
  const { page, calls } = links(2);
  expect([await page(0), await page(1)]).toMatchObject([[{ id: 'l0' }], [{ id: 'l1' }]]);
  expect(await page(2)).toEqual([]);
  expect(calls).toHaveLength(2);
});

test('a page out of order is read from the first page on', async () => {
  const { page } = links(4);
  await page(0);
  expect([await page(3), await page(1), await page(7)]).toMatchObject([[{ id: 'l3' }], [{ id: 'l1' }], []]);
});

test.each([
  ['drop-down', 'room_list', {}],
  ['connection', 'link_list', { authData: { apiKey: 'other', baseUrl: 'https://api.test/eu/api/v1' } }],
])('a page is not read with the cursor of another %s of the Zap', async (_, otherList, other) => {
  const { trigger } = zapStep(({ path, query }) => {
    const at = Number(query['cursor'] ?? 0);
    return { json: { data: [{ id: `l${at}` }], next_cursor: path === '/links' && at < 2 ? `${at + 1}` : null } };
  });
  expect(await trigger('link_list', PAGE(0))).toMatchObject([{ id: 'l0' }]);
  expect(await trigger(otherList, { ...PAGE(0), ...other })).toMatchObject([{ id: 'l0' }]);
  expect(await trigger('link_list', PAGE(1))).toMatchObject([{ id: 'l1' }]);
  expect(await trigger('link_list', PAGE(2))).toMatchObject([{ id: 'l2' }]);
});

test('pages work without a cursor of the platform', async () => {
  const { page, z } = links(4);
  const down = () => Promise.reject(new Error('down'));
  Object.assign(z.cursor, { get: down, set: down });
  expect([await page(0), await page(2)]).toMatchObject([[{ id: 'l0' }], [{ id: 'l2' }]]);
});

test.each(['7', 'null', '[]', '{}', '"x"', '{"page":1}', '{"page":1,"from":7}', '{"page":1,"from":{}}', '{'])(
  'the cursor %s is ignored',
  async (text) => {
    const { page, z } = links(4);
    z.cursor.get = async () => text;
    expect(await page(1)).toMatchObject([{ id: 'l1' }]);
  },
);

test('pages without a choice are skipped, because the platform treats one as the end', async () => {
  const pages: Item[][] = [[], [{ id: 'c1', name: 'Ada' }], [{ name: 'no ID' }], [], [{ id: 'c2', name: 'Bob' }], []];
  const { trigger } = zapStep(({ query }) => {
    const at = Number(query['cursor'] ?? 0);
    return { json: { data: pages[at], next_cursor: at + 1 < pages.length ? `${at + 1}` : null } };
  });
  const shown = [[{ id: 'c1', name: 'Ada' }], [{ id: 'c2', name: 'Bob' }], []];
  for (const [at, choices] of shown.entries()) expect(await trigger('contact_list', PAGE(at))).toEqual(choices);
});

test('at most ten pages without a choice are skipped', async () => {
  const { trigger, calls } = zapStep(({ query }) => ({
    json: { data: [{ title: 'x' }], next_cursor: `${Number(query['cursor'] ?? 0) + 1}` },
  }));
  await trigger('link_list', PAGE(0));
  expect(calls).toHaveLength(11);
});
