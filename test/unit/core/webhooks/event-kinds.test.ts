/** What an event is called, in whatever way a service writes it. */
import { expect, test } from 'vitest';
import { getEventKind, normalizeKind } from '../../../../src/webhooks/event-kind.ts';

test.each([
  ['link.viewed', 'link.viewed'],
  ['Link.Viewed', 'link.viewed'],
  ['LinkViewed', 'link.viewed'],
  ['linkViewed', 'link.viewed'],
  ['LINK_VIEWED', 'link.viewed'],
  ['link-viewed', 'link.viewed'],
  ['link:viewed', 'link.viewed'],
  ['link/viewed', 'link.viewed'],
  ['  Link viewed ', 'link.viewed'],
  ['link :: viewed', 'link.viewed'],
  ['PDFViewed', 'pdf.viewed'],
  ['v2Viewed', 'v2.viewed'],
  ['link.viewed.test', 'link.viewed.test'],
  ['room.link.viewed', 'room.link.viewed'],
  ['link.first_viewed-2', 'link.first_viewed-2'],
  ['link', undefined],
  ['1link.viewed', undefined],
  ['.viewed', undefined],
  ['link.', undefined],
  ['link..viewed', undefined],
  ['link.viewed!', undefined],
  ['a link.viewed', undefined],
  ['', undefined],
  [undefined, undefined],
  [`link.${'v'.repeat(195)}`, `link.${'v'.repeat(195)}`],
  [`link.${'v'.repeat(196)}`, undefined],
])('%j is the kind %j', (text, kind) => {
  expect(normalizeKind(text)).toBe(kind);
});

const cloud = (type: unknown) => ({ specversion: '1.0', type });

test.each<[string, unknown, string | undefined]>([
  ['one word', { type: 'link.viewed' }, 'link.viewed'],
  ['another field', { event: 'LinkViewed' }, 'link.viewed'],
  ['a known kind before another', { type: 'x.notified', event: 'link.viewed' }, 'link.viewed'],
  ['the first of unknown ones', { type: 'x.notified' }, 'x.notified'],
  ['two fields', { resource: 'Link', action: 'Viewed' }, 'link.viewed'],
  ['two fields that make no known kind', { resource: 'link', action: 'deleted' }, undefined],
  ['no text', { type: 7 }, undefined],
  ['no object', 'link.viewed', undefined],
  ['a CloudEvent of a domain', cloud('com.example.link.viewed'), 'link.viewed'],
  ['of a version', cloud('com.example.link.viewed.v1'), 'link.viewed'],
  ['of a later version', cloud('com.example.link.viewed.v12'), 'link.viewed'],
  ['of a version and no domain', cloud('link.viewed.v1'), 'link.viewed'],
  ['a version within', cloud('com.example.v1.link.viewed'), 'com.example.v1.link.viewed'],
  ['a domain of more parts', cloud('com.example.eu.link.viewed'), 'com.example.eu.link.viewed'],
  ['a CloudEvent of a known kind', cloud('link.viewed'), 'link.viewed'],
  ['a CloudEvent without a type', cloud(undefined), undefined],
  ['a CloudEvent whose type is no kind', cloud('viewed'), undefined],
  ['a domain where nothing says CloudEvent', { type: 'com.example.link.viewed' }, 'com.example.link.viewed'],
])('%s', (_, envelope, kind) => {
  expect(getEventKind(envelope)).toBe(kind);
});
