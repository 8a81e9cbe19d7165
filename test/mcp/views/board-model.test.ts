import { expect, test } from 'vitest';
import { parseCards } from '../../../mcp/views/board/agreement-cards.ts';
import { filterChoices, parseChoices } from '../../../mcp/views/pick/choices.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const column = (item: object) => parseCards({ items: [item] }, NOW)[0]?.column;

test('an agreement stands where its state says, in any usual word', () => {
  const words: Record<string, string> = {
    draft: 'Drafts',
    Sent: 'Sent',
    'Out for signature': 'Sent',
    viewed: 'Viewed',
    completed: 'Signed',
    DECLINED: 'Ended',
    voided: 'Ended',
  };
  expect(Object.fromEntries(Object.keys(words).map((status) => [status, column({ status })]))).toEqual(words);
});

test('a state that nobody knows is read from the times', () => {
  expect(column({ status: 'zeta', sent_at: '2026-11-01' })).toBe('Sent');
  expect(column({ status: 'zeta', sent_at: '2026-11-01', viewed_at: '2026-11-02' })).toBe('Viewed');
  expect(column({ signed_at: '2026-11-02' })).toBe('Signed');
  expect(column({})).toBe('Drafts');
});

test('only what waits for somebody counts days', () => {
  const days = (item: object) => parseCards({ items: [item] }, NOW)[0]?.daysWaiting;
  expect(days({ status: 'sent', sent_at: '2026-11-11T12:00:00Z' })).toBe(10);
  expect(days({ status: 'signed', sent_at: '2026-11-11T12:00:00Z' })).toBeUndefined();
  expect(days({ status: 'sent', sent_at: 'soon' })).toBeUndefined();
  expect(days({ status: 'sent', sent_at: '2026-12-24' })).toBeUndefined();
});

test('people are named, else shown by address', () => {
  const signers = [{ name: 'Ann' }, { email: 'bob@example.org' }, 'cy@example.org', { role: 'signer' }];
  expect(parseCards({ items: [{ signers }] })[0]?.recipients).toEqual(['Ann', 'bob@example.org', 'cy@example.org']);
});

test('what has no id can’t be picked; what has no name goes by its address or id', () => {
  const choices = parseChoices({
    items: [
      { group: 'documents', id: 'doc_1', name: 'Deck', page_count: 3 },
      { id: 7, email: 'ann@example.org' },
      { name: 'nameless' },
      'odd',
    ],
  });
  expect(choices).toEqual([
    { id: 'doc_1', name: 'Deck', kind: 'document', details: 'document · 3 pages' },
    { id: '7', name: 'ann@example.org', kind: '', details: '' },
  ]);
  expect(parseChoices({ items: 'odd' })).toEqual([]);
});

test('a search keeps what has every word', () => {
  const choices = parseChoices({
    items: [
      { id: 1, name: 'Series B deck' },
      { id: 2, name: 'Series A deck' },
    ],
  });
  expect(filterChoices(choices, ' b  DECK ').map(({ id }) => id)).toEqual(['1']);
  expect(filterChoices(choices, '')).toHaveLength(2);
});
