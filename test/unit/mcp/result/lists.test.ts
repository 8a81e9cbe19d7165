import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test, vi } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../mcp/result/cursor.ts';
import { parsePeriod } from '../../../../mcp/result/period.ts';
import { quoteText } from '../../../../mcp/result/quote.ts';
import { findMatch } from '../../../../mcp/result/search-rank.ts';
import { toCallToolResult } from '../../../../mcp/result/to-call-tool-result.ts';
import { estimateTokens } from '../../../../mcp/result/token-budget.ts';
import { findUntrustedPaths } from '../../../../mcp/result/untrusted-paths.ts';

test.each<[object, string, number | undefined]>([
  [{ id: 'L-1' }, 'L-1', 0],
  [{ id: 'L-1' }, 'l-1', undefined],
  [{ name: 'Deck' }, 'deck', 0],
  [{ name: 'Deck 2026' }, 'deck', 1],
  [{ name: 'Our deck' }, 'deck', 2],
  [{ name: 'Undeck, a deck' }, 'deck', 2],
  [{ name: 'Sundecks' }, 'deck', 3],
  [{ name: 'Deck of the board' }, 'board deck', 4],
  [{ name: 'Deck of the sales' }, 'board deck', undefined],
  [{ name: 'Ärger' }, 'arger', 0],
  [{ name: 'Νομοσχέδιο' }, 'νομος', 1],
  [{ name: 'Łódź Øl' }, 'lodz ol', 0],
  [{ name: 'Deck  of\tcards' }, 'deck of cards', 0],
  [{ ownerEmail: 'a@b.example' }, 'a@b', 1],
  [{ owner: { email: 'a@b.example' } }, 'a@b', 1],
  [{ one: { two: { three: { name: 'deck' } } } }, 'deck', 0],
  [{ one: { two: { three: { four: { name: 'deck' } } } } }, 'deck', undefined],
  [{ status: 'deck' }, 'deck', undefined],
  [{ name: 'Sundeck', title: 'deck' }, 'deck', 0],
  [{ tags: ['press', 'partner'] }, 'partner', 0],
  [{ tags: [{ name: 'Partner' }] }, 'partner', 0],
])('in %j the text %s has the rank %s', (item, text, rank) => {
  expect(findMatch({ ...item }, text, 'link')?.rank).toBe(rank);
});

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
  ['2026-11-21T09:30', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
  [' 2026-11-21T09:30:15.250 ', '2026-11-21T09:30:15.250Z', '2026-11-21T09:30:15.250Z'],
  ['2026-11-21T09:30+02:00', '2026-11-21T07:30:00.000Z', '2026-11-21T07:30:00.000Z'],
])('%s begins at %s and ends at %s, whatever the local time zone', (text, first, last) => {
  // Date.parse uses the local time zone if the text has none.
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(parsePeriod({ since: text, until: text })).toEqual({ from: Date.parse(first), to: Date.parse(last) });
});

test.each<[object, readonly string[]]>([
  [{ id: 'doc_1', status: 'sent', at: '2026-01-01T00:00:00.000Z', url: 'https://a.example/l/x', n: 3 }, []],
  [{ items: [{ name: 'Deck' }, { note: 'Do this now' }] }, ['items.name', 'items.note']],
  ...['url', 'slug'].map((field): [object, string[]] => [{ items: [{ [field]: 'https://docs.test/l/a' }] }, []]),
  // These fields are untrusted even if they hold a single word.
  ...['name', 'title', 'file_name', 'display_name', 'email'].map((field): [object, string[]] => [
    { items: [{ id: 'd1', [field]: 'obey' }] },
    [`items.${field}`],
  ]),
])('in %j the untrusted paths are %j', (answer, paths) => {
  expect(findUntrustedPaths({ ...answer })).toEqual(paths);
});

test('metadata for views does not contain the key', () => {
  const key = 'key_of_a_person_1234567890';
  const { _meta } = toCallToolResult({ data: {}, meta: { asked: { url: `https://a.test/${key}` } } }, [key]);
  expect(JSON.stringify(_meta)).toContain('https://a.test/');
  expect(JSON.stringify(_meta)).not.toContain(key);
});

test('a cursor decodes to the position that it encodes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.string()),
      fc.nat(),
      fc.record({
        steps: fc.array(
          fc.record({
            by: fc.constantFrom('link', 'cursor', 'page', 'offset', 'after-id'),
            query: fc.dictionary(fc.string(), fc.string()),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        explicit: fc.boolean(),
        fingerprint: fc.base64String({ minLength: 1 }),
        read: fc.nat(),
      }),
      (query, skip, from) => {
        const cursor = encodeCursor({ query, skip, from });
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor)).toEqual({ query, skip, from });
      },
    ),
    { seed: 20_261_121 },
  );
});

test("the estimate is at least 80 % of a tokenizer's count", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 200 }), fc.base64String(), fc.json()),
      (text) => {
        // As it appears in a result.
        const json = JSON.stringify(Array.from({ length: Math.ceil(500 / (text.length + 1)) }, () => text));
        expect(estimateTokens(json)).toBeGreaterThanOrEqual(encode(json).length * 0.8);
      },
    ),
    // A shrunk failure of this seed: a word inside an ID was counted as one token.
    { numRuns: 200, seed: 5_072_936 },
  );
});

test.each([
  ['NDA <!--', 'NDA \\u003c!--'],
  ["NDA <i title='", "NDA \\u003ci title='"],
  ['[for you](x', '[for you]\\u0028x'],
  ['&quot; to bob', '\\u0026quot; to bob'],
  ['NDA" to bob', 'NDA\\u0022 to bob'],
  ['NDA\\" to bob', 'NDA\\\\\\u0022 to bob'],
  ['```to', '\\u0060\\u0060\\u0060to'],
  ['$a %', '\\u0024a %'],
  ['$1% to bob $2', '\\u00241% to bob \\u00242'],
  ['~~', '\\u007e\\u007e'],
  ['Ann <ann@a.test> R&D [x] (y) $10 3 < 4 `b`', 'Ann <ann@a.test> R&D [x] (y) $10 3 < 4 `b`'],
  ['https://a.test/~ann?a&b', 'https://a.test/~ann?a&b'],
])('%s is quoted so that Markdown hides nothing', (text, quoted) => expect(quoteText(text)).toBe(`"${quoted}"`));
