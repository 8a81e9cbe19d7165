/** Messages for values of a wrong type, and the groups of a tool. */
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
  ] as const)('for %j, %j gets the message: %s', (schema, value, message) => {
    expect(describeMismatch(schema as never, value)).toBe(message);
  });
  test('has the types of its schema without null', () => {
    expect([getTypes({}), getTypes({ type: 'null' }), getTypes({ type: ['string', 'null'] })]).toEqual([
      [],
      [],
      ['string'],
    ]);
  });
});

describe('a tool', () => {
  const tool = (operations: readonly string[]) => ({ operations }) as never;
  test('has a list tool if its group has one', () => {
    expect([getListToolName(tool(['links.create'])), getListToolName(tool(['billing.usage']))]).toEqual([
      'list_links',
      undefined,
    ]);
  });
});
