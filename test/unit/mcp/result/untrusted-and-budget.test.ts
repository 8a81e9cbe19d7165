/** Untrusted texts in a result, rejected queries, cursors, and the estimate of tokens. */
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../mcp/result/cursor.ts';
import { isRejectedQuery } from '../../../../mcp/result/query-support.ts';
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

test('metadata for views contains no key either', () => {
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

test('the estimate is never far below what a tokenizer counts', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 200 }), fc.base64String(), fc.json()),
      (text) => {
        // As it would appear in a result.
        const json = JSON.stringify(Array.from({ length: Math.ceil(500 / (text.length + 1)) }, () => text));
        expect(estimateTokens(json)).toBeGreaterThanOrEqual(encode(json).length * 0.8);
      },
    ),
    // The first seed once found a word inside an id that was counted as one token.
    { numRuns: 200, seed: 5_072_936 },
  );
});
