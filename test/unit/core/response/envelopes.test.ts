/** Where an object stands in an answer that wraps it. */
import { expect, test } from 'vitest';
import { getCandidates } from '../../../../src/response/unwrap-envelope.ts';

const OBJECT = { title: 'Deck' };

test.each<[string, object]>([
  ['words about the answer', { thing: OBJECT, meta: { took: 3 }, links: { self: '/x' } }],
  ['nothing', { thing: OBJECT }],
  ['a status and an id of the request', { status: 'ok', request_id: 'r1', thing: OBJECT }],
])('an object beside %s is found, whatever it stands under', (_, raw) => {
  expect([...getCandidates(raw, 'widgets')]).toContainEqual(OBJECT);
});

test('of two objects under strange names none is taken for the answer', () => {
  const raw = { thing: OBJECT, other: { title: 'Other' } };
  expect([...getCandidates(raw, 'widgets')]).toEqual([raw]);
});
