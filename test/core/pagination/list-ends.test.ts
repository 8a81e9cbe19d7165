/** When a list ends, whether it is complete, and how many requests it takes. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createClient, type TransportRequest } from '../../../src/index.ts';
import { texts } from '../texts.ts';

const all = Array.from({ length: 7 }, (_, at) => ({ id: `c${at}` }));
const nameless = all.map((_, at) => ({ name: `n${at}` }));
const from = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);

/** How a service pages, the expected result, and the expected number of requests. */
interface Case {
  readonly answer: (query: URLSearchParams, ask: number) => unknown;
  readonly items?: number;
  readonly requests: number;
  readonly fails?: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'a bare array': { answer: () => all, items: 7, requests: 1 },
  'a cursor until null': {
    answer: (query) => {
      const at = from(query, 'cursor');
      return { data: all.slice(at, at + 3), next_cursor: at + 3 < 7 ? String(at + 3) : null };
    },
    items: 7,
    requests: 3,
  },
  'a cursor, and items without IDs': {
    answer: (query) => {
      const at = from(query, 'cursor');
      return { data: nameless.slice(at, at + 3), next_cursor: at + 3 < 7 ? String(at + 3) : null };
    },
    items: 7,
    requests: 3,
  },
  'a cursor, and equal items without IDs': {
    answer: (query) => {
      const at = from(query, 'cursor');
      return { data: [{ name: 'x' }, { name: 'x' }], next_cursor: at + 2 < 6 ? String(at + 2) : null };
    },
    items: 6,
    requests: 3,
  },
  'has_more: false, despite a cursor': {
    answer: () => ({ data: all, has_more: false, next_cursor: 'x' }),
    items: 7,
    requests: 1,
  },
  'offset and total': {
    answer: (query) => {
      const at = from(query, 'offset');
      return { data: all.slice(at, at + 3), offset: at, limit: 3, total: 7 };
    },
    items: 7,
    requests: 3,
  },
  'page and pages': {
    answer: (query) => {
      const page = Number(query.get('page') ?? 1);
      return { data: all.slice((page - 1) * 3, page * 3), page, total_pages: 3 };
    },
    items: 7,
    requests: 3,
  },
  'a cursor that never changes': {
    answer: () => ({ data: all.slice(0, 3), next_cursor: 'same' }),
    items: 3,
    // Once for each parameter name that a cursor may have.
    requests: 7,
    fails: /same page again|same cursor again/,
  },
  [texts.cursorEmptyPageLeads]: {
    answer: (query) => ({ data: query.has('cursor') ? [] : all, next_cursor: 'end' }),
    items: 7,
    requests: 2,
  },
  'a total that is never reached': {
    answer: (query) => ({ data: from(query, 'offset') > 0 ? [] : all.slice(0, 3), total: 7 }),
    items: 3,
    requests: 0,
    fails: /7/,
  },
};

test.each(Object.entries(CASES))('%s', async (_, { answer, items, requests, fails }) => {
  const asked: string[] = [];
  const transport = async ({ url }: TransportRequest) => {
    asked.push(url);
    if (asked.length > 30) throw new Error('a list without end');
    const body = JSON.stringify(answer(new URL(url).searchParams, asked.length));
    return { status: 200, headers: {}, body: Readable.from([Buffer.from(body)]) };
  };
  const client = createClient({ apiKey: 'list-ends', baseUrl: 'https://docs.test/api/v1', transport });
  const came: unknown[] = [];
  const walk = async () => {
    for await (const item of client.contacts.list()) came.push(item);
  };
  if (fails) await expect(walk()).rejects.toThrow(fails);
  else await walk();
  expect(came).toHaveLength(items ?? 0);
  if (requests > 0) expect(asked, asked.join(' ')).toHaveLength(requests);
});
