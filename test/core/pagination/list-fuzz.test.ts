/** With any pagination fields and values, a list ends, repeats no item, and fails only with a typed error. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as assumed from '../../../src/assumptions/pagination.ts';
import { DocshareError } from '../../../src/index.ts';
import { createReplyingClient } from '../../support/replying-client.ts';

const NAMES = [
  ...Object.keys(assumed.CURSOR_FIELDS),
  ...assumed.NEXT_URL_FIELDS,
  ...assumed.HAS_MORE_FIELDS,
  ...assumed.IS_LAST_FIELDS,
  ...Object.keys(assumed.PAGE_NUMBER_FIELDS),
  ...assumed.PAGE_COUNT_FIELDS,
  ...assumed.OFFSET_FIELDS,
  ...assumed.SIZE_FIELDS,
  ...assumed.TOTAL_FIELDS,
  ...assumed.COUNT_FIELDS,
  ...assumed.PAGING_KEYS,
  'data',
  'links',
  '_links',
];
const address = fc.constantFrom(
  '/api/v1/documents?page=2',
  'https://elsewhere.test/api/v1/documents?cursor=x',
  '?__proto__=1&constructor=2&page=2',
  '/api/v1/documents/page/2',
  '/api/v1/documents/../contacts?page=2',
  '//elsewhere.test/documents?page=2',
  'javascript:alert(1)',
  '/%zz',
);
const value = fc.oneof(
  fc.boolean(),
  fc.integer({ min: -2, max: 70 }),
  fc.integer({ min: 0, max: 70 }).map(String),
  fc.string({ maxLength: 6 }),
  address,
  fc.constant(null),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
  fc.record({ href: address }),
  fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.boolean(), fc.nat(70), address, fc.constant(null)), {
    maxKeys: 4,
  }),
);
const words = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 });
const headers = fc.dictionary(
  fc.constantFrom('x-total-count', 'x-next-page', 'x-page', 'x-total-pages', 'link', 'x-pagination', 'content-range'),
  fc.oneof(
    fc.nat(70).map(String),
    address,
    address.map((one) => `<${one}>; rel="next"`),
    fc.json(),
    fc.string(),
  ),
  { maxKeys: 2 },
);
const entries = fc.oneof(
  fc.uniqueArray(fc.nat(80), { maxLength: 20 }).map((ids) => ids.map((id) => ({ id }))),
  fc.array(fc.record({ name: fc.constantFrom('a', 'b') }), { maxLength: 20 }),
);

test('a list with any combination of pagination fields ends, with every ID once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(words, headers, entries), { minLength: 1, maxLength: 4 }), async (answers) => {
      const { client, requests } = createReplyingClient(({ url }, index) => {
        const { origin, pathname } = new URL(url);
        expect(origin + pathname.replace(/\/page\/2$/, '')).toBe('https://docshare.test/api/v1/documents');
        const [body, head, items] = answers[index % answers.length] ?? [{}, {}, []];
        return { headers: head, body: { documents: items, ...body } };
      });
      const pages: (readonly object[])[] = [];
      try {
        for await (const { items } of client.documents.list().pages()) pages.push(items);
      } catch (error) {
        expect(error).toBeInstanceOf(DocshareError);
        expect(String(error)).not.toContain('thrown by what was handed in');
      }
      const seen = new Set<string>();
      for (const page of pages) {
        const ids = page.flatMap((item) => ('id' in item ? [String(item.id)] : []));
        if (ids.length !== page.length || new Set(ids).size !== ids.length) continue;
        expect(ids.filter((id) => seen.has(id))).toEqual([]);
        for (const id of ids) seen.add(id);
      }
      expect(requests.length).toBeLessThan(600);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 250), seed: Number(process.env['FUZZ_SEED'] ?? 57) },
  );
});
