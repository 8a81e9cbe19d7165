/** The errors of a delivery that is not accepted, and which of its fields count. */
import { expect, test } from 'vitest';
import {
  InputError,
  parseEvent,
  parseEvents,
  SignatureError,
  signEvent,
  verifyEvent,
  verifyEvents,
} from '../../../src/index.ts';
import { texts } from '../texts.ts';

const secret = 'plain text secret';
const event = { id: 'evt_1', type: 'link.viewed' };
const HOUR_MS = 3_600_000;
const signed = (offMs = 0) => signEvent(event, { secret, time: new Date(Date.now() + offMs) });

test.each<[string, string, Record<string, string>, RegExp | string]>([
  ['missing', 'nothing', {}, texts.theDeliveryHasNoSignature],
  ['mismatch', 'another body', { 'x-signature': '0'.repeat(64) }, texts.beforeAnyJsonParsing],
  ['timestamp', 'an hour ago', signed(-HOUR_MS).headers, /The signature matches but was made \d+ s ago/],
  ['timestamp', 'in an hour', signed(HOUR_MS).headers, /The signature matches but was made \d+ s in the future/],
  [
    'timestamp',
    'at no time',
    signEvent(event, { secret, time: new Date(1000) }).headers,
    /The signature matches but has no valid time/,
  ],
])('%s: a delivery signed with %s is refused in words', (reason, _, headers, message) => {
  const verify = () => verifyEvent(JSON.stringify(event), headers, secret);
  expect(verify).toThrow(SignatureError);
  expect(verify).toThrow(expect.objectContaining({ reason }));
  expect(verify).toThrow(message);
});

test.each([
  ['parseEvents', () => parseEvent('[]')],
  ['verifyEvents', () => verifyEvent(...batch(), secret)],
])('where not one event came, %s is named as the way to read it', (way, read) => {
  expect(read).toThrow(InputError);
  expect(read).toThrow(new RegExp(`^The delivery contains [02] events. Parse it with ${way}\\.$`));
});
function batch() {
  const { body, headers } = signEvent([event, event], { secret });
  return [body, headers] as const;
}

test('a time may be off by nothing at all, and by no less', () => {
  const { body, headers } = signed(-HOUR_MS);
  expect(() => verifyEvents(body, headers, { secret, toleranceMs: 0 })).toThrow(SignatureError);
  for (const toleranceMs of [-1, Number.NaN])
    expect(() => verifyEvents(body, headers, { secret, toleranceMs })).toThrow(texts.tolerancemsMust0Milliseconds);
});

test('a delivery holds 10,000 events at most', () => {
  expect(parseEvents(`[${'{},'.repeat(9999)}{}]`)).toHaveLength(10_000);
  expect(() => parseEvents(`[${'{},'.repeat(10_000)}{}]`)).toThrow('The delivery contains 10001 events');
});

test('a name is the kind where nothing else is, for it may be a file’s', () => {
  const kindOf = (body: object, headers = {}) => parseEvent(JSON.stringify(body), headers).kind;
  expect(kindOf({ name: 'Link viewed' })).toBe('link.viewed');
  expect(kindOf({ name: 'deck.pdf' }, { 'x-event-type': 'link.viewed' })).toBe('link.viewed');
  expect(kindOf({ name: 'deck.pdf', type: 'link.viewed' }, { 'x-event-type': 'other.kind' })).toBe('link.viewed');
});

test('an empty header says nothing: the next one is read', () => {
  const read = (headers: Record<string, string>) => parseEvent('{}', headers);
  expect(read({ 'webhook-id': '', 'x-delivery-id': 'd' }).deliveryId).toBe('d');
  expect(read({ 'webhook-id': '' }).deliveryId).toBeUndefined();
  expect(read({ 'x-webhook-event': '', 'x-event-type': 'link.viewed' }).kind).toBe('link.viewed');
});
