/** What a walk through a list asks for, what it gives, and how it says that it has ended: pages alone, no client. */
import { describe, expect, test } from 'vitest';
import { type PageFetcher, resumeList } from '../../src/pagination/iterate.ts';
import type { PageCursor } from '../../src/pagination/next-page.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import {
  type Answers,
  guesses,
  onwardOf,
  outline,
  pagesOf,
  query,
  read,
  refusal,
  SAME_CURSOR,
  SAME_PAGE,
  serve,
  type WalkCase,
} from '../support/walked-pages.ts';

const AB = { first: read('ab', { to: '2' }) };

const CASES: Readonly<Record<string, WalkCase>> = {
  'one page that leads nowhere': { first: read('ab'), pages: ['ab'], asked: [] },
  'one page that lacks something': {
    first: read('ab', { gap: 'the service counts 7 and gave 2' }),
    pages: ['ab: the service counts 7 and gave 2'],
    asked: [],
  },
  'no entries at all': { first: read(''), pages: [''], asked: [] },
  'cursor after cursor': {
    ...AB,
    answers: { 2: read('cd', { to: '3' }), 3: read('e') },
    pages: ['ab: leads on', 'cd: leads on', 'e'],
    asked: ['2', '3'],
  },
  'an empty page on the way': {
    ...AB,
    answers: { 2: read('', { to: '3' }), 3: read('c') },
    pages: ['ab: leads on', ': leads on', 'c'],
    asked: ['2', '3'],
  },
  'an empty page that leads to itself is the end': {
    ...AB,
    answers: { 2: read('', { to: '2' }) },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'an empty page that leads to itself and says that more follows is a gap': {
    ...AB,
    answers: { 2: read('', { to: '2', more: true }) },
    pages: ['ab: leads on', `: ${SAME_CURSOR}`],
    asked: ['2'],
  },
  'one that says that no more follows is the end': {
    ...AB,
    answers: { 2: read('', { to: '2', more: false }) },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'an empty page that leads to itself before the total is a gap': {
    ...AB,
    answers: { 2: read('', { to: { queries: [query('2')], read: 2, total: 3 } }) },
    pages: ['ab: leads on', `: ${SAME_CURSOR}`],
    asked: ['2'],
  },
  'one of a total, with nothing counted yet, is a gap': {
    ...AB,
    answers: { 2: read('', { to: { queries: [query('2')], total: 1 } }) },
    pages: ['ab: leads on', `: ${SAME_CURSOR}`],
    asked: ['2'],
  },
  'one whose total is reached is the end': {
    ...AB,
    answers: { 2: read('', { to: { queries: [query('2')], read: 2, total: 2 } }) },
    pages: ['ab: leads on', ''],
    asked: ['2'],
  },
  'entries that all came before, and a cursor that came before': {
    ...AB,
    answers: { 2: read('ba', { to: '2', fresh: '' }) },
    pages: ['ab: leads on', `: ${SAME_CURSOR}`],
    asked: ['2'],
  },
  'entries that all came before, and a cursor that is new': {
    ...AB,
    answers: { 2: read('ba', { to: '3', fresh: '' }), 3: read('c') },
    pages: ['ab: leads on', ': leads on', 'c'],
    asked: ['2', '3'],
  },
  'a guess that is refused ends the list': {
    first: read('ab', { to: guesses({ queries: [query('x')] }) }),
    answers: { x: refusal(400) },
    pages: ['ab: leads on'],
    asked: ['x'],
  },
  'a guess that is refused, and one that leads on': {
    first: read('ab', { to: guesses({ said: true }) }),
    answers: { x: refusal(422), y: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['x', 'y'],
  },
  'what was learned is refused, and the service’s own word leads on': {
    first: read('ab', { to: { queries: [query('x')], before: [query('l')] } }),
    answers: { l: refusal(404), x: read('cd') },
    pages: ['ab: leads on', 'cd'],
    asked: ['l', 'x'],
  },
  'one guess is refused, and the other gives the same page': {
    first: read('ab', { to: guesses({ said: true }) }),
    answers: { x: refusal(416), y: read('ab') },
    pages: ['ab: leads on', `: ${SAME_PAGE}`],
    asked: ['x', 'y'],
  },
  ...Object.fromEntries(
    [400, 404, 410, 416, 422].map((status) => [
      `a page that was announced and is refused by ${status} is a gap`,
      {
        ...AB,
        answers: { 2: refusal(status) },
        pages: [
          'ab: leads on',
          `: the service says that more follows, and answered ${status} when it was asked for it`,
        ],
        asked: ['2'],
      } satisfies WalkCase,
    ]),
  ),
  'so is one that is refused by each name': {
    first: read('ab', { to: guesses({ said: true }) }),
    answers: { x: refusal(400), y: refusal(404) },
    pages: [
      'ab: leads on',
      ': the service says that more follows, and answered 404 when it was asked for it',
    ],
    asked: ['x', 'y'],
  },
};

test.each(Object.entries(CASES))('%s', async (_, { first, answers = {}, pages, asked }) => {
  const service = serve(answers);
  expect((await pagesOf(first, service.ask)).map(outline)).toEqual(pages);
  expect(service.asked).toEqual(asked);
});

test.each<[string, Answers, Partial<PageCursor>, RegExp, string[]]>([
  ['a cursor of its own, for another reason', { 2: refusal(403) }, { queries: [query('2')] }, /No\./, ['2']],
  ['for another reason than the query', { x: refusal(401) }, guesses(), /No\./, ['x']],
  ['because it is ill', { x: refusal(500) }, guesses({ said: true }), /No\./, ['x']],
  ['nothing, and the line broke', { x: new Error('broken') }, guesses(), /broken/, ['x']],
])('a service that refuses %s is heard', async (_, answers, to, words, asked) => {
  const service = serve(answers);
  await expect(pagesOf(read('ab', { to }), service.ask)).rejects.toThrow(words);
  expect(service.asked).toEqual(asked);
});

test.each([400, 422, 401, 500])(
  'a place that a call begins with, and the service refuses by %i, is told as it is',
  async (status) => {
    const service = serve({ 2: refusal(status) });
    await expect(resumeList(onwardOf('2'), service.ask)).rejects.toThrow(/No\./);
  },
);

test('each ask says what led to it, and which entries came before', async () => {
  const [second, third] = [read('cd', { to: '3' }), read('e')];
  const service = serve({ 2: second, 3: third });
  const places: unknown[] = [];
  const ask: PageFetcher = (place) => {
    places.push({ query: place?.query, from: place?.from });
    return service.ask(place);
  };
  expect(await pagesOf(AB.first, ask)).toEqual([AB.first.page, second.page, third.page]);
  expect(places).toEqual([
    { query: { cursor: '2' }, from: AB.first.page.cursor },
    { query: { cursor: '3' }, from: second.page.cursor },
  ]);
  expect(service.known).toEqual(['ab', 'abcd']);
  const nameless = serve({ 2: read('c') });
  await pagesOf(read('ab', { to: '2', nameless: true }), nameless.ask);
  expect(nameless.known).toEqual(['']);
});

describe('the page that a walk ends with by itself', () => {
  test('has the total that was named, and the answer that came again', async () => {
    const { ask } = serve({ 2: AB.first });
    const first = read('ab', { to: { queries: [query('2')], total: 7 } });
    expect((await pagesOf(first, ask))[1]).toStrictEqual({
      items: [],
      next: undefined,
      complete: false,
      gap: SAME_PAGE,
      total: 7,
      raw: 'ab',
    });
  });

  test('keeps all of an answer but the way on', async () => {
    const { ask } = serve({ 2: read('', { to: '2', gap: 'another' }) });
    const pages = await pagesOf(AB.first, ask);
    expect(pages[1]).toStrictEqual({ items: [], next: undefined, complete: true, raw: '' });
  });
});

describe('a walk that goes on from a place', () => {
  const resume = async (answers: Answers, to: string | Partial<PageCursor> = '2') => {
    const service = serve(answers);
    const resumed = await resumeList(onwardOf(to), service.ask);
    return { ...service, resumed, outline: outline(resumed.page) };
  };

  test('begins with the page behind it, and knows no entries', async () => {
    const second = read('cd', { to: '3' });
    const { resumed, asked, known } = await resume({ 2: second });
    expect(resumed).toEqual(second);
    expect(asked).toEqual(['2']);
    expect(known).toEqual(['']);
  });

  test('ends where the page before comes again', async () => {
    const { resumed } = await resume(
      { 2: read('ab', { fingerprint: 'print of the page before' }) },
      { queries: [query('2')], total: 9 },
    );
    expect(resumed).toStrictEqual({
      page: { items: [], next: undefined, complete: false, gap: SAME_PAGE, total: 9, raw: 'ab' },
      count: 0,
      ids: [],
      print: '',
    });
  });

  test('ends in peace where only a guess led on', async () => {
    const { resumed } = await resume({ x: refusal(404), y: refusal(404) }, guesses());
    expect(resumed.page).toStrictEqual({ items: [], next: undefined, complete: true, raw: undefined });
  });

  test.each<[string, ParsedPage, string]>([
    ['an empty page that leads to itself: the end', read('', { to: '2' }), ''],
    ['one that says that more follows: a gap', read('', { to: '2', more: true }), `: ${SAME_CURSOR}`],
    ['an empty page that leads elsewhere: goes on', read('', { to: '3' }), ': leads on'],
    ['an empty page that leads nowhere: the end', read(''), ''],
    ['entries that lead to themselves: the walk decides', read('cd', { to: '2' }), 'cd: leads on'],
  ])('%s', async (_, second, shown) => {
    const { resumed, outline } = await resume({ 2: second });
    expect(outline).toBe(shown);
    expect(resumed).toMatchObject({ count: second.count, print: second.fingerprint });
  });

  test.each([404, 410, 416])('ends at a page that has gone (%i), and says so', async (status) => {
    const { resumed, outline } = await resume({ 2: refusal(status) });
    expect(outline).toBe(
      `: the service says that more follows, and answered ${status} when it was asked for it`,
    );
    expect(resumed.page.error).toMatchObject({ status });
  });
});
