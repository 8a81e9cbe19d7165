/** What people and earlier steps write into the fields of a form. */
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../src/errors.ts';
import { collectExtraFields, parseBoolean, requireChange, sendForm } from '../../../../zapier/fields/form-fields.ts';
import { isDateFieldName, normalizeDateText, parseDateTime } from '../../../../zapier/fields/parse-date.ts';
import { parseDecimal, parsePositiveInteger } from '../../../../zapier/fields/parse-number.ts';
import { toSnakeCase } from '../../../../zapier/platform/client-core.ts';
import { texts } from '../../../zapier/texts.ts';

const said = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};
const NO_NUMBER = (text: string) =>
  `"${text}" is not a number that this app can read. Enter a number in the field "Price", for example 2 or 1200.50.`;

test.each([
  [7, 7],
  [0, 0],
  ['', undefined],
  ['  ', undefined],
  [null, undefined],
  [undefined, undefined],
  ['12', 12],
  [' -5 ', -5],
  ['− 5', -5],
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1 200,50', 1200.5],
  ['1\u202f200\u00a0300', 1200300],
  ["1'200.50", 1200.5],
  ['1’200', 1200],
  ['1,200,300', 1200300],
  ['1.200.300', 1200300],
  ['1.200.300,5', 1200300.5],
  ['0.125', 0.125],
  ['0,125', 0.125],
  ['1234.567', 1234.567],
  ['$10', 10],
  ['US$10', 10],
  ['10 €', 10],
  ['EUR 10.5', 10.5],
  ['10.5 EUR', 10.5],
  ['10 Kč', 10],
  ['10 kr.', 10],
  ['10 kr', 10],
  ['10 zł', 10],
  ['-$5', -5],
  ['$-5', -5],
  ['-5 €', -5],
  ['USD $ 10', 10],
  ['10 $ USD', 10],
  ['1.2005', 1.2005],
  ['12345678901', 12345678901],
  [1e21, 1e21],
  [1.5e-7, 1.5e-7],
])('the amount %j is %j', (text, amount) => {
  expect(parseDecimal(text, 'Price')).toBe(amount);
});

test.each([
  'ten',
  '1.2.3',
  '1.000.00',
  '1,234,5',
  '9007199254740993',
  '1,200.300,5',
  '12a',
  '1..2',
  '--5',
  '-$-5',
  '1e5',
  'NaN',
  'EURO 5',
  '1 20',
  '5,',
  '1,200.5x',
  'Infinity',
])('the amount %j is refused by its field', (text) => {
  expect(said(() => parseDecimal(text, 'Price'))).toBe(NO_NUMBER(text));
});

test.each([
  ['1,200', '1200', '1.2'],
  ['1.200', '1200', '1.2'],
  ['12.345', '12345', '12.345'],
  ['1.000', '1000', '1.0'],
  ['10.050', '10050', '10.05'],
  ['-1,200', '-1200', '-1.2'],
])('the amount %j may be read in two ways, and both are shown', (text, whole, part) => {
  expect(said(() => parseDecimal(text, 'Price'))).toBe(
    `"${text}" can be read in two ways. Enter the number in the field "Price" without a thousands separator, for example ${whole} or ${part}.`,
  );
});

test('a date that may be two days is shown by its start', () => {
  const long = `3/4/2026${' or so'.repeat(20)}`;
  expect(said(() => parseDateTime(long, { label: 'Day', zone: 'UTC' }))).toContain(
    `"${long.slice(0, 40)}" could mean two different days`,
  );
});

test('a refusal shows the start of what was given, however long it is', () => {
  const long = `-${' '.repeat(60)}1,200`;
  expect(said(() => parseDecimal(long, 'Price'))).toContain(
    `"${long.slice(0, 40)}" can be read in two ways. Enter the number in the field "Price" without a thousands separator, for example -1200 or -1.2.`,
  );
  const endless = '9'.repeat(400);
  expect(said(() => parseDecimal(endless, 'Price'))).toBe(NO_NUMBER(endless.slice(0, 40)));
  expect(said(() => parseDecimal(Number.NaN, 'Price'))).toBe(NO_NUMBER('NaN'));
});

test('a count is a whole number from 1', () => {
  expect([parsePositiveInteger('3', 'N'), parsePositiveInteger('', 'N'), parsePositiveInteger(1, 'N')]).toEqual([
    3,
    undefined,
    1,
  ]);
  for (const text of ['0', '-1', '1.5'])
    expect(said(() => parsePositiveInteger(text, 'N'))).toBe(
      `"${text}" is not a whole number above 0. Enter a whole number in the field "N", for example 2.`,
    );
});

const timeIn = (zone: string) => (text: unknown) => said(() => parseDateTime(text, { label: 'Day', zone }));
const time = timeIn('Europe/Berlin');

test.each([
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['1795348800', '2026-11-22T12:00:00.000Z'],
  [1795348800000, '2026-11-22T12:00:00.000Z'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00.000Z'],
  ['2026-11-22T12:00+01:00', '2026-11-22T11:00:00.000Z'],
  ['2026-11-22t12:00:00.5-0100', '2026-11-22T13:00:00.500Z'],
  // A day ends at midnight of its zone, in winter and in summer.
  ['2026-11-22', '2026-11-22T22:59:59.000Z'],
  ['2026-07-22', '2026-07-22T21:59:59.000Z'],
  ['2026/11/22', '2026-11-22T22:59:59.000Z'],
  ['22.11.2026', '2026-11-22T22:59:59.000Z'],
  ['3.4.2026', '2026-04-03T21:59:59.000Z'],
  ['22/11/2026', '2026-11-22T22:59:59.000Z'],
  ['11/22/2026', '2026-11-22T22:59:59.000Z'],
  ['5/5/2026', '2026-05-05T21:59:59.000Z'],
  ['22 Nov 2026', '2026-11-22T22:59:59.000Z'],
  ['22nd November 2026', '2026-11-22T22:59:59.000Z'],
  ['Nov. 22nd, 2026', '2026-11-22T22:59:59.000Z'],
  ['november 22 2026', '2026-11-22T22:59:59.000Z'],
  ['2026-11-22 14:30', '2026-11-22T13:30:00.000Z'],
  ['2026-11-22, 14:30:15', '2026-11-22T13:30:15.000Z'],
  ['2026-11-22T14:30:15.123', '2026-11-22T13:30:15.000Z'],
  ['2026-11-22 2:30 pm', '2026-11-22T13:30:00.000Z'],
  ['2026-11-22 12:30 AM', '2026-11-21T23:30:00.000Z'],
  ['2026-11-22 12:30pm', '2026-11-22T11:30:00.000Z'],
  // The night in which the clocks go on.
  ['2026-03-29 03:30', '2026-03-29T01:30:00.000Z'],
  ['   ', undefined],
  ['  2026-03-04T05:06Z ', '2026-03-04T05:06:00.000Z'],
  ['2026-03-04   05:06:07.123  +01:00', '2026-03-04T04:06:07.123Z'],
  ['2026-03-04T05:06 UTC', '2026-03-04T05:06:00.000Z'],
  ['2026-03-04 05:06gmt', '2026-03-04T05:06:00.000Z'],
  ['2026-03-04 12:30', '2026-03-04T11:30:00.000Z'],
  ['22  Nov  2026', '2026-11-22T22:59:59.000Z'],
  ['Nov  22,  2026', '2026-11-22T22:59:59.000Z'],
  ['9999-12-30', '9999-12-30T22:59:59.000Z'],
  ['9999-10-31', '9999-10-31T22:59:59.000Z'],
  ['2026-12-31', '2026-12-31T22:59:59.000Z'],
])('the date %j is %j', (text, iso) => {
  expect(time(text)).toBe(iso);
});

test('a zone that nobody knows is UTC', () => {
  expect(timeIn('Nowhere/Land')('2026-11-22')).toBe('2026-11-22T23:59:59.000Z');
  expect(timeIn('America/New_York')('2026-11-22')).toBe('2026-11-23T04:59:59.000Z');
});

test.each(['3/4/2026', '3-4-2026', '12/11/2026', '11/12/2026'])('the date %j may be two days', (text) => {
  expect(time(text)).toBe(
    `"${text}" could mean two different days. Enter the date in the field "Day" as year-month-day, for example 2026-12-31.`,
  );
});

test.each([
  'tomorrow',
  '2026-02-30',
  '2026-13-01',
  '31.02.2026',
  '22.11.26',
  '22 Nov',
  'Nov 2026',
  '22 Nov 22 2026',
  '22 Nox 2026',
  '2026-11-22 25:00',
  '2026-11-22 10:60',
  '2026-11-22 10:10:60',
  '2026-11-22 10',
  '2026-11-22 13:00 pm',
  '2026-11-22 x',
  '2026/11-22',
  '2026-99-99T99:99:99Z',
  '12345678901',
  '17726004000000',
  'x1772600400',
  'x1772600400000',
  '2026-04-31',
  '9999-12-31',
  '31 December 9999',
  'by 22.11.2026',
  'by 22 Nov 2026',
  '22 Nov 20261',
  '22 2026',
  '2026-03-04 05:06Z or so',
  'on 2026-03-04 05:06Z',
  '2026-03-04 25:06Z',
])('the date %j is refused', (text) => {
  expect(time(text)).toBe(
    `"${text.replace(/T.*/, '')}" is not a date that this app can read. Enter the date in the field "Day" as year-month-day, for example 2026-12-31.`,
  );
});

test('fields of dates are known by their names', () => {
  expect(['expiresAt', 'maxURLs', 'a1B'].map(toSnakeCase)).toEqual(['expires_at', 'max_urls', 'a1_b']);
  const dates =
    'expires expiry link_expiration deadline pay_deadline sent_at valid_on due_date open_until date due until';
  for (const name of dates.split(' ')) expect(isDateFieldName(name), name).toBe(true);
  for (const name of [
    'update',
    'dated',
    'at',
    'format',
    'position',
    'latest',
    'name',
    'due_by',
    'deadlines',
    'unexpired',
    'is_only',
  ])
    expect(isDateFieldName(name), name).toBe(false);
  expect(normalizeDateText('22.11.2026', 'x')).toBe('2026-11-22');
  expect(normalizeDateText(' 2026/1/5 ', 'x')).toBe('2026-01-05');
  expect(normalizeDateText('2026-11-22T10:00', 'x')).toBe('2026-11-22T10:00');
  expect(normalizeDateText('in 3.4.2026', 'x')).toBe('in 3.4.2026');
  expect(normalizeDateText('22.11.2026 at noon', 'x')).toBe('22.11.2026 at noon');
});

test.each([
  [true, [true, 'true', 'Yes', ' y ', 'T', '1', 1, 'on']],
  [false, [false, 'false', 'No', 'n', 'F', '0', 0, 'OFF']],
  [undefined, [undefined, null, '', ' ']],
])('a gate is %j', (is, texts) => {
  for (const text of texts) expect(parseBoolean(text, 'Gate'), String(text)).toBe(is);
});

test.each(['maybe', 'oui', '2', 'yes please', 'not', 'only', '10'])(
  'a gate that is %j is refused, not left open',
  (text) => {
    expect(said(() => parseBoolean(text, 'Gate'))).toBe(
      `"${text}" is not Yes or No. Correct the field "Gate" in this step.`,
    );
  },
);

test('additional fields are read by their names and by what they look like', () => {
  const fields = {
    max_visitors: '5',
    maxVisitors: '1.5',
    password: '0042',
    pin_count: '7',
    year: '2024',
    company: 'true',
    watermark: 'true',
    nothing: ' null ',
    list: '[1, "a"]',
    object: '{"a": 1}',
    quoted: '"7"',
    broken: '[1,',
    torn: '[1,]',
    expires_at: '22.11.2026',
    limit: '01',
    total: '-3',
    already: 7,
  };
  expect(collectExtraFields({ fields, learned__max: '5', learned__dueDate: '1/13/2026', own: 'x' })).toEqual({
    max: '5',
    dueDate: '2026-01-13',
    max_visitors: 5,
    maxVisitors: 1.5,
    password: '0042',
    pin_count: '7',
    year: '2024',
    company: 'true',
    watermark: true,
    nothing: null,
    list: [1, 'a'],
    object: { a: 1 },
    quoted: '7',
    broken: '[1,',
    torn: '[1,]',
    expires_at: '2026-11-22',
    limit: '01',
    total: -3,
    already: 7,
  });
  expect(collectExtraFields({ fields: { a: 'x' }, learned__a: 'y' })).toEqual({ a: 'x' });
  expect(collectExtraFields({ fields: { extra: 'x' } })).toEqual({ extra: { extra: 'x' } });
  expect(collectExtraFields({ fields: { extra: '{"a":1}' } })).toEqual({ extra: { a: 1 } });
  for (const none of [undefined, null]) expect(collectExtraFields({ fields: none })).toEqual({});
});

describe('a form', () => {
  const refusal = (body: string, status = 422) =>
    new ApiError('refused', { status, operation: 'x', scope: 'links:write', body });
  const tried = async (errors: readonly Error[], bodies: readonly object[] = [{ a: 1 }, { b: 1 }, { c: 1 }]) => {
    const sent: object[] = [];
    const left = [...errors];
    const result = await sendForm(bodies, { more: 2, empty: [], none: undefined }, async (body) => {
      sent.push(body);
      const error = left.shift();
      if (error) throw error;
      return 'done';
    }).catch((error: Error) => error);
    return { sent, result };
  };
  test('sends its first body, without what is empty', async () => {
    expect(await tried([])).toEqual({ sent: [{ a: 1, more: 2 }], result: 'done' });
  });
  test.each([
    'a is required',
    'missing field',
    'unknown field a',
    'unrecognised key',
    'unrecognized key',
    'not allowed here',
    'extra inputs',
    'can not be blank',
    '400 Bad Request',
    'Unprocessable Entity',
    'Invalid request body'.replace(' body', ''),
    '',
  ])('sends another body where the refusal %j is about names', async (words) => {
    expect((await tried([refusal(words)])).sent).toHaveLength(2);
  });
  test.each(['a is too long', 'the e-mail address is wrong', 'Bad request: a must be less than 5'])(
    'stops where the refusal %j is about a value',
    async (words) => {
      const error = refusal(words);
      expect(await tried([error])).toEqual({ sent: [{ a: 1, more: 2 }], result: error });
    },
  );
  test('sends equal bodies once', async () => {
    const none = refusal('');
    expect((await tried([none, none, none], [{ a: 1 }, { a: 1 }, { b: 1 }])).sent).toHaveLength(2);
  });
  test('that changes nothing is refused', () => {
    expect(() => requireChange({ a: undefined })).toThrow(texts.thereIsNothingToChange);
    expect(() => requireChange({ a: undefined, b: null })).not.toThrow();
  });
});
