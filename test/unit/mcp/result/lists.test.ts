/** Searching text in objects, and the dates and times that filter a list. */

import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../mcp/result/cursor.ts';
import { isWithinPeriod, parsePeriod } from '../../../../mcp/result/period.ts';
import { isRejectedQuery } from '../../../../mcp/result/query-support.ts';
import { findMatch } from '../../../../mcp/result/search-rank.ts';
import { toCallToolResult } from '../../../../mcp/result/to-call-tool-result.ts';
import { estimateTokens } from '../../../../mcp/result/token-budget.ts';
import { findUntrustedPaths } from '../../../../mcp/result/untrusted-paths.ts';
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../../../../src/index.ts';

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
  [{ name: 'ΝΟΜΟΣ' }, 'νομος', 0],
  [{ name: 'Νομοσχέδιο' }, 'νομος', 1],
  [{ name: 'Łódź Øl' }, 'lodz ol', 0],
  [{ name: 'Œuvre' }, 'oeuvre', 0],
  [{ name: 'Deck  of\tcards' }, 'deck of cards', 0],
  [{ ownerEmail: 'a@b.example' }, 'a@b', 1],
  [{ emails: ['a@b.example'] }, 'a@b', 1],
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

describe('a time', () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    ['2026-11-21T09:30', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
    [' 2026-11-21T09:30:15.250 ', '2026-11-21T09:30:15.250Z', '2026-11-21T09:30:15.250Z'],
    ['2026-11-21T09:30+02:00', '2026-11-21T07:30:00.000Z', '2026-11-21T07:30:00.000Z'],
  ])('%s begins at %s and ends at %s, whatever the local time zone', (text, first, last) => {
    // Date.parse uses the local time zone if the text has none.
    const { TZ } = process.env;
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      expect(parsePeriod({ since: text, until: text })).toEqual({ from: at(first), to: at(last) });
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  test.each(['2026-02-31', '2026-11-21 09:30', '21.11.2026', '2026-13-01', '', 'yesterday'])(
    '%s is rejected with the name of its argument',
    (text) => {
      expect(() => parsePeriod({ since: text })).toThrow(/^since: must be a date/);
      expect(() => parsePeriod({ until: text })).toThrow(/^until: must be a date/);
    },
  );

  test('since must not be later than until, but may be equal', () => {
    expect(() => parsePeriod({ since: '2026-11-22', until: '2026-11-21' })).toThrow(/later than until/);
    expect(parsePeriod({ since: '2026-11-21T10:00Z', until: '2026-11-21T10:00Z' })).toMatchObject({});
  });

  test('both ends are included, and an object without a time is undefined', () => {
    const period = parsePeriod({ since: '2026-11-20', until: '2026-11-21' });
    const isIn = (created_at: string) => isWithinPeriod({ created_at }, period);
    expect(['2026-11-20T00:00:00Z', '2026-11-21T23:59:59.999Z'].map(isIn)).toEqual([true, true]);
    expect(['2026-11-19T23:59:59.999Z', '2026-11-22T00:00:00Z'].map(isIn)).toEqual([false, false]);
    expect(isWithinPeriod({ id: 'a' }, period)).toBeUndefined();
    expect(isWithinPeriod({ created_at: '2026-11-22T00:00:00Z' }, parsePeriod({ since: '2026-11-20' }))).toBe(true);
  });
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

test.each([
  ['ValidationError', ValidationError, true],
  ['ConflictError', ConflictError, true],
  ['AuthenticationError', AuthenticationError, false],
  ['PermissionError', PermissionError, false],
  ['NotFoundError', NotFoundError, false],
  ['RateLimitError', RateLimitError, false],
  ['ServerError', ServerError, false],
])('a list that fails with a %s may have an invalid query: %s', (_, ErrorClass, isQueryError) => {
  const about = { status: 400, operation: 'links.list', scope: 'links:read', body: '' } as const;
  expect(isRejectedQuery(new ErrorClass('No.', about))).toBe(isQueryError);
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
