import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError, parseEvent, parseEvents, signEvent } from '../../../src/index.ts';
import { isLinear } from '../../support/is-linear.ts';
import { texts } from '../texts.ts';

const { body, headers } = signEvent({ type: 'link.viewed' }, { secret: 'secret', id: 'msg_1' });

test('a body may be text or bytes of any kind, but not a parsed object', () => {
  const bytes = Buffer.from(body);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  for (const raw of [body, bytes, new Uint8Array(bytes), copy, new DataView(copy), shared, new Uint8Array(shared)])
    expect(parseEvent(raw, headers, 'secret').signature).toBe('valid');
  for (const raw of [JSON.parse(body), undefined, null, 7])
    expect(() => parseEvent(raw, headers, 'secret')).toThrow(texts.beforeAnyJsonParsing);
});

test.each(['null', '7', '"text"', 'true', '{}'])('the JSON %s is an event without a kind', (json) => {
  const { kind, time, data } = parseEvent(json);
  expect([kind, time, data]).toEqual([undefined, undefined, json === '{}' ? {} : { value: JSON.parse(json) }]);
});

test('a body that is not JSON is rejected without quoting it', () => {
  expect(() => parseEvent('secret=hunter2')).toThrow(new InputError(texts.theDeliveredEventIsNot));
});

test('for any JSON parseEvents throws only an InputError and reaches no prototype', () => {
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
  ['levels', (n) => `${'{"data":'.repeat(n)}1${'}'.repeat(n)}`],
  ['lists', (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
])('the time to parse a body grows linearly with its %s', (_, make) => {
  expect(isLinear(parseEvents, make, 16_000)).toBe(true);
});

const kindOf = (event: unknown) => parseEvent(JSON.stringify(event)).kind;

test.each(['ping', 'document.opened', 'Link viewed'])('an event keeps its type "%s" as written', (type) => {
  expect(parseEvent(JSON.stringify({ type })).type).toBe(type);
});

test.each([
  ['link.viewed', 'link.viewed'],
  ['LINK_VIEWED_TEST', 'link.viewed.test'],
  ['link.viewed_test', 'link.viewed_test'],
  ['envelope.signed.declined', 'envelope.signed.declined'],
  ['link.email_captured', 'link.email_captured'],
  ['LinkViewed', 'link.viewed'],
  ['LINK_VIEWED', 'link.viewed'],
  ['link:viewed', 'link.viewed'],
  ['  Link viewed ', 'link.viewed'],
  ['link :: viewed', 'link.viewed'],
  ['PDFViewed', 'pdf.viewed'],
  ['v2Viewed', 'v2.viewed'],
  ['link.viewed.test', 'link.viewed.test'],
  ['link.first_viewed-2', 'link.first_viewed-2'],
  ['1link.viewed', undefined],
  ['.viewed', undefined],
  ['link..viewed', undefined],
  ['link.viewed!', undefined],
  ['', undefined],
  [`link.${'v'.repeat(195)}`, `link.${'v'.repeat(195)}`],
  [`link.${'v'.repeat(196)}`, undefined],
])('%j is the kind %j', (text, kind) => {
  expect(kindOf({ type: text })).toBe(kind);
});

const cloud = (type: unknown) => ({ specversion: '1.0', type });

test.each<[string, unknown, string | undefined]>([
  ['a dotted type', { type: 'link.viewed' }, 'link.viewed'],
  ['another field and notation', { event: 'LinkViewed' }, 'link.viewed'],
  ['a known kind before an unknown one', { type: 'x.notified', event: 'link.viewed' }, 'link.viewed'],
  ['a resource and an action', { resource: 'Link', action: 'Viewed' }, 'link.viewed'],
  ['a resource and an action without a known kind', { resource: 'link', action: 'deleted' }, undefined],
  ['a body that is not an object', 'link.viewed', undefined],
  ['a CloudEvent with a domain', cloud('com.example.link.viewed'), 'link.viewed'],
  ['a CloudEvent with a domain and a version', cloud('com.example.link.viewed.v1'), 'link.viewed'],
  ['a CloudEvent with a version and no domain', cloud('link.viewed.v1'), 'link.viewed'],
  ['a CloudEvent with a version in the middle', cloud('com.example.v1.link.viewed'), 'com.example.v1.link.viewed'],
  ['a CloudEvent of an unknown longer kind', cloud('com.example.link.viewed.test'), 'com.example.link.viewed.test'],
  ['a CloudEvent whose type is not a kind', cloud('viewed'), undefined],
  ['a domain without the fields of a CloudEvent', { type: 'com.example.link.viewed' }, 'com.example.link.viewed'],
])('%s', (_, envelope, kind) => {
  expect(kindOf(envelope)).toBe(kind);
});
