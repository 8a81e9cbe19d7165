/** What a walk makes of answers to questions that nothing asked for: pages alone, no client. */
import { expect, test } from 'vitest';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { marksOf, printOf, valuesOf } from '../../src/pagination/fingerprint.ts';
import { resumeList } from '../../src/pagination/iterate.ts';
import { FailedPageError } from '../../src/pagination/page-error.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import {
  guesses,
  onwardOf,
  outline,
  pagesOf,
  query,
  read,
  refusal,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const failure = new FailedPageError('It failed.', {
  operation: 'contacts.list',
  status: 200,
  excerpt: '',
  body: { success: false, error: 'No such page' },
});
const strange = new UnexpectedResponseError('It holds no list.', {
  operation: 'contacts.list',
  status: 200,
  excerpt: '',
});
const PAGE_1 = { page: '1' };
const PAGE_2 = { page: '2' };
const OFFSET = { offset: 'o' };
const probes = guesses({ queries: [PAGE_1, PAGE_2, OFFSET], unproven: true });
const AB = { first: read('ab', { to: probes }) };
const PROVEN = { first: read('ab', { to: guesses() }) };
const nameless = (letters: string, more: Parameters<typeof read>[1] = {}) =>
  read(letters, { nameless: true, values: [...letters].map((letter) => `\n${letter}`), ...more });

const CASES: Readonly<Record<string, WalkCase>> = {
  ...Object.fromEntries(
    [400, 402, 405, 409, 410, 414, 501].map((status): [string, WalkCase] => [
      `${status} to all: the list was whole`,
      {
        ...AB,
        answers: { 1: refusal(status), 2: refusal(status), o: refusal(status) },
        pages: ['ab: leads on'],
        asked: ['1', '2', 'o'],
      },
    ]),
  ),
  ...Object.fromEntries(
    [403, 500, 503].map((status): [string, WalkCase] => [
      `${status} to all: nobody knows if it was whole`,
      {
        ...AB,
        answers: { 1: refusal(status), o: refusal(404) },
        pages: [
          'ab: leads on',
          `: the page is full, and the service answered ${status} when it was asked for more`,
        ],
        asked: ['1', 'o'],
      },
    ]),
  ),
  ...Object.fromEntries(
    [403, 500, 503].flatMap((status): [string, WalkCase][] =>
      [PROVEN.first, read('ab', { to: { ...probes, by: 'number' } })].map((first, at) => [
        `${status} to what nothing announced, by ${at === 0 ? 'a guess' : 'a number'}`,
        {
          first,
          answers: { x: refusal(status), y: refusal(404), 1: refusal(status), o: refusal(404) },
          pages: [
            'ab: leads on',
            `: the page is full, and the service answered ${status} when it was asked for more`,
          ],
          asked: at === 0 ? ['x'] : ['1', 'o'],
        },
      ]),
    ),
  ),
  'what is no list, in place of a page that nothing announced: nobody knows': {
    ...AB,
    answers: { 1: strange, 2: read('ab'), o: read('ab') },
    pages: ['ab: leads on', ': the page is full, and the service gave no list when it was asked for more'],
    asked: ['1', 'o'],
  },
  'a fault: no other number of that page is asked': {
    ...AB,
    answers: { 1: refusal(500), o: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['1', 'o'],
  },
  'a 2xx that says it failed is no page': {
    ...AB,
    answers: { 1: failure, 2: failure, o: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['1', '2', 'o'],
  },
  'nor is it behind a page that was guessed': {
    ...PROVEN,
    answers: { x: failure, y: failure },
    pages: ['ab: leads on'],
    asked: ['x', 'y'],
  },
  'nor where it is one of many questions though more follows': {
    first: read('ab', { to: guesses({ said: true }) }),
    answers: { x: failure, y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'nothing by a number: another kind of question follows': {
    ...AB,
    answers: { 1: read(''), o: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['1', 'o'],
  },
  'nothing by any: the first empty page is the last': {
    ...AB,
    answers: { 1: read('', { gap: 'of 1' }), o: read('', { gap: 'of o' }) },
    pages: ['ab: leads on', ': of 1'],
    asked: ['1', 'o'],
  },
  'the page again by one number and nothing by the next: the end': {
    ...AB,
    answers: { 1: read('ab'), 2: read('') },
    pages: ['ab: leads on', ''],
    asked: ['1', '2'],
  },
  'nothing at the page that was asked for: the end': {
    ...AB,
    answers: { 1: read('', { at: { page: 1 } }) },
    pages: ['ab: leads on', ''],
    asked: ['1'],
  },
  'nothing at another page: another kind of question follows': {
    ...AB,
    answers: { 1: read('', { at: { page: 2 } }), o: read('c') },
    pages: ['ab: leads on', 'c'],
    asked: ['1', 'o'],
  },
  'an empty page that leads on is followed': {
    ...AB,
    answers: { 1: read('', { to: 'n' }), n: read('c') },
    pages: ['ab: leads on', ': leads on', 'c'],
    asked: ['1', 'n'],
  },
  'nothing behind a page that was guessed: the end': {
    first: read('ab', { to: guesses({ queries: [PAGE_1, OFFSET] }) }),
    answers: { 1: read('') },
    pages: ['ab: leads on', ''],
    asked: ['1'],
  },
  'known entries in another order are the page again': {
    ...AB,
    answers: { 1: read('ba', { fresh: '' }), 2: read('a', { fresh: '' }), o: read('bc', { fresh: 'c' }) },
    pages: ['ab: leads on', 'c'],
    asked: ['1', '2', 'o'],
  },
  'known entries without ids are the page again': {
    ...AB,
    answers: { 1: nameless('ba', { known: true }), 2: nameless('a', { known: true }), o: nameless('bc') },
    pages: ['ab: leads on', 'bc'],
    asked: ['1', '2', 'o'],
  },
  'ids that share a mark are the page again': {
    first: read('ab', { to: { ...probes, marks: ['m'] } }),
    answers: { 1: read('cd', { marks: ['m'] }), 2: read('ef') },
    pages: ['ab: leads on', 'ef'],
    asked: ['1', '2'],
  },
  'a mark of the page before is the page again': {
    first: read('ab', { to: { ...probes, marks: ['m', 'n'] } }),
    answers: {
      1: nameless('cd', { marks: ['n'] }),
      2: nameless('ef', { marks: ['x', 'm'] }),
      o: nameless('gh', { marks: ['y'] }),
    },
    pages: ['ab: leads on', 'gh'],
    asked: ['1', '2', 'o'],
  },
  'a mark says nothing where the page came again as it was, whichever came first': {
    first: read('ab', { to: { ...probes, marks: ['m'], print: 'print of ab' } }),
    answers: { 1: nameless('ab'), 2: nameless('cd', { marks: ['m'] }) },
    pages: ['ab: leads on', 'cd'],
    asked: ['1', '2'],
  },
  'nor where that is found behind it': {
    first: read('ab', { to: { ...probes, marks: ['m'], print: 'print of ab' } }),
    answers: {
      1: nameless('cd', { marks: ['m'] }),
      2: nameless('ef', { marks: ['m'] }),
      o: nameless('ab', { marks: ['m'] }),
    },
    pages: ['ab: leads on', 'cd'],
    asked: ['1', '2', 'o'],
  },
  'nor where the answer says that it is that place': {
    first: read('ab', { to: { ...probes, marks: ['m'] } }),
    answers: { 1: nameless('cd', { marks: ['m'], at: { page: 1 } }) },
    pages: ['ab: leads on', 'cd'],
    asked: ['1'],
  },
  'nor behind a page that was guessed': {
    first: read('ab', { to: guesses({ marks: ['m'] }) }),
    answers: { x: nameless('cd', { marks: ['m'] }) },
    pages: ['ab: leads on', 'cd'],
    asked: ['x'],
  },
  'marks say nothing where more was announced': {
    first: read('ab', { to: { queries: [query('2')], marks: ['m'] } }),
    answers: { 2: nameless('cd', { marks: ['m'] }) },
    pages: ['ab: leads on', 'cd'],
    asked: ['2'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

test.each([
  ['a key that is refused', AB.first, refusal(401)],
  ['too many requests', AB.first, refusal(429)],
  ['a line that broke', AB.first, new Error('No.')],
  ['what is no list where one was announced', read('ab', { to: 'x' }), strange],
  ['a failure at a place that the service named', read('ab', { to: 'x' }), failure],
])('%s is heard', async (_, first, error) => {
  await expect(pagesOf(first, serve({ 1: error, x: error }).ask)).rejects.toBe(error);
});

test('what stands for the ids of a first page is known where it leads on', async () => {
  const service = serve({
    2: read('cd', { nameless: true, to: guesses({ queries: [query('3')] }) }),
    3: read(''),
  });
  await pagesOf(nameless('ab', { to: guesses({ queries: [query('2')] }) }), service.ask);
  expect(service.known.map((names) => names.replaceAll('\n', ''))).toEqual(['ab', 'ab']);
});

test('pages without ids that guesses alone lead to come to an end', async () => {
  const to = guesses({ queries: [query('on')] });
  const service = serve((ask) => nameless(`${ask}`, { to, fingerprint: `${ask}` }));
  const pages = await pagesOf(nameless('a', { to }), service.ask);
  expect(pages).toHaveLength(1001);
  expect(service.asked).toHaveLength(1000);
  expect(outline(pages[1000] ?? AB.first.page)).toBe(
    '1000: 1000 pages were guessed, and nothing says where it ends',
  );
  // With ids, or where the service leads on or says its place, each page is one more.
  for (const pageOf of [
    (ask: string) => read(ask, { to, ids: [ask] }),
    (ask: string) => nameless(ask, { to: onwardOf('c') }),
    (ask: string) => nameless(ask, { to: { ...to, by: 'number' } }),
  ]) {
    const long = serve((ask) => (ask > 1300 ? read('z') : { ...pageOf(`${ask}`), fingerprint: `${ask}` }));
    expect(await pagesOf(nameless('a', { to }), long.ask)).toHaveLength(1302);
  }
});

test('a walk that goes on from a guess hears no refusal either', async () => {
  const resumed = async (status: number) =>
    (
      await resumeList(
        onwardOf(guesses({ unproven: true })),
        serve({ x: refusal(status), y: refusal(404) }).ask,
      )
    ).page;
  expect(await resumed(405)).toMatchObject({ items: [], complete: true });
  expect(await resumed(500)).toMatchObject({
    items: [],
    complete: false,
    gap: expect.stringContaining('500'),
  });
});

test('a walk that goes on from a guess knows the first entries of the page before', async () => {
  const { ask, known } = serve({ x: read('a', { fresh: '' }), y: read('cd') });
  const { page } = await resumeList(onwardOf(guesses({ unproven: true, first: ['a', 'b'] })), ask);
  expect(outline(page)).toBe('cd');
  expect(known).toEqual(['ab', 'ab']);
});

test('one page has the same marks in any order, and beside fields that change', () => {
  const shared = (one: readonly JsonObject[], two: readonly JsonObject[], ids?: [string[], string[]]) =>
    marksOf(one, ids?.[0]).filter((mark) => marksOf(two, ids?.[1]).includes(mark)).length;
  const sheets = (sig: string) => [1, 2, 3].map((page) => ({ page, sig: `${sig}${page}`, kind: 'sheet' }));
  expect(shared(sheets('a'), sheets('b'))).toBe(1);
  expect(shared(sheets('a'), sheets('b').slice(0, 2))).toBe(0);
  const turned = [
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 1, b: 2 },
  ];
  expect(shared(turned, [...turned.slice(1), ...turned.slice(0, 1)])).toBe(1);
  // What is the same for all, or of two kinds, is so on any page.
  const flags = [{ own: true }, { own: false }, { own: false }, { own: false }];
  expect(shared(flags, flags)).toBe(0);
  expect(shared([{ a: 1, b: 1 }], [{ a: 1, b: 2 }])).toBe(0);
  expect(shared([{ a: 1 }, { a: 2 }], [{ b: 1 }, { b: 2 }])).toBe(0);
  expect(
    shared(
      [{}, {}],
      [{}, {}],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ),
  ).toBe(1);
  expect(
    shared(
      [{}, {}],
      [{}, {}],
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
    ),
  ).toBe(0);
  expect(marksOf([], [])).toEqual([]);
  expect(marksOf([], undefined)).toEqual([]);
  const ids = ['b', 'a'];
  marksOf([], ids);
  expect(ids).toEqual(['b', 'a']);
});

test('of an entry with very many fields 16 are looked at', () => {
  const wide = (value: number) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, value]));
  expect(marksOf([wide(1), wide(2)], undefined)).toHaveLength(17);
});

test('prints are of ids in their order, else of entries; what stands for an id is never one', () => {
  expect(printOf([{ a: 1 }], ['x', 'y'])).toBe(printOf([{ a: 2 }], ['x', 'y']));
  expect(printOf([], ['x', 'y'])).not.toBe(printOf([], ['y', 'x']));
  expect(printOf([{ a: 1 }], undefined)).not.toBe(printOf([{ a: 2 }], undefined));
  const [one = '', two, three] = valuesOf([{ a: 1 }, { a: 1 }, { a: 2 }]);
  expect(one).toMatch(/^\n[\w-]{22}$/);
  expect([two === one, three === one]).toEqual([true, false]);
});
