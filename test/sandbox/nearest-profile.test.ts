/** From what was learned back to the switches: what the sandbox answers under a setting leads to that setting. */
import { expect, test } from 'vitest';
import { Rejection } from '../../sandbox/base/rejection.ts';
import { findClosestProfile, resolveProfile, type SandboxProfile, SWITCHES } from '../../sandbox/index.ts';
import { renderRejection } from '../../sandbox/render/error-response.ts';
import { renderList } from '../../sandbox/render/list-response.ts';
import { pagingPreset } from '../../sandbox/render/paging-rules.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { answerOf, NOTHING_LEARNED } from '../support/form-of.ts';

type Listed = NonNullable<ServiceProfile['operations']['rooms.list']>;

/** What a careful reader learns of a list of seven, by three. */
function listed(profile: SandboxProfile, at: readonly string[]): Listed {
  const entries = Array.from({ length: 7 }, (_, index) => ({ id: `id-${index}`, name: 'n' }));
  const page = (query: string) => {
    const url = new URL(`http://sandbox.invalid/api/v1/rooms${query}`);
    return renderList({ entries, name: 'rooms', url, profile });
  };
  const preset = pagingPreset(profile);
  return {
    response: answerOf(page('?limit=3'), page('?limit=7')),
    list: {
      at: [...at],
      next: preset?.next ?? { by: 'none', params: [] },
      size: { default: 25, max: 100, param: 'limit' },
      order: 'newest',
      query: { name: 'narrows', 'sort=-created_at': 'ignored' },
    },
  };
}

const PLACES: Readonly<Record<SandboxProfile['envelope'], readonly string[]>> = {
  data: ['data'],
  bare: [],
  items: ['items'],
  resource: ['rooms'],
  results: ['results'],
  nested: ['data', 'items'],
};

test.each(SWITCHES.paging.settings)('lists that page by %s are recognised, wherever they say so', (paging) => {
  for (const pagingLocation of SWITCHES.pagingLocation.settings) {
    const profile = resolveProfile({ paging, pagingLocation });
    const learned = { ...NOTHING_LEARNED, operations: { 'rooms.list': listed(profile, ['data']) } };
    const { pagingLocation: place, ...nearest } = findClosestProfile(learned);
    expect(nearest).toMatchObject({ paging, envelope: 'data', pageSize: '25', maxPageSize: '100' });
    expect(nearest).toMatchObject({ order: 'newest', listFilters: 'filters' });
    // Answers that have no such place say nothing about it.
    if (place !== undefined) expect(place).toBe(pagingLocation);
  }
});

test.each(SWITCHES.envelope.settings)('lists in the envelope %s are recognised', (envelope) => {
  for (const cursorName of SWITCHES.cursorName.settings) {
    const profile = resolveProfile({ envelope, cursorName });
    const learned = { ...NOTHING_LEARNED, operations: { 'rooms.list': listed(profile, PLACES[envelope]) } };
    const nearest = findClosestProfile(learned);
    expect(nearest.envelope).toBe(envelope);
    if (envelope !== 'bare') expect(nearest).toMatchObject({ paging: 'cursor', cursorName });
  }
});

const REASONS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'noRoute'] as const;

test.each(SWITCHES.errors.settings)('refusals of the form %s are recognised, with their statuses', (errors) => {
  const wanted = { errors, wrongKey: '403', missingScope: '404', unknownId: '410', badBody: '400' } as const;
  const refuse = (reason: (typeof REASONS)[number]) => {
    const details = reason === 'badBody' ? [{ field: 'email', message: 'is required' }] : [];
    return answerOf(renderRejection(new Rejection(reason, 'No.', details), resolveProfile(wanted)));
  };
  const refusals = Object.fromEntries(REASONS.map((reason) => [reason, refuse(reason)]));
  expect(findClosestProfile({ ...NOTHING_LEARNED, rejections: refusals })).toEqual(wanted);
});

test('known facts set their switches, and unknown facts set none', () => {
  const nearest = findClosestProfile({
    ...NOTHING_LEARNED,
    facts: {
      naming: 'kebab',
      ids: 'opaque',
      times: 'epoch-ms',
      nulls: 'omitted',
      requestId: null,
      removals: ['documents'],
      download: { by: 'redirect', status: 307, sameOrigin: false, ttlSeconds: 60 },
      uploadStart: { size: '{size}', filename: '{name}', content_type: '{type}' },
      upload: { headers: ['content-type'], sameOrigin: false, stored: 204, ttlSeconds: 179 },
      webhook: { target_url: '{url}', event: '{event}' },
      webhookSecret: ['signingSecret'],
      limit: { kind: 'bucket', counts: 'all', headers: [], hint: 'date' },
    },
  });
  expect(nearest).toEqual({
    dates: 'epoch-ms',
    nulls: 'omitted',
    requestId: 'none',
    undocumentedDeletes: 'all',
    download: 'redirect-307',
    uploadBody: 'filename+content_type+size',
    encryption: 'none',
    storageOrigin: 'other-port',
    uploadStatus: '204',
    urlTtlSeconds: '180',
    webhookBody: 'target_url+event',
    webhookSecretField: 'signing_secret',
    rateLimiter: 'bucket',
    rateLimitCounts: 'all',
    rateLimitHeaders: 'date',
  });
  expect(findClosestProfile(NOTHING_LEARNED)).toEqual({});
});
