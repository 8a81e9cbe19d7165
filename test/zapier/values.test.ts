/** What people and earlier steps write into a form is read as they mean it, or refused by the field's name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDateTime } from '../../zapier/fields/parse-date.ts';
import { parseDecimal, parsePositiveInteger } from '../../zapier/fields/parse-number.ts';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let service: Loopback;
let zap: Platform;
beforeAll(async () => {
  service = await openLoopback(() => ({ json: { id: 'x', url: 'https://docs.test/l' } }));
  zap = await startPlatform({ apiKey: 'key', baseUrl: service.url });
});
afterAll(async () => {
  await zap.close();
  await service.close();
});
const METHOD = (key: string) => `creates.${key}.operation.perform`;
async function sent(key: string, inputData: Fields): Promise<Fields> {
  await zap.run(METHOD(key), { inputData });
  return JSON.parse(service.requests.filter(({ method }) => method !== 'GET').at(-1)?.body ?? '{}');
}

test.each(['maybe', 'oui', '2', 'yes please', 'falsch'])(
  'a gate that is %j is refused, not left open',
  async (text) => {
    const before = service.requests.length;
    for (const [key, own] of [
      ['create_link', { document: 'd' }],
      ['update_link', { link: 'l' }],
      ['share_document', { file: 'data:,Look.' }],
    ] as const) {
      const error = await zap.runError(METHOD(key), { inputData: { ...own, email_required: text } });
      expect(error.message).toBe(`"${text}" is not Yes or No. Correct the field "Require Email" in this step.`);
    }
    expect(service.requests.slice(before).filter(({ path }) => path === '/links')).toEqual([]);
  },
);

test.each([
  [true, [true, 'true', 'Yes', ' y ', '1', 1, 'on']],
  [false, [false, 'false', 'No', 'n', '0', 0, 'OFF']],
])('a gate is %j as %j', async (value, texts) => {
  for (const email_required of texts)
    expect(await sent('update_link', { link: 'l', email_required })).toMatchObject({ email_required: value });
});

test.each([
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1 200,50', 1200.5],
  ["1'200.50", 1200.5],
  ['$10', 10],
  ['10 €', 10],
  ['EUR 10.5', 10.5],
  ['-5', -5],
  ['0.125', 0.125],
  ['1,200,300', 1200300],
  [7.125, 7.125],
])('the price %j is %d', async (text, price) => {
  const body = await sent('create_proposal', { name: 'P', items: [{ item_name: 'I', unit_price: text }] });
  expect(body).toMatchObject({ items: [{ unit_price: price }] });
});

test.each(['1,200', '1.200', 'ten', '1,2,3', '1.000.00', '1,234,5', '10%', '∞', '1e3', '$'])(
  'the price %j is refused by the name of its field',
  async (text) => {
    const before = service.requests.length;
    const inputData = { name: 'P', items: [{ item_name: 'I', unit_price: text }] };
    const error = await zap.runError(METHOD('create_proposal'), { inputData });
    expect(error.message).toContain('"Unit Price"');
    expect(error.message).toContain(`"${text}"`);
    expect(service.requests).toHaveLength(before);
  },
);

test('text stays text, and becomes a number only if the field name says so', async () => {
  expect(await sent('create_contact', { email: 'a@x.example', company: 2024, name: '007' })).toMatchObject({
    company: '2024',
    name: '007',
  });
  const fields = {
    company: '2024',
    cost_center: '4711',
    max_visitors: '5',
    passcode: '1234',
    note: 'true',
    nda_required: 'true',
    answer: '"42"',
    list: '[1]',
  };
  expect(await sent('update_template', { template: 't', fields })).toEqual({
    company: '2024',
    cost_center: '4711',
    max_visitors: 5,
    passcode: '1234',
    note: 'true',
    nda_required: true,
    answer: '42',
    list: [1],
  });
});

test('a date in the Additional Fields is read in its usual forms, or rejected with the name of its field', async () => {
  const fields = { due_date: '12/31/2026', expires_at: '31.12.2026', valid_until: 'never' };
  expect(await sent('update_template', { template: 't', fields })).toEqual({
    due_date: '2026-12-31',
    expires_at: '2026-12-31',
    valid_until: 'never',
  });
  for (const input of [{ fields: { expires_at: '05/06/2026' } }, { learned__expires_at: '05/06/2026' }]) {
    const error = await zap.runError(METHOD('update_link'), { inputData: { link: 'l', ...input } });
    expect(error.message).toBe(texts.n05062026Could);
  }
});

test('the error for an invalid count has a whole number as its example', () => {
  expect(() => parsePositiveInteger('1,200', 'Most Visitors')).toThrow(texts.enterWholeNumberField);
  expect(parsePositiveInteger('1 200', 'Most Visitors')).toBe(1200);
});

describe('a time', () => {
  const read = (text: string, zone = 'America/New_York') => parseDateTime(text, { label: 'Expires At', zone });
  test.each([
    ['2026-12-31', '2027-01-01T04:59:59.000Z'],
    ['12/31/2026', '2027-01-01T04:59:59.000Z'],
    ['31/12/2026', '2027-01-01T04:59:59.000Z'],
    ['31.12.2026', '2027-01-01T04:59:59.000Z'],
    ['07/07/2026', '2026-07-08T03:59:59.000Z'],
    ['Dec 31, 2026', '2027-01-01T04:59:59.000Z'],
    ['31 December 2026', '2027-01-01T04:59:59.000Z'],
    ['12/31/2026 5:00 PM', '2026-12-31T22:00:00.000Z'],
    ['2026-12-31 17:00', '2026-12-31T22:00:00.000Z'],
    ['2026-12-31T17:00:00+01:00', '2026-12-31T16:00:00.000Z'],
    ['1798675200', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31 10:00 UTC', '2026-12-31T10:00:00.000Z'],
    ['2026-12-31 10:00:00 -0500', '2026-12-31T15:00:00.000Z'],
  ])('%j is %s in New York', (text, time) => {
    expect(read(text)).toBe(time);
  });

  test('uses daylight saving time, and UTC in an unknown time zone', () => {
    expect(read('2026-07-01 12:00', 'Europe/Berlin')).toBe('2026-07-01T10:00:00.000Z');
    expect(read('2026-07-01 12:00', 'Mars/Olympus')).toBe('2026-07-01T12:00:00.000Z');
    expect(read('')).toBeUndefined();
  });

  test.each([
    'tomorrow',
    'maybe 5',
    'Mayhem 3 2027',
    '2026-02-31',
    '2027-02-30T10:00:00Z',
    '9999-12-31',
    '12/31/26',
    '2026-12-31 25:00',
    '05/06/2026',
    '31 2026',
    '2026-13-40T00:00:00Z',
  ])('is not %j', (text) => {
    expect(() => read(text)).toThrow(/"Expires At"/);
  });
});

test('an empty amount is left out', () => {
  for (const empty of [undefined, null, '', '  ']) expect(parseDecimal(empty, 'Price')).toBeUndefined();
});
