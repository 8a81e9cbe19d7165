/** Odd and broken services: every entry once, or an error that says that the list is incomplete and why. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLimiter, defineClient, IncompleteListError } from '../../src/index.ts';
import { BROKEN_ODDITIES, ENTRIES, type Oddity, SOUND_ODDITIES } from '../world/paging-oddities.ts';

function serve({ answer }: Pick<Oddity, 'answer'>) {
  const asked: string[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 1_000_000 }),
    retry: { retries: 0 },
    transport: async ({ url }) => {
      const { origin, pathname, searchParams } = new URL(url);
      expect(origin, 'the key stays at its origin').toBe('https://docshare.test');
      const {
        body,
        headers = {},
        status = 200,
      } = answer({ query: searchParams, path: pathname, index: asked.length });
      asked.push(pathname.slice('/api/v1'.length) + new URL(url).search);
      return { status, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
    },
  });
  return { client, asked };
}

test.each(Object.entries(SOUND_ODDITIES))('%s: every entry comes once, in order', async (_, oddity) => {
  const { client, asked } = serve(oddity);
  const items = await client.documents.list({ ...oddity.input }).collect();
  const all = oddity.entries ?? ENTRIES;
  expect(items, asked.join(' ')).toEqual(all);
  expect(asked.length, asked.join(' ')).toBe(oddity.requests);
});

test.each(Object.entries(BROKEN_ODDITIES))(
  '%s: the list stops with what was read and why',
  async (_, oddity) => {
    const { read = 0, reason = /./ } = oddity.stops ?? {};
    const { client, asked } = serve(oddity);
    const error = await client.documents
      .list()
      .collect()
      .catch((failure: unknown) => failure);
    if (!(error instanceof IncompleteListError))
      throw new Error(`no IncompleteListError: ${JSON.stringify(error)}`);
    expect({ read: error.read, items: error.items.length, operation: error.operation }).toEqual({
      read,
      items: read,
      operation: 'documents.list',
    });
    expect(error.reason).toMatch(reason);
    expect(asked.length, asked.join(' ')).toBe(oddity.requests);
    // An error in a log does not take the records there.
    expect(JSON.stringify(error)).not.toContain('"items"');
  },
);

test.each(Object.entries(BROKEN_ODDITIES))(
  '%s: accepted, it gives what there is, and says that it is not all',
  async (_, oddity) => {
    const { client } = serve(oddity);
    const accepted = client.documents.list({}, { incomplete: 'accept' });
    expect(await accepted.collect()).toHaveLength(oddity.stops?.read ?? 0);
    const again = serve(oddity).client.documents.list({}, { incomplete: 'accept' });
    const pages = [];
    for await (const page of again.pages()) pages.push(page);
    expect(pages.at(-1)).toMatchObject({
      complete: false,
      gap: expect.stringMatching(oddity.stops?.reason ?? /./),
    });
    expect(pages.slice(0, -1).every(({ complete }) => complete)).toBe(true);
  },
);
