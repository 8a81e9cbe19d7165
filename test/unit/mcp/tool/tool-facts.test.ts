/** What is said of a value of another type, and to which groups a tool belongs. */
import { describe, expect, test } from 'vitest';
import { describeMismatch, getTypes } from '../../../../mcp/tool/describe-mismatch.ts';
import { getListToolName } from '../../../../mcp/tool/tool.ts';
import { texts } from '../../../mcp/texts.ts';

describe('a value', () => {
  test.each([
    [{ type: 'string' }, 7, 'a string, not a number'],
    [{ type: ['string', 'boolean'] }, [], 'a string or true or false, not a list'],
    [{ type: 'integer', format: 'epoch-ms' }, 'soon', 'a whole number (milliseconds since 1970), not a string'],
    [{ type: 'integer' }, 1.5, undefined],
    [{ type: 'string' }, null, undefined],
    [{ type: 'string' }, undefined, undefined],
    [{}, 7, undefined],
    [{ type: 'null' }, 7, undefined],
    [{ type: 'string', format: 'date' }, 'soon', 'a date such as 2026-12-31'],
    [{ type: 'string', format: 'date-time' }, 'soon', texts.dateTimeSuch2026],
    [{ type: 'string', format: 'date' }, ' 2026-12-31', undefined],
    [{ type: 'string', format: 'date' }, '', undefined],
    [{ type: 'string', format: 'uuid' }, 'soon', undefined],
  ] as const)('for %j that is %j must be %s', (schema, value, words) => {
    expect(describeMismatch(schema as never, value)).toBe(words);
  });
  test('has the types that are no null', () => {
    expect([getTypes({}), getTypes({ type: 'null' }), getTypes({ type: ['string', 'null'] })]).toEqual([
      [],
      [],
      ['string'],
    ]);
  });
});

describe('a tool', () => {
  const tool = (operations: readonly string[]) => ({ operations }) as never;
  test('has a list where its group has one', () => {
    expect([getListToolName(tool(['links.create'])), getListToolName(tool(['billing.usage']))]).toEqual([
      'list_links',
      undefined,
    ]);
  });
});
