import { expect, test } from 'vitest';
import { getName, getTitle, getValueAtPath, idOf, toIsoTime } from '../../../src/records/fields.ts';

test.each<[object, string | undefined, string | undefined]>([
  [{ name: 'Deck', url: 'u' }, 'Deck', 'Deck'],
  [{ attributes: { title: 'Deck' } }, 'Deck', 'Deck'],
  [{ fullName: 'Ann Lee', title: 'CEO' }, 'Ann Lee', 'Ann Lee'],
  [{ full_name: 'ann@a.test', first_name: 'Ann', last_name: 'Lee' }, 'Ann Lee', 'Ann Lee'],
  [{ id: 7 }, undefined, '7'],
])('%j has the title %s and the name %s', (record, title, name) => {
  expect([getTitle(record), getName(record)]).toEqual([title, name]);
});

test.each([
  [{ id: 7, link_id: 'l' }, '7'],
  [{ linkId: 'l', document_id: 'd' }, 'l'],
  [{ attributes: { id: 'a' } }, 'a'],
  [{ document_id: 'd' }, undefined],
])('the link %j has the ID %s', (record, id) => {
  expect(idOf(record, 'link')).toBe(id);
  expect(idOf({ envelopeId: 'e' }, 'agreement')).toBe('e');
  expect(idOf({ link_id: 'l' })).toBe(undefined);
});

test.each([
  [undefined, undefined],
  [1_798_711_200, '2026-12-31T10:00:00.000Z'],
  ['1798711200000', '2026-12-31T10:00:00.000Z'],
  ['2026-12-31T11:00:00+01:00', '2026-12-31T10:00:00.000Z'],
  [8.64e15, undefined],
])('the time %s is %s', (value, time) => expect(toIsoTime(value)).toBe(time));

test('a path leads to a nested field in any spelling', () => {
  expect(getValueAtPath({ pageViews: { Seconds: 5 } }, 'page_views.seconds')).toBe(5);
  expect(getValueAtPath({ pageViews: 5 }, 'page_views.seconds')).toBe(undefined);
});
