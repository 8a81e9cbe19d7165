/** What a walk makes of a place that the service names, where several parameters may take it; and of one that has no end. */
import { expect, test } from 'vitest';
import { isInTail, TAILS, tailOf, tailPrints } from '../../src/pagination/fingerprint.ts';
import { resumeList } from '../../src/pagination/iterate.ts';
import type { PageCursor } from '../../src/pagination/next-page.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import { standIn } from '../support/stand-in.ts';
import {
  guesses,
  onwardOf,
  outline,
  pagesOf,
  query,
  read,
  refusal,
  SAME_PAGE,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const AGAIN = `: ${SAME_PAGE}`;
const NOTHING = ': the service says that more follows, and gives nothing';
const named = (queries: PageCursor['queries'], more: Partial<PageCursor> = { first: [] }) =>
  read('ab', { to: { queries, ...more } });
const [C, A, S, M] = [{ cursor: 'c' }, { after: 'a' }, { start: 's' }, { marker: 'm' }];
const [none, same] = [read(''), read('ab')];
/** Of two parameters the first finds nothing, and the second is ignored. */
const lost = (
  param: string,
  value: string,
  more?: Partial<PageCursor>,
): Pick<WalkCase, 'first' | 'answers' | 'asked'> => ({
  first: named([{ [param]: value }, M], { first: [], read: 2, ...more }),
  answers: { [value]: none, m: same },
  asked: [value, 'm'],
});
const onTo = (to: string, more: Partial<PageCursor>) => ({ queries: [query(to)], ...more });
/** An empty first page, and one behind it that names its own cursor. */
const BOTH = { queries: [C, A], first: [], read: 0 };
const onlyBack = read('', { to: { queries: [C] } });
const placed = (page: ParsedPage, words: object): ParsedPage => ({
  ...page,
  paginationInfo: standIn<ParsedPage['paginationInfo']>(words),
});

const CASES: Readonly<Record<string, WalkCase>> = {
  'nothing under one name, and a page under another': {
    first: named([C, A]),
    answers: { c: none, a: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['c', 'a'],
  },
  'nothing under one name, and the page again under another: the end': {
    first: named([C, A]),
    answers: { c: none, a: same },
    pages: ['ab: leads on', ''],
    asked: ['c', 'a'],
  },
  'nothing behind a later page: its one name is known': {
    first: named([C, A], {}),
    answers: { c: none },
    pages: ['ab: leads on', ''],
    asked: ['c'],
  },
  'nothing under two names: the end': {
    first: named([C, A]),
    answers: { c: none, a: none },
    pages: ['ab: leads on', ''],
    asked: ['c', 'a'],
  },
  'nothing under three: nobody knows': {
    first: named([C, A, S]),
    answers: { c: none, a: none, s: none },
    pages: ['ab: leads on', NOTHING],
    asked: ['c', 'a', 's'],
  },
  'nothing under three, and the page again under another: the end': {
    first: named([C, A, S, M]),
    answers: { c: none, a: none, s: none, m: same },
    pages: ['ab: leads on', ''],
    asked: ['c', 'a', 's', 'm'],
  },
  'an empty first page again under one name, and a page under another': {
    first: read('', { to: BOTH }),
    answers: { c: onlyBack, a: read('ab') },
    pages: [': leads on', 'ab'],
    asked: ['c', 'a'],
  },
  'an empty first page again under each: the end': {
    first: read('', { to: BOTH }),
    answers: { c: onlyBack, a: read('', { to: { queries: [A] } }) },
    pages: [': leads on', ''],
    asked: ['c', 'a'],
  },
  'under its only name': {
    first: read('', { to: { queries: [C], read: 0 } }),
    answers: { c: onlyBack },
    pages: [': leads on', ''],
    asked: ['c'],
  },
  'an empty page that leads to itself behind entries, or where nobody knows what came before: the end': {
    first: read('ab', { to: { ...BOTH, read: 2 } }),
    answers: { c: onlyBack },
    pages: ['ab: leads on', ''],
    asked: ['c'],
  },
  'one that leads to another place is followed': {
    first: read('', { to: BOTH }),
    answers: { c: read('', { to: 'd' }), d: read('ab') },
    pages: [': leads on', ': leads on', 'ab'],
    asked: ['c', 'd'],
  },
  'and so is one whose number leads to itself': {
    first: read('', { to: BOTH }),
    answers: { c: read('', { to: { queries: [C], by: 'number' } }) },
    pages: [': leads on', ''],
    asked: ['c'],
  },
  ...Object.fromEntries(
    [
      ['page', 'x'],
      ['offset', 'x'],
      ['pageNumber', 'x'],
      ['page', '3'],
    ].map(([param = '', value = '']) => [
      `${param}=${value} can't be the second page: nothing there is no end`,
      { ...lost(param, value), pages: ['ab: leads on', AGAIN] },
    ]),
  ),
  ...Object.fromEntries(
    [
      ['page', '2'],
      ['offset', '20'],
      ['token', 'x'],
    ].map(([param = '', value = '']) => [
      `${param}=${value} can be: nothing there is the end`,
      { ...lost(param, value), pages: ['ab: leads on', ''] },
    ]),
  ),
  'a page of any number can stand behind one that was asked for': {
    first: named([{ page: '20' }, M]),
    answers: { 20: none, m: same },
    asked: ['20', 'm'],
    pages: ['ab: leads on', ''],
  },
  'a place of our own is no misplaced one': {
    ...lost('page', 'x', { by: 'guess', said: true }),
    pages: ['ab: leads on', ''],
  },
  'a total that was reached ends a list that names places for ever': {
    first: read('ab', { to: '2' }),
    answers: {
      2: read('cd', { to: onTo('3', { read: 4, total: 4 }) }),
      3: read('', { to: onTo('4', { read: 4, total: 4 }) }),
    },
    pages: ['ab: leads on', 'cd: leads on', ''],
    asked: ['2', '3'],
  },
  'one that was not does not': {
    first: read('ab', { to: '2' }),
    answers: { 2: read('', { to: onTo('3', { read: 2, total: 3 }) }), 3: read('c') },
    pages: ['ab: leads on', ': leads on', 'c'],
    asked: ['2', '3'],
  },
  'nor does the number of the last page before it': {
    first: read('ab', { to: '2' }),
    answers: {
      2: placed(read('', { to: '3' }), { page: { at: 2 }, lastPage: 3 }),
      3: placed(read('', { to: '4' }), { page: { at: 3 }, lastPage: 3 }),
    },
    pages: ['ab: leads on', ': leads on', ''],
    asked: ['2', '3'],
  },
  'a number of pages without that of the page ends nothing': {
    first: read('ab', { to: '2' }),
    answers: {
      2: placed(read('', { to: '3' }), { lastPage: 1 }),
      3: placed(read('', { to: '4' }), { page: { at: 9 } }),
      4: read('c'),
    },
    pages: ['ab: leads on', ': leads on', ': leads on', 'c'],
    asked: ['2', '3', '4'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

test('the refusal of a page that nothing announced comes with the gap; that of an announced one is the end’s own', async () => {
  const refused = await pagesOf(
    read('ab', { to: guesses() }),
    serve({ x: refusal(403), y: refusal(404) }).ask,
  );
  expect(refused.at(-1)?.error).toMatchObject({ status: 403 });
  const ended = await pagesOf(read('ab', { to: guesses() }), serve({ x: refusal(404), y: refusal(404) }).ask);
  expect(ended.map(({ error }) => error)).toEqual([undefined]);
});

test('the last entries of a page are known by their prints where a walk begins behind it', async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `d${at}`);
  const tail = tailOf(ids);
  expect(tail).toHaveLength(48);
  const known = new Set([TAILS, ...tailPrints(tail)]);
  expect(ids.filter((id) => isInTail(id, known))).toEqual(ids.slice(-8));
  expect(isInTail('d19', new Set(tailPrints(tail)))).toBe(false);
  const service = serve({ 2: read('cd') });
  await resumeList({ ...onwardOf('2'), tail }, service.ask);
  expect(service.known.map((names) => [...names].join(''))).toEqual([[...known].join('')]);
});
