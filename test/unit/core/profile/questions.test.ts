/** What each question about what is read makes of what was learned: the verdict, and the sentence that a person reads. */
import { expect, test } from 'vitest';
import type { ListProfile, OperationProfile, ResponseShape, ServiceProfile } from '../../../../src/index.ts';
import { texts } from '../../../core/texts.ts';
import { answer, form, judged } from '../../../support/judged.ts';

const list = (more: Partial<ListProfile> = {}): { 'links.list': OperationProfile } => ({
  'links.list': { response: answer(), list: { at: ['data'], size: {}, query: {}, ...more } },
});
const links = (more: Partial<ListProfile>) => ({ operations: list(more) });
const next = (more: Partial<NonNullable<ListProfile['next']>>): { next: NonNullable<ListProfile['next']> } => ({
  next: { by: 'cursor', params: ['cursor'], ...more },
});
const download = (more: Partial<NonNullable<ServiceProfile['facts']['download']>>) => ({
  facts: { download: { by: 'url' as const, status: 200, ...more } },
});
const refused = (more: Partial<ResponseShape>) => answer({ status: 400, seen: 0, ...more });
const CASES: [string, Partial<ServiceProfile>, string][] = [
  ['list-envelope', {}, 'unseen: No list was read.'],
  ['list-envelope', links({ at: [] }), 'confirmed: 1 list; items in `the top level`.'],
  ['list-envelope', links({ at: ['Data', 'links'] }), 'confirmed: 1 list; items in `Data.links`.'],
  ['list-envelope', links({ at: ['harvest'] }), 'other: 1 list; items in `harvest`.'],
  ['workspace-name', {}, 'unseen: No response names it.'],
  ['workspace-name', { resources: { link: form('id') } }, 'unseen: No response names it.'],
  ['workspace-name', { resources: { link: form('workspace_id') } }, 'confirmed: The workspace: `workspace_id`.'],
  [
    'workspace-name',
    { operations: { 'links.list': { response: answer({ body: form('workspace_name') }) } } },
    'confirmed: The workspace: `workspace_name`.',
  ],
  ['next-page', links({}), texts.unseenListHadMore],
  ['next-page', links(next({ by: 'none', params: [] })), 'confirmed: Lists are not paginated.'],
  [
    'next-page',
    links(next({ at: ['meta', 'next_cursor'] })),
    'confirmed: By cursor: `meta.next_cursor` names the next page, requested with `cursor`.',
  ],
  [
    'next-page',
    links(next({ by: 'url', header: 'link', params: [] })),
    'confirmed: By url: the header `link` names the next page, requested as is.',
  ],
  [
    'next-page',
    links(next({ by: 'page', params: ['page'], first: 0 })),
    'confirmed: By page: no field names the next page, requested with `page`, counted from 0.',
  ],
  [
    'next-page',
    links(next({ by: 'page', params: ['/'] })),
    'confirmed: By page: no field names the next page, requested with `/`.',
  ],
  [
    'next-page',
    links(next({ by: 'cursor', params: ['bookmark_of_mine'] })),
    'other: By cursor: no field names the next page, requested with `bookmark_of_mine`.',
  ],
  ['more-follows', links({}), texts.unseenListHadMore],
  ['more-follows', links(next({})), texts.confirmedFieldNextPage],
  [
    'more-follows',
    links({ ...next({}), more: { at: ['meta', 'has_more'], means: true } }),
    texts.confirmedMetaMoreTrue,
  ],
  ['more-follows', links({ ...next({}), more: { at: ['rest'], means: 'yes' } }), texts.otherRestYesThere],
  ['list-total', {}, 'unseen: No list was read.'],
  ['list-total', links({}), texts.unseenFieldHoldsTotal],
  ['list-total', links({ total: ['meta', 'total'] }), 'confirmed: `meta.total` holds the total.'],
  ['list-total', links({ total: ['all_of_them'] }), 'other: `all_of_them` holds the total.'],
  ['page-size', {}, texts.unseenListLongEnough],
  ['page-size', links({}), texts.unseenListLongEnough],
  [
    'page-size',
    links({ size: { default: 20, max: 100, param: 'limit' } }),
    'confirmed: Page size: set with `limit`, default 20, maximum 100.',
  ],
  [
    'page-size',
    links({ size: { default: 37, param: 'per_page' } }),
    'other: Page size: set with `per_page`, default 37.',
  ],
  [
    'page-size',
    links({ size: { default: 3, max: 50, param: 'per_page' } }),
    'confirmed: Page size: set with `per_page`, default 3, maximum 50.',
  ],
  ['page-size', links({ size: { max: 50 } }), 'other: Page size: no usual parameter sets it, maximum 50.'],
  ['no-such-page', {}, 'unseen: It was not tried.'],
  ['no-such-page', { rejections: { badQuery: refused({ status: 422 }) } }, 'confirmed: Rejected with 422.'],
  ['no-such-page', { rejections: { badQuery: refused({ status: 409 }) } }, 'other: Rejected with 409.'],
  [
    'no-such-page',
    { ...links({ size: { param: 'limit' } }), rejections: { badBody: answer({ seen: 2 }) } },
    texts.confirmedInvalidValueIgnored,
  ],
  ['no-such-page', links({ size: { param: 'limit' } }), texts.confirmedInvalidValueIgnored],
  ['filters', {}, texts.unseenListsHadToo],
  [
    'filters',
    links({ query: { q: 'narrows', search: 'refused' } }),
    'confirmed: `q` filters the list. Rejected: `search`.',
  ],
  [
    'filters',
    links({ query: { q: 'ignored', search: 'refused', 'elsewhere=1': 'narrows' } }),
    'missing: None of `q`, `search` filters the list. Rejected: `search`.',
  ],
  ['since', links({ query: { since: 'narrows' } }), 'confirmed: `since` filters the list.'],
  ['since', links({ query: { created_after: 'ignored' } }), 'missing: None of `created_after` filters the list.'],
  [
    'sorting',
    links({ query: { 'sort=created_at': 'sorts' }, order: 'newest' }),
    'confirmed: `sort=created_at` sorts the list. Default order: newest first.',
  ],
  ['sorting', links({ query: { 'sort=created_at': 'ignored' } }), 'missing: None of `sort=created_at` sorts the list.'],
  ['item-envelope', {}, texts.unseenSingleObjectRead],
  [
    'item-envelope',
    { operations: { 'templates.get': { response: answer(), item: [] } } },
    'confirmed: Path of the object: `the top level`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { response: answer(), item: ['template'] } } },
    'confirmed: Path of the object: `template`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { response: answer(), item: ['Template'] } } },
    'confirmed: Path of the object: `Template`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { response: answer(), item: ['payload_of'] } } },
    'other: Path of the object: `payload_of`.',
  ],
  ['ids', { resources: { link: form('Id') } }, 'confirmed: The ID: `Id`.'],
  ['ids', { resources: { link: form('handle') }, facts: { ids: 'uuid' } }, texts.otherIdNoneAssumed],
  ['download', {}, texts.unseenThereAgreementRead],
  [
    'download',
    download({ at: ['data', 'download_url'], sameOrigin: false, ttlSeconds: 900 }),
    'confirmed: By url (200) in `data.download_url`, on another origin, valid for 900 s.',
  ],
  ['download', download({ at: ['place'], sameOrigin: true }), 'other: By url (200) in `place`, on the API’s origin.'],
  ['download', download({ by: 'redirect', status: 302 }), 'confirmed: By redirect (302).'],
  [
    'download',
    {
      ...download({ by: 'bytes' }),
      operations: { 'agreements.document': { response: answer({ body: form('FileName') }) } },
    },
    'confirmed: By bytes (200). Related fields: `FileName`.',
  ],
  ['metrics', {}, texts.unseenSuchObjectObserved],
  [
    'metrics',
    { resources: { 'analytics.link': { type: 'object', properties: { totals: form('views') } } } },
    'confirmed: Metrics: 2 of 10 found, as `views`.',
  ],
  [
    'metrics',
    { resources: { 'analytics.link': form('glances') } },
    'missing: Metrics: 0 of 10 found. Fields: `glances`.',
  ],
  [
    'metric-lists',
    { resources: { 'analytics.link': form('pages', 'visitors') } },
    'confirmed: Lists: 2 of 3 found, as `pages`, `visitors`.',
  ],
  ['visits', { resources: { visitor: form('visit_ids') } }, 'confirmed: Visits: `visit_ids`.'],
  ['visits', { resources: { visitor: form('id') } }, texts.otherVisitsNoneAssumed],
  ['billing', { resources: { subscription: form('plan') } }, 'confirmed: Billing: 1 of 21 found, as `plan`.'],
];

test.each(CASES)('%s of %j', (name, learned, said) => {
  expect(judged(name, learned)).toBe(said);
});
