/** Pages that came again but for what came or went in between, while it is sought what asks for the next one. */
import { expect, test } from 'vitest';
import { resumeList } from '../../src/pagination/iterate.ts';
import {
  guesses,
  onwardOf,
  outline,
  pagesOf,
  read,
  SAME_PAGE,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const TWO = guesses();
const NAMES = { ...TWO, said: true, by: 'cursor' as const };
const shifted = read('nabc', { fresh: 'n' });
const NEXT = read('efgh');

const CASES: Readonly<Record<string, WalkCase>> = {
  'behind a guess the other one is tried': {
    first: read('abcd', { to: { ...TWO, unproven: true } }),
    answers: { x: shifted, y: NEXT },
    pages: ['abcd: leads on', 'efgh'],
    asked: ['x', 'y'],
  },
  'behind a name of the cursor the other one is tried': {
    first: read('abcd', { to: NAMES }),
    answers: { x: shifted, y: NEXT },
    pages: ['abcd: leads on', 'efgh'],
    asked: ['x', 'y'],
  },
  'behind every guess the list was whole': {
    first: read('abcd', { to: { ...TWO, unproven: true } }),
    answers: { x: shifted, y: shifted },
    pages: ['abcd: leads on'],
    asked: ['x', 'y'],
  },
  'behind the last name of a cursor it is what there is': {
    first: read('abcd', { to: NAMES }),
    answers: { x: read('abcd', { fresh: '', fingerprint: 'print of abcd' }), y: shifted },
    pages: ['abcd: leads on', 'n'],
    asked: ['x', 'y'],
  },
  'a page of which half is known is another': {
    first: read('abcd', { to: NAMES }),
    answers: { x: read('cdef', { fresh: 'ef' }) },
    pages: ['abcd: leads on', 'ef'],
    asked: ['x'],
  },
  'without ids nothing says so': {
    first: read('abcd', { to: NAMES, nameless: true }),
    answers: { x: read('nabc', { fresh: 'n', nameless: true }) },
    pages: ['abcd: leads on', 'n'],
    asked: ['x'],
  },
  'where one name has led on, it is asked for by that alone': {
    first: read('abcd', { to: '2' }),
    answers: { 2: shifted },
    pages: ['abcd: leads on', 'n'],
    asked: ['2'],
  },
  'the number of a row is not that of the page that was asked for': {
    first: read('ab', {
      to: { queries: [{ from: '3' }, { page: '1' }, { page: '2' }], by: 'number' },
      nameless: true,
    }),
    answers: {
      3: read('ab', { nameless: true, at: { offset: 1 } }),
      1: read('ab', { nameless: true, at: { offset: 1 } }),
      2: read('cd', { nameless: true, at: { offset: 3 } }),
    },
    pages: ['ab: leads on', 'cd'],
    asked: ['3', '1', '2'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

test('a walk that begins behind the page knows it by two of its first entries', async () => {
  const first = ['a', 'b', 'c'];
  const again = serve({ x: read('nab', { fresh: 'nab' }), y: NEXT });
  expect(outline((await resumeList(onwardOf({ ...NAMES, first }), again.ask)).page)).toBe('efgh');
  // One of them may have been moved there.
  const moved = serve({ x: read('aefg', { fresh: 'efg' }), y: NEXT });
  expect(outline((await resumeList(onwardOf({ ...NAMES, first }), moved.ask)).page)).toBe('efg');
  const whole = serve({
    x: shifted,
    y: read('abcd', { fresh: '', fingerprint: 'print of the page before' }),
  });
  expect(outline((await resumeList(onwardOf({ ...NAMES, first }), whole.ask)).page)).toBe(`: ${SAME_PAGE}`);
});
