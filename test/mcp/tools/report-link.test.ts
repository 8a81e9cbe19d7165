import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Json, openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';
import { texts } from '../texts.ts';

test('joins totals, visitors and their visits', async () => {
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  const client = await closeAfterTest(createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url }));
  const host = await openHostOnSandbox(sandbox);
  const { id: document_id } = await client.upload(new Blob(['%PDF-1.4 x']), { name: 'Deck.pdf' });
  const { id } = await client.links.create({ document_id: String(document_id), email_required: true });
  for (const [name, seconds] of [
    ['ada', [5, 2]],
    ['ada', [7]],
    ['bob', [2]],
  ] as const)
    await sandbox.visit(String(id), { email: `${name}@example.com`, pages: [...seconds] });
  const { data } = await host.call('report_link', { id, detail: 'full' });
  expect(data['totals']).toMatchObject({ views: 3 });
  const visitors = data['visitors'] as { email: string; visits: Json[] }[];
  const brief = await host.call('report_link', { id });
  expect(brief.data).toMatchObject({
    totals: { views_per_page: '1: 3, 2: 1' },
    most_stop_after: { page: 1, views: 2, of_views: 3 },
  });
  expect(brief.data['visitors']).toContainEqual(
    expect.objectContaining({ email: 'ada@example.com', visit_count: 2, seconds_per_page: '1: 12, 2: 2' }),
  );
  expect(Object.fromEntries(visitors.map(({ email, visits }) => [email, visits.length]))).toEqual({
    'ada@example.com': 2,
    'bob@example.com': 1,
  });
  expect(data['partial']).toBeUndefined();
  expect(data['untrusted']).toContain('visitors.email');
  expect(data['document']).toMatchObject({ id: document_id, name: 'Deck.pdf' });
  const { id: second } = await client.links.create({ document_id: String(document_id), extra: { name: 'For Bob' } });
  await sandbox.visit(String(second), { email: 'bob@example.com', pages: [1, 1] });
  for (const target of [{ document_id }, { match: 'deck' }]) {
    const { data: joined } = await host.call('report_link', target);
    expect(joined, JSON.stringify(target)).toMatchObject({
      document: { id: document_id },
      totals: { views: 4, views_per_page: '1: 4, 2: 2' },
      most_stop_after: { page: 1, views: 2, of_views: 4 },
      links: expect.arrayContaining([expect.objectContaining({ id: second, name: 'For Bob' })]),
      visitors: expect.arrayContaining([expect.objectContaining({ link: 'For Bob', email: 'bob@example.com' })]),
    });
    expect(joined['visitors']).toHaveLength(3);
  }
  expect((await host.call('report_link', { match: 'for bob' })).data).toMatchObject({
    id: second,
    totals: { views: 1 },
  });
  expect((await host.call('report_link', { match: 'nothing' })).error).toMatchObject({ code: 'not_found' });
  expect((await host.call('report_link', { id, match: 'deck' })).error).toMatchObject({ code: 'invalid_arguments' });
});

const person = (id: string, more: object = {}) => ({ id, email: `${id}@a.example`, ...more });

interface Answers {
  readonly totals?: number;
  /** Items, or the status of an error. */
  readonly visitors?: readonly object[] | number;
  /** Other fields of the list of visitors. */
  readonly list?: object;
  readonly visits?: number;
}

/** Returns the report for a service with these responses. The totals are two views. */
async function report({ totals = 200, visitors = [], list = {}, visits = 200 }: Answers, args: Json = {}) {
  const host = await openHostOnService(({ path }) => {
    if (path === '/analytics/links/l1') return { status: totals, json: { views: 2 } };
    if (path.endsWith('/visitors'))
      return typeof visitors === 'number' ? { status: visitors, json: {} } : { json: { items: visitors, ...list } };
    return { status: visits, json: { id: path.split('/').at(-1), seconds: 5 } };
  });
  const outcome = await host.call('report_link', { id: 'l1', detail: 'full', ...args });
  return {
    ...outcome,
    requests: host.requests.length,
    visits: host.requests.filter(({ path }) => path.startsWith('/analytics/visits/')).length,
  };
}
const two = [person('p', { visit_ids: ['v1'] }), person('q', { visit_ids: ['v2'] })];
const many = Array.from({ length: 30 }, (_, at) => `v${at}`);
const crowd = Array.from({ length: 400 }, (_, at) => person(`p${at}`, { company: 'x'.repeat(200), visits: 0 }));

test.each<[string, Answers, object]>([
  [
    'the totals failed',
    { totals: 403, visitors: two },
    { visitors: [{}, {}], partial: 'the totals could not be read (permission_denied).' },
  ],
  [
    'the visitors failed',
    { visitors: 422 },
    { totals: { views: 2 }, partial: 'the visitors could not be read (invalid_input).' },
  ],
  [
    'visits failed',
    { visitors: two, visits: 403 },
    { totals: { views: 2 }, visitors: [{}, {}], partial: '2 of 2 visits were not read (permission_denied).' },
  ],
  [
    'there are more visitors',
    { visitors: Array.from({ length: 501 }, (_, at) => person(`p${at}`, { visits: 0 })) },
    { partial: expect.stringContaining('there are more visitors') },
  ],
  ['the service does not return all visitors', { list: { total: 9 } }, { partial: texts.serviceDidReturnAll }],
  ['without visits', { visitors: [person('p')], visits: 404 }, { partial: 'the service returned no visit IDs.' }],
  [
    'there are too many visitors for one result',
    { visitors: crowd },
    { partial: expect.stringMatching(/\d+ visitors did not fit/) },
  ],
])('says that %s, and keeps what it has', async (_, answers, expected) => {
  const { data, text } = await report(answers);
  expect(data, text).toMatchObject(expected);
  if (answers.totals) expect(data).not.toHaveProperty('totals');
  if (answers.visitors === 422) expect(data).not.toHaveProperty('visitors');
});

test.each([
  ['an invalid key', 401, { code: 'authentication_failed' }, 1],
  ['an unknown link', 404, { code: 'not_found', message: expect.stringContaining('list_links') }, 1],
  ['a key without read access', 403, { code: 'permission_denied' }, 2],
])('fails with %s', async (_, status, error, requests) => {
  expect(await report({ totals: status, visitors: status })).toMatchObject({ error, requests });
});

test('reads visit IDs from every usual field, and does not mistake a count of visits for an ID', async () => {
  const { data } = await report({
    visitors: [
      person('a', { visits: 3, last_visit_id: 'v1' }),
      person('b', { visits: [{ id: 'v2' }, 'v3'] }),
      person('c', { visits: 'v4' }),
      person('d', { visits: '2', visit_id: '77' }),
    ],
  });
  expect(data['partial']).toBeUndefined();
  const found = (data['visitors'] as { visits: { id: string }[] }[]).map(({ visits }) => visits.map(({ id }) => id));
  expect(found).toEqual([['v1'], ['v2', 'v3'], ['v4'], ['77']]);
});

test('reads as many visits as requested, and stops after the first failure', async () => {
  const visitors = [person('a', { visit_ids: many })];
  const { data } = await report({ visitors }, { visits: 7 });
  expect(data['partial']).toBe('23 of 30 visits were not read.');
  // Four reads run in parallel.
  expect((await report({ visitors, visits: 403 })).visits).toBe(4);
});

test('the review says if no link shows when it ends', async () => {
  const service = await openHostOnService(({ path }) => ({ json: path === '/links' ? [{ id: 'l' }] : [] }));
  expect((await service.call('review_exposure')).data['not_read']).toEqual([expect.stringContaining('links end')]);
});
