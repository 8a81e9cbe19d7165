/** What a walk through a list takes for a page that came before, where answers repeat themselves: pages alone, no client. */
import { describe, expect, test } from 'vitest';
import {
  guesses,
  outline,
  pagesOf,
  query,
  read,
  SAME_PAGE,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const IDLE = '500 pages in a row brought nothing new';
const AB = { first: read('ab', { to: '2' }) };

const CASES: Readonly<Record<string, WalkCase>> = {
  'new entries, and a cursor that came before': {
    ...AB,
    answers: { 2: read('cd', { to: '2' }) },
    // The second answer is the same page again.
    pages: ['ab: leads on', 'cd: leads on', `: ${SAME_PAGE}`],
    asked: ['2', '2'],
  },
  'new entries without ids, and a cursor that came before': {
    ...AB,
    answers: { 2: read('cd', { to: '2', nameless: true }) },
    pages: ['ab: leads on', 'cd: leads on', `: ${SAME_PAGE}`],
    asked: ['2', '2'],
  },
  'a circle of cursors': {
    ...AB,
    answers: { 2: read('cd', { to: '1' }), 1: read('ab', { to: '2' }) },
    pages: ['ab: leads on', 'cd: leads on', `: ${SAME_PAGE}`],
    asked: ['2', '1'],
  },
  'the same page again, though more is said to follow': {
    ...AB,
    answers: { 2: AB.first },
    pages: ['ab: leads on', `: ${SAME_PAGE}`],
    asked: ['2'],
  },
  'the same page again, where nothing was said': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('ab'), y: read('ab') },
    pages: ['ab: leads on'],
    asked: ['x', 'y'],
  },
  'a second guess that leads on': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('ab'), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'a first guess that leads on': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x'],
  },
  'what was learned is tried first': {
    first: read('ab', { to: guesses({ before: [query('l')], by: 'cursor', said: true }) }),
    answers: { l: read('ab', { to: 'on' }), x: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['l', 'x'],
  },
  'a doubtful page is none while another query is left': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('', { doubtful: true }), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'the first doubtful page stands where none is better': {
    first: read('ab', { to: guesses({ queries: ['x', 'y', 'z'].map(query) }) }),
    answers: {
      x: read('', { doubtful: true, gap: 'of x' }),
      y: read('', { doubtful: true, gap: 'of y' }),
      z: read('ab'),
    },
    pages: ['ab: leads on', ': of x'],
    asked: ['x', 'y', 'z'],
  },
  'that of the last query stands before that of another': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('', { doubtful: true, gap: 'of x' }), y: read('', { doubtful: true, gap: 'of y' }) },
    pages: ['ab: leads on', ': of y'],
    asked: ['x', 'y'],
  },
  'a doubtful page of the last query is a page': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('ab'), y: read('', { doubtful: true, gap: 'of y' }) },
    pages: ['ab: leads on', ': of y'],
    asked: ['x', 'y'],
  },
  'a page without a doubt ends the tries, empty or not': {
    first: read('ab', { to: guesses() }),
    answers: { x: read('') },
    pages: ['ab: leads on', ''],
    asked: ['x'],
  },
  'entries without ids, equal and more of them by a cursor': {
    first: read('aa', { to: '2', nameless: true }),
    answers: { 2: read('aa', { to: '3', nameless: true }), 3: read('aa', { nameless: true }) },
    pages: ['aa: leads on', 'aa: leads on', 'aa'],
    asked: ['2', '3'],
  },
  'entries without ids, equal, and the cursor that was asked': {
    first: read('aa', { to: '2', nameless: true }),
    answers: { 2: read('aa', { to: '2', nameless: true }) },
    pages: ['aa: leads on', `: ${SAME_PAGE}`],
    asked: ['2'],
  },
  'entries without ids, equal, by a guess': {
    first: read('aa', { to: guesses(), nameless: true }),
    answers: { x: read('aa', { to: '3', nameless: true }), y: read('b', { nameless: true }) },
    pages: ['aa: leads on', 'b'],
    asked: ['x', 'y'],
  },
  'entries without ids, equal, by a guess that the answer repeats': {
    first: read('aa', { to: guesses({ queries: [query('2')] }), nameless: true }),
    answers: { 2: read('aa', { at: { page: 2 }, nameless: true }) },
    pages: ['aa: leads on'],
    asked: ['2'],
  },
  'entries without ids, other ones by a guess': {
    first: read('aa', { to: guesses(), nameless: true }),
    answers: { x: read('ab', { nameless: true }) },
    pages: ['aa: leads on', 'ab'],
    asked: ['x'],
  },
  'entries without ids, equal, by what was learned': {
    first: read('aa', { to: guesses({ before: [query('l')], by: 'cursor' }), nameless: true }),
    answers: { l: read('aa', { to: '3', nameless: true }), x: read('aa', { nameless: true }) },
    pages: ['aa: leads on', 'aa'],
    asked: ['l', 'x'],
  },
  'entries without ids, equal, at the page that was asked': {
    first: read('aa', { to: { queries: [query('2')], by: 'number' }, nameless: true }),
    answers: { 2: read('aa', { at: { page: 2, offset: 0 }, nameless: true }) },
    pages: ['aa: leads on', 'aa'],
    asked: ['2'],
  },
  'entries without ids, equal, at the offset that was asked': {
    first: read('aa', { to: { queries: [query('2')], by: 'number' }, nameless: true }),
    answers: { 2: read('aa', { at: { offset: 2 }, nameless: true }) },
    pages: ['aa: leads on', 'aa'],
    asked: ['2'],
  },
  'entries without ids, equal, at another page': {
    first: read('aa', { to: { queries: [query('2')], by: 'number' }, nameless: true }),
    answers: { 2: read('aa', { at: { page: 1 }, nameless: true }) },
    pages: ['aa: leads on', `: ${SAME_PAGE}`],
    asked: ['2'],
  },
  'entries without ids, equal, at a place that is not said': {
    first: read('aa', { to: { queries: [query('undefined')], by: 'number' }, nameless: true }),
    answers: { undefined: read('aa', { nameless: true }) },
    pages: ['aa: leads on', `: ${SAME_PAGE}`],
    asked: ['undefined'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

describe('pages in a row that bring nothing new', () => {
  const last = read('z');
  const idle = { empty: '', 'without ids, and the same': 'aa' };

  test.each(Object.entries(idle))('%s: the 501st is the last, and a gap', async (_, letters) => {
    const service = serve((ask) => read(letters, { to: `c${ask}`, nameless: true }));
    const pages = await pagesOf(read('aa', { to: 'c0', nameless: true }), service.ask);
    expect(service.asked).toHaveLength(501);
    expect(pages).toHaveLength(502);
    expect(outline(pages[501] ?? last.page)).toMatch(new RegExp(`: ${IDLE}$`));
  });

  test.each(Object.entries(idle))('%s: 500, and what comes then counts', async (_, letters) => {
    const service = serve((ask) => (ask === 501 ? last : read(letters, { to: `c${ask}`, nameless: true })));
    const pages = await pagesOf(read('aa', { to: 'c0', nameless: true }), service.ask);
    expect(outline(pages.at(-1) ?? read('').page)).toBe('z');
  });

  test('an entry between them begins the count anew', async () => {
    const service = serve((ask) =>
      ask === 900 ? last : read(ask === 450 ? 'b' : '', { to: `c${ask}`, nameless: true }),
    );
    const pages = await pagesOf(read('aa', { to: 'c0', nameless: true }), service.ask);
    expect(service.asked).toHaveLength(900);
    expect(outline(pages.at(-1) ?? read('').page)).toBe('z');
  });

  test('a page that came again on the way counts as one', async () => {
    const to = guesses({ said: true });
    const service = serve((ask) =>
      ask % 2 === 1 ? read('ab') : read('', { to: { ...to, queries: [query(`x${ask}`), query(`y${ask}`)] } }),
    );
    const pages = await pagesOf(read('ab', { to }), service.ask);
    expect(service.asked).toHaveLength(502);
    expect(outline(pages.at(-1) ?? last.page)).toBe(`: ${IDLE}`);
  });
});
