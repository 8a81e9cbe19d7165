import { describe, expect, test } from 'vitest';
import { parseBoolean } from '../../../../zapier/fields/form-fields.ts';
import { formatTime, isDateFieldName, normalizeDateText, parseDateTime } from '../../../../zapier/fields/parse-date.ts';
import { parseRecipients } from '../../../../zapier/fields/parse-email.ts';
import { parseDecimal, parsePositiveInteger } from '../../../../zapier/fields/parse-number.ts';
import { toSnakeCase } from '../../../../zapier/platform/client-core.ts';

/** Returns the value, or the message of the error. */
const read = (parse: () => unknown) => {
  try {
    return parse();
  } catch (error) {
    return (error as Error).message;
  }
};
const list = (text: string) => text.split('|');

describe('a number', () => {
  test.each<[string, unknown]>([
    ['7|7 ', 7],
    [' -5 |− 5|-$5|$-5|-5 €', -5],
    ['10|$10|US$10|10 €|10 Kč|10 kr.|10 kr|10 zł|USD $ 10|10 $ USD', 10],
    ['10.5|EUR 10.5|10.5 EUR', 10.5],
    ["1,200.50|1.200,50|1 200,50|1'200.50|1’200.50", 1200.5],
    ['1\u202f200\u00a0300|1,200,300|1.200.300', 1200300],
    ['1.200.300,5', 1200300.5],
    ['0.125|0,125', 0.125],
    ['1234.567', 1234.567],
    ['1.2005', 1.2005],
    ['12345678901', 12345678901],
    ['|  ', undefined],
  ])('%j is read as %j', (inputs, amount) => {
    for (const text of list(inputs)) expect(parseDecimal(text, 'Price'), text).toBe(amount);
  });
  test.each([7, 0, 1e21, 1.5e-7])('%j stays a number', (amount) => {
    expect(parseDecimal(amount, 'Price')).toBe(amount);
  });
  test.each(
    list(
      'ten|1.2.3|1.000.00|1,234,5|9007199254740993|1,200.300,5|12a|1..2|--5|-$-5|1e5|NaN|EURO 5|1 20|5,|1,200.5x|Infinity|10%|∞|$',
    ),
  )('%j is rejected by its field', (text) => {
    expect(read(() => parseDecimal(text, 'Price'))).toMatch(/^".*" is not a number .* the field "Price", for example /);
  });
  test.each([
    ['1,200', '1200', '1.2'],
    ['12.345', '12345', '12.3450'],
    ['1.000', '1000', '1.0'],
    ['10.050', '10050', '10.05'],
    ['-1,200', '-1200', '-1.2'],
    [`-${' '.repeat(60)}1,200`, '-1200', '-1.2'],
  ])('%j could be %s or %s, so both are offered', (text, whole, part) => {
    const message = read(() => parseDecimal(text, 'Price'));
    expect(message).toContain(`"${text.slice(0, 40)}" can be read in two ways`);
    expect(message).toContain(`for example ${whole} or ${part}.`);
    for (const advice of [whole, part]) expect(parseDecimal(advice, 'Price')).toBe(Number(advice));
  });
  test('that is long is quoted only in part', () => {
    expect(read(() => parseDecimal('9'.repeat(400), 'Price'))).toMatch(/^"9{40}" is not/);
    expect(read(() => parseDecimal(Number.NaN, 'Price'))).toMatch(/^"NaN" is not/);
  });
  test.each<[unknown, unknown]>([
    ['3', 3],
    ['', undefined],
    [1, 1],
    ['1 200', 1200],
    ['0', '"0" is not a whole number above 0. Enter a whole number in the field "N", for example 2.'],
    ['-1', expect.stringContaining('not a whole number')],
    ['1.5', expect.stringContaining('not a whole number')],
    ['1\n200', expect.stringContaining('not a whole number')],
    ['1,200', expect.stringContaining('Enter a whole number in the field "N"')],
  ])('of people or places %j is parsed as %j', (text, count) => {
    expect(read(() => parsePositiveInteger(text, 'N'))).toEqual(count);
  });
});

describe('a time', () => {
  const timeIn = (zone: string, text: unknown) => read(() => parseDateTime(text, { label: 'Day', zone }));
  const NIGHT = '2026-11-22T22:59:59.000Z';

  test.each<[string, unknown]>([
    ['|   ', undefined],
    ['1795348800|2026-11-22T12:00:00Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T12:00+01:00', '2026-11-22T11:00:00.000Z'],
    ['2026-11-22t12:00:00.5-0100', '2026-11-22T13:00:00.500Z'],
    // A day ends at midnight of its zone, in winter and in summer.
    ['2026-11-22|2026/11/22|22.11.2026|22/11/2026|11/22/2026|22 Nov 2026|22nd November 2026|Nov. 22nd, 2026', NIGHT],
    ['november 22 2026|22  Nov  2026|Nov  22,  2026', NIGHT],
    ['2026-07-22', '2026-07-22T21:59:59.000Z'],
    ['3.4.2026|3.04.2026', '2026-04-03T21:59:59.000Z'],
    ['5/5/2026', '2026-05-05T21:59:59.000Z'],
    ['2026-11-22 14:30|2026-11-22 2:30 pm', '2026-11-22T13:30:00.000Z'],
    ['2026-11-22, 14:30:15|2026-11-22T14:30:15.123', '2026-11-22T13:30:15.000Z'],
    ['2026-11-22 12:30 AM', '2026-11-21T23:30:00.000Z'],
    ['2026-11-22 12:30pm', '2026-11-22T11:30:00.000Z'],
    // The night in which daylight saving time begins.
    ['2026-03-29 03:30', '2026-03-29T01:30:00.000Z'],
    ['  2026-03-04T05:06Z |2026-03-04T05:06 UTC|2026-03-04 05:06gmt', '2026-03-04T05:06:00.000Z'],
    ['2026-03-04   05:06:07.123  +01:00', '2026-03-04T04:06:07.123Z'],
    ['2026-03-04 12:30', '2026-03-04T11:30:00.000Z'],
    ['9999-12-30', '9999-12-30T22:59:59.000Z'],
    ['9999-10-31', '9999-10-31T22:59:59.000Z'],
    ['2026-12-31', '2026-12-31T22:59:59.000Z'],
  ])('%j is %j in Berlin', (inputs, iso) => {
    for (const text of list(inputs)) expect(timeIn('Europe/Berlin', text), text).toBe(iso);
  });
  test('may be a number, empty, or in another zone; an unknown zone is UTC', () => {
    expect(timeIn('UTC', 1795348800000)).toBe('2026-11-22T12:00:00.000Z');
    expect([timeIn('UTC', null), timeIn('UTC', undefined)]).toEqual([undefined, undefined]);
    expect(timeIn('America/New_York', '2026-11-22')).toBe('2026-11-23T04:59:59.000Z');
    expect(timeIn('Nowhere/Land', '2026-11-22')).toBe('2026-11-22T23:59:59.000Z');
  });
  test.each([...list('3/4/2026|3-4-2026|12/11/2026|11/12/2026'), `3/4/2026${' or so'.repeat(20)}`])(
    '%j could be two days and is rejected',
    (text) => {
      expect(timeIn('UTC', text)).toMatch(
        /^".{8,40}" could mean two different days\. .* field "Day" as year-month-day/,
      );
    },
  );
  test.each(
    list(
      'tomorrow|maybe 5|Mayhem 3 2027|2026-02-30|2026-13-01|31.02.2026|22.11.26|' +
        '22 Nov|Nov 2026|22 Nov 22 2026|22 Nox 2026|2026-11-22 25:00|2026-11-22 10:60|2026-11-22 10:10:60|2026-11-22 10|2026-11-22 13:00 pm|' +
        '2026-11-22 x|2026/11-22|2026-99-99T99:99:99Z|12345678901|17726004000000|x1772600400|x1772600400000|' +
        '2026-04-31|9999-12-31|31 December 9999|by 22.11.2026|by 22 Nov 2026|22 Nov 20261|22 2026|2026-03-04 05:06Z or so|on 2026-03-04 05:06Z|2026-03-04 25:06Z',
    ),
  )('%j is rejected', (text) => {
    expect(timeIn('UTC', text)).toMatch(/ is not a date that this app can read\. Enter the date in the field "Day" /);
  });
  test.each([
    ['date', '2026-11-22'],
    ['date-time', '2026-11-22T12:00:00.500Z'],
    ['epoch-seconds', 1795348800],
    ['epoch-ms', 1795348800500],
  ] as const)('is sent as %s', (format, written) => {
    expect(formatTime('2026-11-22T12:00:00.500Z', format)).toBe(written);
  });
  test('field names show which fields are dates', () => {
    expect(['expiresAt', 'maxURLs', 'a1B'].map(toSnakeCase)).toEqual(['expires_at', 'max_urls', 'a1_b']);
    const names = (text: string) => text.split(' ').filter((name) => isDateFieldName(name));
    const dates =
      'expires expiry link_expiration deadline pay_deadline sent_at valid_on due_date open_until date due until';
    expect(names(dates).join(' ')).toBe(dates);
    expect(
      names(
        'update dated at format position latest name due_by deadlines unexpired is_only expires_in_days expires_after',
      ),
    ).toEqual([]);
  });
  test.each([
    ['22.11.2026', '2026-11-22'],
    [' 2026/1/5 ', '2026-01-05'],
    ['2026-11-22T10:00', '2026-11-22T10:00'],
    ['in 3.4.2026', 'in 3.4.2026'],
    ['22.11.2026 at noon', '22.11.2026 at noon'],
  ])('%j in a date field is sent as %j', (text, sent) => {
    expect(normalizeDateText(text, 'x')).toBe(sent);
  });
});

test.each([
  [true, [true, 'true', 'Yes', ' y ', 'T', '1', 1, 'on']],
  [false, [false, 'false', 'No', 'n', 'F', '0', 0, 'OFF']],
  [undefined, [undefined, null, '', ' ']],
])('a choice is %j', (value, inputs) => {
  for (const input of inputs) expect(parseBoolean(input, 'Gate'), String(input)).toBe(value);
});
test.each(list('maybe|oui|falsch|2|yes please|not|only|10'))('the choice %j is rejected', (text) => {
  expect(read(() => parseBoolean(text, 'Gate'))).toBe(
    `"${text}" is not Yes or No. Correct the field "Gate" in this step.`,
  );
});

describe('email addresses', () => {
  test('are one or several per line, with or without names', () => {
    expect(
      parseRecipients(['Ann Lee <ann@x.example>', 'bob@x.example, "Cy" <cy@x.example>; ', '', ' d@e \n'], 'To'),
    ).toEqual([
      { email: 'ann@x.example', name: 'Ann Lee' },
      { email: 'bob@x.example' },
      { email: 'cy@x.example', name: 'Cy' },
      { email: 'd@e' },
    ]);
    expect(parseRecipients(undefined, 'To')).toEqual([]);
  });
  test.each(
    list(
      "<ann@x.example>|mailto:ann@x.example|MAILTO:ann@x.example?subject=Hi|“ann@x.example”|«ann@x.example»|'ann@x.example'|ann@x.example.|(ann@x.example)|*ann@x.example*|\u200bann@x.example\u00a0",
    ),
  )('%j is ann@x.example', (text) => {
    expect(parseRecipients([text], 'To')).toEqual([{ email: 'ann@x.example' }]);
  });
  test.each(
    list('ann|ann@|@x|a b@x|a@b@c|Ann <ann@x y>|Ann <>|a@b..c|ann@x“y”|ann@x*y|mailto:Ann%20%3Cann@x.example%3E'),
  )('%j is not one', (text) => {
    expect(() => parseRecipients([text], 'To')).toThrow('is not an email address');
  });
  test.each([['ann@x.example', 'ANN@x.example'], ['Ann <ann@x.example>, mailto:ann@x.example']])(
    'that repeat a person are rejected: %j',
    (...lines) => {
      expect(() => parseRecipients(lines, 'To')).toThrow('twice');
    },
  );
});
