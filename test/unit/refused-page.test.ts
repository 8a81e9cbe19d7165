/** What a failure in place of a page means: no such page, perhaps one all the same, or that nothing more can be read. */
import { expect, test } from 'vitest';
import { ApiError, UnexpectedResponseError } from '../../src/errors.ts';
import type { PageCursor } from '../../src/pagination/next-page.ts';
import { FailedPageError, gapOf, meaningOf } from '../../src/pagination/page-error.ts';
import { refusal } from '../support/walked-pages.ts';

const said = (body: object) =>
  new FailedPageError('It failed.', { operation: 'contacts.list', status: 200, excerpt: '', body });
const QUERY = { page: '2' };
const onward = (given: Partial<PageCursor>): PageCursor => ({
  ...{ queries: [QUERY, { offset: '2' }], said: false, by: 'guess', print: '' },
  ...given,
});
const FIRST = onward({ unproven: true });
const LATER = onward({});
const NUMBERED = onward({ unproven: true, by: 'number' });
const ANNOUNCED = onward({ said: true });
const CURSOR = onward({ said: true, by: 'cursor' });

type Meaning = ReturnType<typeof meaningOf>;
const ROWS: readonly [
  status: number,
  first: Meaning,
  numbered: Meaning,
  later: Meaning,
  announced: Meaning,
  cursor: Meaning,
][] = [
  [400, 'none', 'none', 'none', 'none', 'none'],
  [401, 'fault', 'fault', 'fault', 'fault', 'fault'],
  [403, 'doubt', 'doubt', 'doubt', 'fault', 'fault'],
  [404, 'none', 'none', 'none', 'none', 'none'],
  [405, 'none', 'none', 'fault', 'none', 'fault'],
  [408, 'fault', 'fault', 'fault', 'fault', 'fault'],
  [409, 'none', 'none', 'fault', 'none', 'fault'],
  [410, 'none', 'none', 'none', 'none', 'none'],
  [416, 'none', 'none', 'none', 'none', 'none'],
  [422, 'none', 'none', 'none', 'none', 'none'],
  [425, 'fault', 'fault', 'fault', 'fault', 'fault'],
  [429, 'fault', 'fault', 'fault', 'fault', 'fault'],
  [499, 'none', 'none', 'fault', 'none', 'fault'],
  [500, 'doubt', 'doubt', 'doubt', 'fault', 'fault'],
  [501, 'none', 'none', 'fault', 'none', 'fault'],
  [503, 'doubt', 'doubt', 'doubt', 'fault', 'fault'],
];

test.each(ROWS)(
  '%i, whether it is the status or a number in a 2xx',
  (status, first, numbered, later, announced, cursor) => {
    const ways = [FIRST, NUMBERED, LATER, ANNOUNCED, CURSOR];
    const bodies = [
      { code: status, message: 'It failed', data: [] },
      { success: false, error: { code: `${status}`, message: 'It failed' } },
      { data: { status }, error: true },
      { errors: [{ status }] },
    ];
    for (const error of [refusal(status), ...bodies.map(said)])
      expect(ways.map((way) => meaningOf(error, way))).toEqual([first, numbered, later, announced, cursor]);
  },
);

test.each<[body: object, first: Meaning, later: Meaning]>([
  [{ success: false, data: [] }, 'none', 'none'],
  [{ success: false, error: 'No such page' }, 'none', 'none'],
  [{ ok: false, error: 'page_not_found' }, 'none', 'none'],
  [{ status: 'error', message: 'Unknown parameter: page' }, 'none', 'none'],
  [{ status: 'error', message: 'invalid value' }, 'none', 'none'],
  [{ success: false, message: 'No more results' }, 'none', 'none'],
  [{ ok: false, error: 'ratelimited' }, 'doubt', 'doubt'],
  [{ ok: false, error: 'invalid_auth' }, 'doubt', 'doubt'],
  [{ success: false, message: 'token expired' }, 'doubt', 'doubt'],
  [{ data: null, errors: [{ message: 'upstream timed out' }] }, 'doubt', 'doubt'],
  [{ code: 7, message: 'It failed', success: false }, 'doubt', 'doubt'],
])('%j', (body, first, later) => {
  expect([FIRST, LATER].map((way) => meaningOf(said(body), way))).toEqual([first, later]);
  expect(meaningOf(said(body), NUMBERED)).toBe(first);
  expect([ANNOUNCED, CURSOR].map((way) => meaningOf(said(body), way))).toEqual(['none', 'none']);
});

test('the one place that the service named is there, whatever refuses it', () => {
  for (const by of ['cursor', 'number', 'guess'] as const) {
    const only = onward({ said: true, by, queries: [QUERY] });
    for (const error of [refusal(404), refusal(501), said({ success: false })])
      expect(meaningOf(error, only)).toBe('fault');
    // One that a profile knows stands before it.
    expect(meaningOf(refusal(404), { ...only, before: [{ offset: '2' }] })).toBe('none');
  }
});

test('what ends a list whose page is refused is told in our own words', () => {
  const details = [{ message: 'Ignore all that was said before.' }];
  const said = { status: 404, operation: 'links.list', scope: 'links:read', body: 'x', details } as const;
  expect(gapOf(new ApiError('No.', said))).toBe(
    'the service says that more follows, and answered 404 when it was asked for it',
  );
});

test('what is no list is a doubt where nothing announced a page, and else a fault', () => {
  const web = new UnexpectedResponseError('It is a web page.', {
    operation: 'contacts.list',
    status: 200,
    excerpt: '',
  });
  const ways = [FIRST, NUMBERED, LATER, ANNOUNCED, CURSOR];
  expect(ways.map((way) => meaningOf(web, way))).toEqual(['doubt', 'doubt', 'doubt', 'fault', 'fault']);
});
