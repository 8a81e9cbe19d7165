/** Parses the kind of an event from every notation that services use. */
import { expect, test } from 'vitest';
import { parseEvent } from '../../../src/index.ts';

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
