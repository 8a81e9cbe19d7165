import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EventHeaders, InputError, parseEvent, parseEvents, signEvent } from '../../../src/index.ts';
import { isLinear } from '../../support/growth.ts';
import { untyped } from '../../support/untyped.ts';
import { texts } from '../texts.ts';

const secret = 'plain text secret';
const link = { id: 'lnk_1' };
const flat = '{"type":"link.viewed","link":{"id":"lnk_1"}}';

test('the id is the one that the signature covers: of an unsigned header it would change with each delivery', () => {
  const own = { id: 'evt_1', type: 'link.viewed', data: link };
  for (const scheme of ['standard', 'svix'] as const) {
    const { body, headers } = signEvent(own, { secret, scheme, id: 'msg_1' });
    expect(parseEvent(body, headers, secret)).toMatchObject({ id: 'msg_1', deliveryId: 'msg_1' });
  }
  for (const scheme of ['timed', 'plain', 'hex', 'base64'] as const) {
    const { body, headers } = signEvent(own, { secret, scheme });
    for (const name of ['webhook-id', 'X-Delivery-Id', 'x-event-id']) {
      const event = parseEvent(body, { ...headers, [name]: 'replayed' }, secret);
      expect(event).toMatchObject({ id: 'evt_1', deliveryId: 'replayed', signature: 'valid' });
    }
  }
  const [first, again] = ['d1', 'd2'].map((id) => parseEvent(flat, { 'x-webhook-delivery': id }));
  expect(first?.id).toMatch(/^sha256-[0-9a-f]{64}$/);
  expect(again?.id).toBe(first?.id);
});

test('a signature of another scheme does not vouch for an id that it does not cover', () => {
  const { body, headers } = signEvent(flat, { secret, scheme: 'plain' });
  const added = { 'webhook-id': 'forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
  expect(parseEvent(body, { ...headers, ...added }, secret).signature).toBe('invalid');
});

test('equal events of one batch without ids stay two, and have the same ids when they come again', () => {
  const body = JSON.stringify([JSON.parse(flat), JSON.parse(flat)]);
  const ids = parseEvents(body).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(parseEvents(body).map(({ id }) => id)).toEqual(ids);
});

const { body: signedBody, headers: signed } = signEvent(flat, { secret, id: 'msg_1' });
const pairs = Object.entries(signed);

test.each<[string, EventHeaders]>([
  ['Headers', new Headers(signed)],
  ['a Map', new Map(pairs)],
  ['an object', signed],
  ['an object in upper case', Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value]))],
  ['pairs', pairs],
  ["Node's raw headers", pairs.flat()],
  ['an object of lists', Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))],
  ['numbers and gaps', { ...signed, 'webhook-timestamp': Number(signed['webhook-timestamp']), x: undefined }],
  ['environment names', pairs.map(([name, value]) => [`HTTP_${name.replaceAll('-', '_')}`, value] as const)],
  ['one header under two names', [...pairs, ...pairs.map(([name, value]) => [`Http-${name}`, value] as const)]],
])('headers given as %s are read', (_, headers) => {
  expect(parseEvent(signedBody, headers, secret)).toMatchObject({ id: 'msg_1', signature: 'valid' });
});

test.each([
  ['a text', 'webhook-id: 1'],
  ['nothing', null],
  ['a flat list with an odd end', ['a', 'b', 'c']],
  ['objects', [{ name: 'a' }]],
])('headers given as %s are refused', (_, headers) => {
  expect(() => parseEvent(flat, untyped(headers))).toThrow(InputError);
});

test('the body may come as text or as bytes of any kind, and not as what was parsed from them', () => {
  const bytes = Buffer.from(signedBody);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  for (const body of [
    signedBody,
    bytes,
    new Uint8Array(bytes),
    copy,
    new DataView(copy),
    shared,
    new Uint8Array(shared),
  ])
    expect(parseEvent(body, signed, secret).signature).toBe('valid');
  for (const body of [JSON.parse(flat), undefined, null, 7])
    expect(() => parseEvent(body, signed, secret)).toThrow(texts.beforeAnyJsonParsing);
});

test.each(['', ' \n', 'whsec_', 'whsec_==', [], ['good', ''], [undefined]])(
  'the empty secret %j is refused: any forger holds it',
  (given) => {
    expect(() => parseEvent(flat, {}, given as string)).toThrow(/secret is empty/);
    expect(() => parseEvent(flat, {}, { secret: given as string })).toThrow(InputError);
  },
);

test('no JSON makes parseEvents throw anything but an InputError, or reach a prototype', () => {
  const field = fc.constantFrom('__proto__', 'constructor', 'toString', 'type', 'event', 'data', 'id', 'events');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>('link.viewed', 'viewed', '', null, 7, 1e308, true, 'lnk_1'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.array(fc.tuple(field, tie('tree')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      for (const { id, kind } of parseEvents(JSON.stringify(value))) {
        expect(id).not.toBe('');
        expect(kind ?? 'a.b').toMatch(/^[a-z][\w-]*(\.[\w-]+)+$/);
      }
      expect(({} as Record<string, unknown>)['type']).toBeUndefined();
    }),
    { numRuns: 1000, seed: 20261121 },
  );
});

test.each<[string, (size: number) => string]>([
  ['keys', (n) => `{${Array.from({ length: n }, (_, index) => `"k_${index}":1`)}}`],
  ['depth', (n) => `${'{"data":'.repeat(n)}1${'}'.repeat(n)}`],
  ['lists', (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
])('the price of %s grows with their number and no faster', (_, make) => {
  expect(isLinear(parseEvents, make, 16_000)).toBe(true);
});
