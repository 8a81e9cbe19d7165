import { expect, test } from 'vitest';
import { findRiskyFields, isEarlierExpiry } from '../../../../mcp/tools/risky-fields.ts';

test.each([
  ['2030-06-01T00:00:00Z', '2030-06-01T00:00:00Z', true],
  ['2030-06-01T00:00:01Z', '2030-06-01T00:00:00Z', false],
  ['2030-06-01T01:00:00+02:00', '2030-05-31T23:00:00Z', true],
  // Depending on the time zone, a day ends up to 12 hours later, or begins up to 14 hours earlier, than in UTC.
  ['2030-05-29', '2030-06-01', true],
  ['2030-05-30', '2030-06-01', false],
  ['2030-05-31', '2030-06-01T11:59:59Z', false],
  ['2030-05-31', '2030-06-01T12:00:00Z', true],
  ['2030-05-31T12:00', '2030-06-01T00:00:00Z', true],
  ['2030-05-31T12:01', '2030-06-01T00:00:00Z', false],
  ['2030-05-31T10:00:00Z', '2030-06-01', true],
  ['2030-05-31T10:00:01Z', '2030-06-01', false],
  ['2030-02-30T00:00', 'soon', false],
])('an expiry of %s is not later than %s in any time zone: %s', (requested, current, expected) => {
  expect(isEarlierExpiry('expires_at', requested, { expires_at: current })).toBe(expected);
});
test('inherited properties do not count, neither as safe fields nor as current values', () => {
  expect(findRiskyFields(JSON.parse('{"__proto__":{"x":1},"constructor":1,"name":"n"}'))).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(isEarlierExpiry('expires_at', '2029-01-01', Object.create({ expires_at: '2030-01-01T00:00:00Z' }))).toBe(
    false,
  );
});
