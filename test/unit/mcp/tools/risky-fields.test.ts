import { expect, test } from 'vitest';
import { findRiskyFields, isEarlierExpiry } from '../../../../mcp/tools/risky-fields.ts';

test.each([
  ['2030-06-01T00:00:00Z', '2030-06-01T00:00:00Z', true],
  ['2030-06-01T00:00:01Z', '2030-06-01T00:00:00Z', false],
  ['2030-06-01T01:00:00+02:00', '2030-05-31T23:00:00Z', true],
  // A day ends 12 hours later at one end of the earth, and begins 14 hours earlier at the other.
  ['2030-05-29', '2030-06-01', true],
  ['2030-05-30', '2030-06-01', false],
  ['2030-05-31', '2030-06-01T11:59:59Z', false],
  ['2030-05-31', '2030-06-01T12:00:00Z', true],
  ['2030-05-31T12:00', '2030-06-01T00:00:00Z', true],
  ['2030-05-31T12:01', '2030-06-01T00:00:00Z', false],
  ['2030-05-31T10:00:00Z', '2030-06-01', true],
  ['2030-05-31T10:00:01Z', '2030-06-01', false],
  ['2030-02-30T00:00', 'soon', false],
])('an end at %s is no later than one at %s for anybody: %s', (wanted, standing, is) => {
  expect(isEarlierExpiry('expires_at', wanted, { expires_at: standing })).toBe(is);
});
test('harmless is decided by name and value, not by where a field comes from', () => {
  expect(findRiskyFields(JSON.parse('{"__proto__":{"x":1},"constructor":1,"name":"n"}'))).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(isEarlierExpiry('expires_at', '2029-01-01', Object.create({ expires_at: '2030-01-01T00:00:00Z' }))).toBe(
    false,
  );
});
