/** Mapping of observations to switches: the responses under a setting lead back to that setting. */
import { expect, test } from 'vitest';
import { createSandbox, findClosestProfile, type SandboxProfileInput, SWITCHES } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { NOTHING_LEARNED } from '../support/create-profile.ts';
import { learnFrom } from '../support/learn-from.ts';

/** Enough for pages of 100. */
const CONTACTS = Array.from({ length: 130 }, (_, index) => ({
  email: `person${index}@example.com`,
  name: `P${index}`,
}));

async function findClosest(profile: SandboxProfileInput) {
  const sandbox = await closeAfterTest(
    createSandbox({ profile, fixtures: { contacts: CONTACTS }, seed: 1, clock: 'manual' }),
  );
  return findClosestProfile((await learnFrom(sandbox, { topics: ['lists', 'paging'] })).profile);
}

test.each(SWITCHES.paging.settings)('paging by %s is recognized, wherever the response contains it', async (paging) => {
  const pagingLocation = paging.length % 2 === 0 ? 'meta' : 'pagination';
  const { pagingLocation: place = pagingLocation, ...closest } = await findClosest({ paging, pagingLocation });
  const sizes = paging === 'none' ? {} : { pageSize: '25', maxPageSize: '100' };
  // Responses without this field say nothing about paging.
  expect({ place, ...closest }).toMatchObject({ place: pagingLocation, paging, envelope: 'data', ...sizes });
});

test.each(SWITCHES.envelope.settings)('the envelope %s of lists is recognized', async (envelope) => {
  const cursorName = envelope.length % 2 === 0 ? 'next_page_token' : 'end_cursor';
  const cursor = envelope === 'bare' ? {} : { paging: 'cursor', cursorName };
  expect(await findClosest({ envelope, cursorName })).toMatchObject({ envelope, ...cursor });
});

test('a bare list with the headers of several settings is paged by none of them', () => {
  const headers = { link: {}, 'x-total-count': {}, 'x-next-page': {}, 'x-next-cursor': {} };
  const response = { status: 200, media: 'application/json', headers, body: {}, seen: 1 };
  const operations = { 'rooms.list': { response, list: { at: [], size: {}, query: {} } } };
  expect(findClosestProfile({ ...NOTHING_LEARNED, operations })).not.toHaveProperty('paging');
});

test('known facts set their switches, and unknown facts set none', () => {
  const refusal = (status: number) => ({ status, media: null, headers: {}, seen: 1 });
  const list = (size: object) => ({ list: { at: ['data'], size, query: {} } });
  const nearest = findClosestProfile({
    ...NOTHING_LEARNED,
    // The most frequent size counts, and the first of equals.
    operations: {
      'documents.list': list({ default: 25, max: 100 }),
      'links.list': list({ default: 10, max: 25 }),
      'rooms.list': list({ default: 10 }),
    },
    facts: {
      naming: 'kebab',
      ids: 'opaque',
      times: 'epoch-ms',
      nulls: 'omitted',
      requestId: null,
      removals: ['documents'],
      download: { by: 'redirect', status: 307, sameOrigin: false },
      upload: { headers: ['content-type'], sameOrigin: false },
      webhookSecret: null,
      limit: { kind: 'burst', headers: [], hint: 'date' },
    },
    rejections: { noKey: refusal(403), missingScope: refusal(404), unknownId: refusal(410), badBody: refusal(499) },
  });
  expect(nearest).toEqual({
    envelope: 'data',
    pageSize: '10',
    maxPageSize: '100',
    dates: 'epoch-ms',
    nulls: 'omitted',
    requestId: 'none',
    undocumentedDeletes: 'all',
    encryption: 'none',
    storageOrigin: 'other-port',
    webhookSecretField: 'none',
    rateLimiter: 'burst',
    rateLimitHeaders: 'date',
    wrongKey: '403',
    missingScope: '404',
    unknownId: '410',
  });
  expect(findClosestProfile(NOTHING_LEARNED)).toEqual({});
});
