/** Pages of a list as they were read, and a service that gives them: for what walks through them. */

import { ApiError } from '../../src/errors.ts';
import { type PageFetcher, walkList } from '../../src/pagination/iterate.ts';
import type { PageCursor } from '../../src/pagination/next-page.ts';
import type { NextQuery } from '../../src/pagination/next-url.ts';
import type { Page, ParsedPage } from '../../src/pagination/page.ts';
import { standIn } from './stand-in.ts';

interface Given extends Partial<Omit<ParsedPage, 'page' | 'paginationInfo'>> {
  /** Where it leads; `c` stands for a cursor of the service. */
  readonly to?: string | Partial<PageCursor>;
  readonly gap?: string;
  /** The page and the offset that the answer says of itself. */
  readonly at?: { page?: number; offset?: number };
  /** What is new of it, where that is not all. */
  readonly fresh?: string;
  /** Entries have no ids. */
  readonly nameless?: true;
}

export const query = (cursor: string): NextQuery => ({ cursor });
export const onwardOf = (to: string | Partial<PageCursor>): PageCursor => ({
  queries: typeof to === 'string' ? [query(to)] : [],
  said: true,
  by: 'cursor',
  print: 'print of the page before',
  ...(typeof to === 'string' ? {} : to),
});

/** A page with an entry for each letter. */
export function read(letters: string, { to, gap, at = {}, fresh = letters, nameless, ...more }: Given = {}) {
  const onward = to === undefined ? undefined : onwardOf(to);
  const place = (number: number | undefined) => (number === undefined ? undefined : { at: number });
  return {
    page: {
      items: [...fresh].map((id) => ({ id })),
      nextQuery: onward?.queries[0],
      complete: gap === undefined,
      ...(gap === undefined ? {} : { incompleteReason: gap }),
      ...(onward ? { cursor: onward } : {}),
      raw: letters,
    },
    paginationInfo: standIn<ParsedPage['paginationInfo']>({ page: place(at.page), offset: place(at.offset) }),
    more: undefined,
    count: letters.length,
    ids: nameless ? undefined : [...letters],
    fingerprint: `print of ${letters}`,
    marks: [],
    ...more,
  } satisfies ParsedPage;
}

export const refusal = (status: number) =>
  new ApiError('No.', { status, operation: 'contacts.list', scope: 'contacts:read', body: '' });

export type Answers = Readonly<Record<string, ParsedPage | Error | undefined>>;

/** A service by the text of its queries, and what it was asked. */
export function serve(answers: Answers | ((ask: number) => ParsedPage)) {
  const asked: string[] = [];
  const known: string[] = [];
  const ask: PageFetcher = async (place) => {
    const name = Object.values(place?.query ?? {}).join();
    known.push([...(place?.known ?? [])].join(''));
    asked.push(name);
    if (asked.length > 2000) throw new Error('a walk without end');
    const answer = typeof answers === 'function' ? answers(asked.length) : answers[name];
    if (!answer) throw new Error(`asked for ${name}, which nothing leads to`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, asked, known };
}

/** A page in short: its entries, whether it leads on, and what it lacks. */
export const outline = ({ items, cursor, complete, incompleteReason, nextQuery }: Page<object>) =>
  [
    items.map((item) => Object.values(item).join('')).join(''),
    ...(cursor ? ['leads on'] : nextQuery ? ['names a next page, and no way'] : []),
    ...(complete ? [] : [incompleteReason ?? 'incomplete, without a word']),
    ...(complete && incompleteReason !== undefined ? ['complete, with a gap'] : []),
  ].join(': ');

export async function pagesOf(first: Parameters<typeof walkList>[0], ask: PageFetcher) {
  const pages: Page<object>[] = [];
  for await (const page of walkList(first, ask)) pages.push(page);
  return pages;
}

/** Two ways on that the service has not named. */
export const guesses = (more: Partial<PageCursor> = {}) => ({
  queries: [query('x'), query('y')],
  by: 'guess' as const,
  said: false,
  ...more,
});

/** A service, what a walk through it gives, and what it asks for. */
export interface WalkCase {
  readonly first: ParsedPage;
  readonly answers?: Answers;
  /** In outline. */
  readonly pages: readonly string[];
  /** The values of the queries. */
  readonly asked: readonly string[];
}

export const SAME_CURSOR = 'the service gave the same cursor again, and nothing new';
export const SAME_PAGE = 'the service says that more follows, and gives the same page again instead';
