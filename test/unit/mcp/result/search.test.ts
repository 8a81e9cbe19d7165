/** How a text is sought in objects, and what a day or a time means that a list is narrowed by. */
import { describe, expect, test } from 'vitest';
import { isWithin, parsePeriod } from '../../../../mcp/result/period.ts';
import { findMatch } from '../../../../mcp/result/search-rank.ts';

test.each<[object, string, number | undefined]>([
  [{ id: 'L-1' }, 'L-1', 0],
  [{ id: 'L-1' }, 'l-1', undefined],
  [{ name: 'Deck' }, 'deck', 0],
  [{ name: 'Deck 2026' }, 'deck', 1],
  [{ name: 'Our deck' }, 'deck', 2],
  [{ name: 'Undeck, a deck' }, 'deck', 2],
  [{ name: 'Sundecks' }, 'deck', 3],
  [{ name: 'Deck of the board' }, 'board deck', 4],
  [{ name: 'Deck of the sales' }, 'board deck', undefined],
  [{ name: 'Ärger' }, 'arger', 0],
  [{ name: 'ΝΟΜΟΣ' }, 'νομος', 0],
  [{ name: 'Νομοσχέδιο' }, 'νομος', 1],
  [{ name: 'Łódź Øl' }, 'lodz ol', 0],
  [{ name: 'Œuvre' }, 'oeuvre', 0],
  [{ name: 'Deck  of\tcards' }, 'deck of cards', 0],
  [{ ownerEmail: 'a@b.example' }, 'a@b', 1],
  [{ emails: ['a@b.example'] }, 'a@b', 1],
  [{ owner: { email: 'a@b.example' } }, 'a@b', 1],
  [{ one: { two: { three: { name: 'deck' } } } }, 'deck', 0],
  [{ one: { two: { three: { four: { name: 'deck' } } } } }, 'deck', undefined],
  [{ status: 'deck' }, 'deck', undefined],
  [{ name: 'Sundeck', title: 'deck' }, 'deck', 0],
])('%j has for %s the rank %s', (item, text, rank) => {
  expect(findMatch({ ...item }, text, 'link')?.rank).toBe(rank);
});

describe('a time', () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'],
    ['2026-11-21T09:30', '2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'],
    [' 2026-11-21T09:30:15.250 ', '2026-11-21T09:30:15.250Z', '2026-11-21T09:30:15.250Z'],
    ['2026-11-21T09:30+02:00', '2026-11-21T07:30:00.000Z', '2026-11-21T07:30:00.000Z'],
  ])('%s begins at %s and ends at %s, whatever the zone of this machine', (text, first, last) => {
    // The reader of times takes the zone of the process where a text has none.
    const { TZ } = process.env;
    process.env['TZ'] = 'Asia/Tokyo';
    try {
      expect(parsePeriod({ since: text, until: text })).toEqual({ from: at(first), to: at(last) });
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  test.each(['2026-02-31', '2026-11-21 09:30', '21.11.2026', '2026-13-01', '', 'yesterday'])(
    '%s is refused by the name of its argument',
    (text) => {
      expect(() => parsePeriod({ since: text })).toThrow(/^since: must be a date/);
      expect(() => parsePeriod({ until: text })).toThrow(/^until: must be a date/);
    },
  );

  test('since behind until is refused, both at once is one moment', () => {
    expect(() => parsePeriod({ since: '2026-11-22', until: '2026-11-21' })).toThrow(/later than until/);
    expect(parsePeriod({ since: '2026-11-21T10:00Z', until: '2026-11-21T10:00Z' })).toMatchObject({});
  });

  test('both ends are inside, and an object without a time is neither in nor out', () => {
    const period = parsePeriod({ since: '2026-11-20', until: '2026-11-21' });
    const isIn = (created_at: string) => isWithin({ created_at }, period);
    expect(['2026-11-20T00:00:00Z', '2026-11-21T23:59:59.999Z'].map(isIn)).toEqual([true, true]);
    expect(['2026-11-19T23:59:59.999Z', '2026-11-22T00:00:00Z'].map(isIn)).toEqual([false, false]);
    expect(isWithin({ id: 'a' }, period)).toBeUndefined();
    expect(isWithin({ created_at: '2026-11-22T00:00:00Z' }, parsePeriod({ since: '2026-11-20' }))).toBe(true);
  });
});
