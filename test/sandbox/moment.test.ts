/** When a clock starts: the same moment on every machine, and none that the calendar does not have. */
import { expect, test } from 'vitest';
import { parseTimestamp } from '../../sandbox/base/timestamp.ts';

const NINE = Date.UTC(2026, 0, 1, 9);

test.each<[unknown, number]>([
  ['2026-01-01T09:00Z', NINE],
  ['2026-01-01T09:00', NINE],
  ['2026-01-01 09:00', NINE],
  [' 2026-01-01t09:00:00z ', NINE],
  ['2026-01-01T09:00:00.250Z', NINE + 250],
  ['2026-01-01T11:00+02:00', NINE],
  ['2026-01-01T09:00:00-00:00', NINE],
  ['2026-01-01', NINE - 9 * 3_600_000],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  [NINE, NINE],
  [0, 0],
  [new Date(NINE), NINE],
  ['9999-01-01', Date.UTC(9999, 0, 1)],
])('%s is a moment, wherever the machine stands', (given, at) => {
  const { TZ } = process.env;
  try {
    for (const zone of ['Asia/Tokyo', 'America/Lima']) {
      process.env['TZ'] = zone;
      expect(new Date(parseTimestamp(given)).toISOString()).toBe(new Date(at).toISOString());
    }
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});

test.each<[unknown]>([
  ['2026-02-30'],
  ['2026-02-29'],
  ['2026-13-01'],
  ['2026-01-01T24:00Z'],
  ['2026-01-01T09:00:60Z'],
  ['2026-01-01T09:00+25:00'],
  ['2026-001'],
  ['2026'],
  ['-1'],
  ['now'],
  [''],
  ['9999-01-02'],
  ['1969-12-31'],
  [-1],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [new Date('x')],
  [null],
  [true],
  [[]],
  [{}],
])('%s is none', (given) => {
  expect(() => parseTimestamp(given)).toThrow(/^The clock can't start at ".*": use a date such as/);
});
