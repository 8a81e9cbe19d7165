/** Every pagination style, in every naming and location of its fields: 57 of 57 items, and no unnecessary request. */
import { expect, test } from 'vitest';
import { hasMovableFields, usesHeaders } from '../../../sandbox/profile/paging-preset.ts';
import { PAGING_PRESET_NAMES, PAGING_PRESETS } from '../../../sandbox/profile/paging-presets.ts';
import { DEFAULT_PROFILE, type SandboxProfile, SWITCHES } from '../../../sandbox/profile/switches.ts';
import { renderList } from '../../../sandbox/render/list-response.ts';
import { IncompleteListError } from '../../../src/index.ts';
import { ENTRIES } from '../../support/paging-oddities.ts';
import type { PublicApi, Response } from '../../support/public-api.ts';
import { BY_CURSOR } from '../../support/public-apis-by-cursor.ts';
import { BY_NUMBER } from '../../support/public-apis-by-number.ts';
import { createReplyingClient } from '../../support/replying-client.ts';

const BASE = 'https://docshare.test/api/v1';
const ALL = Array.from({ length: 57 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));
const WANTED = JSON.stringify(ALL);
/** Read in pages of 100, the last one with 57. */
const MANY = Array.from({ length: 257 }, (_, at) => ({ id: `c${at}`, name: `Contact ${at}` }));

/** @param options.ignoresSize the service returns pages of 25, whatever size is requested. */
function serve(profile: SandboxProfile, { entries = ALL, ignoresSize = true } = {}) {
  const asked: string[] = [];
  const { client } = createReplyingClient(({ url }) => {
    asked.push(url.slice(BASE.length));
    const { body, ...head } = answer(new URL(url));
    return { ...head, body: String(body) };
  });
  const answer = (url: URL) => {
    try {
      if (ignoresSize) url.searchParams.delete('limit');
      return renderList({ entries, name: 'contacts', url, profile });
    } catch (refusal) {
      return { status: 400, headers: {}, body: JSON.stringify({ error: String(refusal) }) };
    }
  };
  return { client, asked };
}

/** Pages of 25 items, the last one with seven; or pages of 100. */
const PAGES = 3;

test.each(PAGING_PRESET_NAMES)('pagination by %s gives 57 of 57 items', async (paging) => {
  const { extra = 0 } = PAGING_PRESETS[paging];
  // Fields in headers or in a URL have no other location: the responses would be the same.
  const placesIn = (envelope: SandboxProfile['envelope']) =>
    envelope === 'bare' || !hasMovableFields(PAGING_PRESETS[paging])
      ? SWITCHES.pagingLocation.settings.slice(0, 1)
      : SWITCHES.pagingLocation.settings;
  // Every naming with the first envelope; with each other envelope and location the namings take turns.
  const cases = SWITCHES.naming.settings;
  for (const [row, envelope] of SWITCHES.envelope.settings.entries()) {
    for (const [column, pagingLocation] of placesIn(envelope).entries()) {
      for (const naming of row + column === 0 ? cases : [cases[(row + column) % cases.length] ?? 'snake']) {
        const profile = { ...DEFAULT_PROFILE, paging, naming, pagingLocation, envelope };
        // A bare array pages by headers: by a Link header unless the style has its own.
        const bare = envelope === 'bare' && !usesHeaders(PAGING_PRESETS[paging]);
        for (const entries of row + column === 0 ? [ALL, MANY] : [ALL]) {
          const { client, asked } = serve(profile, { entries, ignoresSize: entries === ALL });
          const items = await client.contacts.list().collect();
          const where = `${naming} ${pagingLocation} ${envelope}: ${asked.join(' ')}`;
          expect(JSON.stringify(items), where).toBe(entries === ALL ? WANTED : JSON.stringify(MANY));
          expect(asked.length, where).toBe(PAGES + (bare ? 0 : extra));
        }
        const empty = serve(profile, { entries: [] });
        expect(await empty.client.contacts.list().collect(), `${naming} ${pagingLocation} ${envelope}`).toEqual([]);
      }
    }
  }
});

const SIZES = ['limit', 'per_page', 'page_size', 'size', 'PageSize', 'Page', 'q'];
const REJECTED: Response = { status: 400, body: { error: 'unknown parameter' } };

/** Requests to an API that ignores unknown parameters, and to one that rejects them, unless it is one per page. */
const REQUESTS: Readonly<Record<string, readonly [lenient: number, strict: number]>> = {
  Stripe: [3, 4],
  Notion: [6, 7],
  'Azure DevOps': [5, 6],
  'Azure Cosmos': [6, 7],
  'JSON:API offset': [8, 9],
  WordPress: [4, 4],
  PandaDoc: [4, 4],
  DocuSign: [4, 4],
  Mailchimp: [5, 4],
  Typeform: [4, 4],
  Spring: [4, 4],
  Elasticsearch: [7, 8],
  'Jira v3': [4, 5],
  'AWS NextToken': [6, 7],
  'AWS S3': [6, 7],
  'AWS DynamoDB': [1, 1],
  Dropbox: [4, 4],
  Discord: [6, 6],
  Salesforce: [1, 1],
  Intercom: [3, 6],
  X: [5, 6],
  Strapi: [7, 9],
  Directus: [4, 4],
  CouchDB: [6, 5],
  Heroku: [7, 8],
};

/** According to their documentation. */
const PUBLIC_APIS = Object.entries({ ...BY_CURSOR, ...BY_NUMBER }).map(([name, row]) => ({ name, ...row }));

async function read(api: PublicApi, isStrict: boolean) {
  const requests: string[] = [];
  const known = [...api.params, ...SIZES, ...Object.keys(api.input ?? {})];
  const { client } = createReplyingClient(({ url }) => {
    const { search, searchParams: query } = new URL(url);
    requests.push(search);
    const isRejected = isStrict && [...query.keys()].some((name) => !known.includes(name));
    const { body, ...head } = isRejected ? REJECTED : api.respond(query);
    return { ...head, body: JSON.stringify(body) };
  });
  const items: unknown = await client.documents
    .list({ ...api.input })
    .collect()
    .catch((error: unknown) => error);
  return { items, requests };
}

test.each(PUBLIC_APIS)('$name', async (api) => {
  const results = [await read(api, false), await read(api, true)];
  for (const { items, requests } of results) {
    if (api.isUnreadable) expect(items, requests.join(' ')).toBeInstanceOf(IncompleteListError);
    else expect(items, requests.join(' ')).toEqual(ENTRIES);
  }
  const counts = results.map(({ requests }) => requests.length);
  expect(counts, results.map(({ requests }) => requests.join(' ')).join('\n')).toEqual(
    REQUESTS[api.name] ?? [PAGES, PAGES],
  );
});

const cut = (at: number) => ENTRIES.slice(at, at + 20);
const at = (query: URLSearchParams, name: string) => Number(query.get(name)?.slice(1) ?? 0);

test('a next URL that does not accept the filter as well is requested alone after a 400', async () => {
  const respond = (query: URLSearchParams): Response => {
    if (query.has('cursor') && query.size > 1) return REJECTED;
    const from = at(query, 'cursor');
    return { body: { data: cut(from), next: from < 40 ? `/api/v1/documents?cursor=c${from + 20}` : null } };
  };
  const input = { status: 'open' };
  const { items, requests } = await read({ name: 'alone', params: ['cursor'], respond, input }, false);
  expect(items).toEqual(ENTRIES);
  expect(requests).toEqual([
    '?status=open&limit=100',
    '?status=open&cursor=c20&limit=100',
    '?cursor=c20',
    '?cursor=c40',
  ]);
});

test('a cursor of a strict service costs one request per page, plus one per wrong parameter name', async () => {
  const respond = (query: URLSearchParams): Response => {
    const from = at(query, 'cursor');
    const more = from + 10 < ENTRIES.length;
    return { body: { data: ENTRIES.slice(from, from + 10), next_cursor: more ? `c${from + 10}` : null } };
  };
  const { items, requests } = await read({ name: 'strict', params: ['cursor'], respond }, true);
  expect(items).toEqual(ENTRIES);
  expect(requests).toHaveLength(6);
});
