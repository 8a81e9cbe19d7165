/** Cursors come back through a model and a host: whatever is none of ours is refused before the service is asked. */
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../mcp/result/cursor.ts';
import { ToolError } from '../../../../mcp/tool-error.ts';

const packed = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url');

test('a cursor comes back as it went', () => {
  const place = { query: { page: 2 }, skip: 3 };
  expect(decodeCursor(encodeCursor(place))).toEqual(place);
  expect(decodeCursor(packed([{}, 0]))).toEqual({ query: {}, skip: 0 });
});

test.each<[string, string]>([
  ['a place before the first item', packed([{}, -1])],
  ['a part of a place', packed([{}, 0.5])],
  ['a place that is no number', packed([{}, '3'])],
  ['a query that is none', packed(['page', 0])],
  ['what is no list', packed({ query: {}, skip: 0 })],
  ['a filter by an unknown name', packed([{}, 0, null, { criteria: { password: 'x' }, by: 'server' }])],
  ['a few bytes that become very many', packed([{ x: 'x'.repeat(10_000_000) }, 0])],
  ['nothing packed', 'not-a-cursor'],
])('%s is refused', (_, cursor) => {
  expect(() => decodeCursor(cursor)).toThrow(ToolError);
  expect(() => decodeCursor(cursor)).toThrow('cursor: invalid');
});
