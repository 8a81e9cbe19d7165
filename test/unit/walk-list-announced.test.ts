/** What a walk makes of pages that were announced: guesses that bring nothing, answers without a body, and pages again. */
import { expect, test } from 'vitest';
import type { PageCursor } from '../../src/pagination/next-page.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import {
  guesses,
  outline,
  pagesOf,
  query,
  read,
  refusal,
  SAME_PAGE,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const EMPTY = 'the service says that more follows, and gives an empty answer instead';
const bare = (raw: unknown): ParsedPage => ({ ...read(''), page: { ...read('').page, raw } });
const counted = (more: Partial<PageCursor> = {}) =>
  read('ab', { to: { queries: [query('2')], by: 'number', counted: true, ...more } });
const announced = read('ab', { to: guesses({ said: true }) });
const nameless = (letters: string, more: Parameters<typeof read>[1] = {}) =>
  read(letters, { nameless: true, ...more });

const CASES: Readonly<Record<string, WalkCase>> = {
  'a counted page without a body': {
    first: counted(),
    answers: { 2: bare(null) },
    pages: ['ab: leads on', `: ${EMPTY}`],
    asked: ['2'],
  },
  'a counted page with nothing at all': {
    first: counted(),
    answers: { 2: bare(undefined) },
    pages: ['ab: leads on', `: ${EMPTY}`],
    asked: ['2'],
  },
  'a counted page that is an empty list': {
    first: counted(),
    answers: { 2: read('') },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'a counted page that comes by its other name': {
    first: counted({ queries: [query('2'), query('y')] }),
    answers: { 2: bare(null), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['2', 'y'],
  },
  'a counted page that is none, and then the first again': {
    first: counted({ queries: [query('2'), query('y')] }),
    answers: { 2: bare(null), y: read('ab') },
    pages: ['ab: leads on', `: ${SAME_PAGE}`],
    asked: ['2', 'y'],
  },
  'no body where no page was counted': {
    first: read('ab', { to: { queries: [query('2')], by: 'number' } }),
    answers: { 2: bare(null) },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'a guess that gives nothing was a filter': {
    first: announced,
    answers: { x: read(''), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'a guess that gives what came was a filter': {
    first: announced,
    answers: { x: read('a', { fresh: '' }), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'all guesses give nothing: that is the end': {
    first: announced,
    answers: { x: read(''), y: read('') },
    pages: ['ab: leads on', ''],
    asked: ['x', 'y'],
  },
  'a guess gives nothing, and the next is refused': {
    first: announced,
    answers: { x: read(''), y: refusal(404) },
    pages: ['ab: leads on', ''],
    asked: ['x', 'y'],
  },
  'a guess that gives nothing yet leads on': {
    first: announced,
    answers: { x: read('', { to: 'c' }), c: read('cd') },
    pages: ['ab: leads on', ': leads on', 'cd'],
    asked: ['x', 'c'],
  },
  'a guess that gives nothing and says that it is that place': {
    first: read('ab', { to: guesses({ said: true, queries: [{ page: '2' }, query('y')] }) }),
    answers: { 2: read('', { at: { page: 2 } }) },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'a place of the service that gives nothing': {
    first: read('ab', { to: { queries: [query('x'), query('y')], by: 'number' } }),
    answers: { x: read('') },
    pages: ['ab: leads on', ''],
    asked: ['x'],
  },
  'what was ignored is not asked in parts': {
    first: read('ab', {
      to: guesses({ queries: [{ offset: '2', skip: '2' }, { offset: '2' }, query('y')] }),
    }),
    answers: { '2,2': read('ab'), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['2,2', 'y'],
  },
  'what was refused is asked in parts': {
    first: read('ab', {
      to: guesses({ queries: [{ offset: '2', skip: '2' }, { offset: '2' }, query('y')] }),
    }),
    answers: { '2,2': refusal(400), 2: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['2,2', '2'],
  },
  'what was ignored is asked under another name, and with another number': {
    first: read('ab', { to: guesses({ queries: [{ page: '1' }, { page: '2' }, { skip: '2' }] }) }),
    answers: { 1: read('ab'), 2: read('ab') },
    pages: ['ab: leads on'],
    asked: ['1', '2', '2'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

test.each<[words: Partial<ParsedPage['paginationInfo']>, pages: string[]]>([
  [{ echo: 'repeated' }, ['ab: leads on', 'cd']],
  [{ echo: 'empty' }, ['ab: leads on', 'ab']],
  [{}, ['ab: leads on', 'ab']],
])(
  'equal entries without ids behind a cursor, with %j, are the page again where it repeats that',
  async (words, pages) => {
    const to = { queries: [query('c'), { after: 'c' }], print: 'print of ab' };
    const again = nameless('ab');
    const service = serve((ask) =>
      ask === 1 ? { ...again, paginationInfo: { ...again.paginationInfo, ...words } } : read('cd'),
    );
    expect((await pagesOf(nameless('ab', { to }), service.ask)).map(outline)).toEqual(pages);
  },
);

test.each<[letters: string, size: number | undefined, print: string, isAgain: boolean]>([
  ['cd', 3, 'print of cd', true],
  ['cd', 2, 'print of cd', false],
  ['cd', 1, 'print of cd', false],
  ['cd', undefined, 'print of cd', false],
  ['cd', 3, 'print of another', false],
  ['cc', 3, 'print of cc', false],
  ['c', 3, 'print of c', false],
])(
  'behind the page "%s", of a size of %s and with the %s, the same at its own number is it again: %s',
  async (letters, size, print, isAgain) => {
    const service = serve((ask) => {
      const place = { at: { page: ask + 1 }, print: `print of ${letters}` };
      const to = { queries: [{ page: `${ask + 2}` }], by: 'number' as const, said: false, print };
      const page = nameless(letters, ask < 3 ? { ...place, to } : place);
      return { ...page, paginationInfo: { ...page.paginationInfo, size } };
    });
    const first = nameless('ab', { to: { queries: [{ page: '2' }], by: 'number', said: false } });
    const numbered = (await pagesOf(first, service.ask)).map(outline);
    expect(numbered.filter((page) => page.startsWith(letters))).toHaveLength(isAgain ? 1 : 3);
  },
);
