/** What each question about what is read makes of what was learned: the verdict, and the sentence that a person reads. */
import { expect, test } from 'vitest';
import type {
  LearnedList,
  OperationProfile,
  ResponseShape,
  ServiceProfile,
} from '../../src/profile/service-profile.ts';
import { answer, form, judged } from '../support/judged.ts';

const list = (more: Partial<LearnedList> = {}): { 'links.list': OperationProfile } => ({
  'links.list': { answer: answer(), list: { at: ['data'], size: {}, query: {}, ...more } },
});
const links = (more: Partial<LearnedList>) => ({ operations: list(more) });
const next = (
  more: Partial<NonNullable<LearnedList['next']>>,
): { next: NonNullable<LearnedList['next']> } => ({
  next: { by: 'cursor', params: ['cursor'], ...more },
});
const download = (more: Partial<NonNullable<ServiceProfile['facts']['download']>>) => ({
  facts: { download: { by: 'address' as const, status: 200, ...more } },
});
const refused = (more: Partial<ResponseShape>) => answer({ status: 400, seen: 0, ...more });
const CASES: [string, Partial<ServiceProfile>, string][] = [
  ['list-envelope', {}, 'unseen: No list was read.'],
  ['list-envelope', links({ at: [] }), 'confirmed: 1 list; entries under `the answer itself`.'],
  ['list-envelope', links({ at: ['Data', 'links'] }), 'confirmed: 1 list; entries under `Data.links`.'],
  ['list-envelope', links({ at: ['harvest'] }), 'other: 1 list; entries under `harvest`.'],
  [
    'list-envelope',
    { operations: { 'links.list': { answer: answer({ seen: 0 }), list: { at: [], size: {}, query: {} } } } },
    'unseen: No list was read.',
  ],
  ['workspace-name', {}, 'unseen: No answer names it.'],
  ['workspace-name', { resources: { link: form('id') } }, 'unseen: No answer names it.'],
  [
    'workspace-name',
    { resources: { link: form('workspace_id') } },
    'confirmed: The workspace: `workspace_id`.',
  ],
  [
    'workspace-name',
    { operations: { 'links.list': { answer: answer({ body: form('workspace_name') }) } } },
    'confirmed: The workspace: `workspace_name`.',
  ],
  ['next-page', links({}), 'unseen: No list was longer than a page.'],
  ['next-page', links(next({ by: 'none', params: [] })), 'confirmed: Lists come whole.'],
  [
    'next-page',
    links(next({ at: ['meta', 'next_cursor'] })),
    'confirmed: By cursor: `meta.next_cursor` in the answer says so, `cursor` asks for it.',
  ],
  [
    'next-page',
    links(next({ by: 'address', header: 'link', params: [] })),
    'confirmed: By address: the header `link` in the answer says so, and is asked for as it is.',
  ],
  [
    'next-page',
    links(next({ by: 'page', params: ['page'], first: 0 })),
    'confirmed: By page: nothing in the answer says so, `page` asks for it, counted from 0.',
  ],
  [
    'next-page',
    links(next({ by: 'page', params: ['/'] })),
    'confirmed: By page: nothing in the answer says so, `/` asks for it.',
  ],
  [
    'next-page',
    links(next({ by: 'cursor', params: ['bookmark_of_mine'] })),
    'other: By cursor: nothing in the answer says so, `bookmark_of_mine` asks for it.',
  ],
  ['more-follows', links({}), 'unseen: No list was longer than a page.'],
  ['more-follows', links(next({})), 'confirmed: No field says so; the way on itself does.'],
  [
    'more-follows',
    links({ ...next({}), more: { at: ['meta', 'has_more'], means: true } }),
    'confirmed: `meta.has_more`: true where more follows.',
  ],
  [
    'more-follows',
    links({ ...next({}), more: { at: ['rest'], means: 'yes' } }),
    'other: `rest`: "yes" where more follows.',
  ],
  ['list-total', {}, 'unseen: No list was read.'],
  ['list-total', links({}), 'unseen: No field counts all entries.'],
  ['list-total', links({ total: ['meta', 'total'] }), 'confirmed: `meta.total` counts all entries.'],
  ['list-total', links({ total: ['all_of_them'] }), 'other: `all_of_them` counts all entries.'],
  ['page-size', {}, 'unseen: No list was long enough to tell.'],
  ['page-size', links({}), 'unseen: No list was long enough to tell.'],
  [
    'page-size',
    links({ size: { usual: 20, max: 100, param: 'limit' } }),
    'confirmed: Page size: `limit` asks for it, 20 unless asked, 100 at most.',
  ],
  [
    'page-size',
    links({ size: { usual: 37, param: 'per_page' } }),
    'other: Page size: `per_page` asks for it, 37 unless asked.',
  ],
  [
    'page-size',
    links({ size: { usual: 3, max: 50, param: 'per_page' } }),
    'confirmed: Page size: `per_page` asks for it, 3 unless asked, 50 at most.',
  ],
  ['page-size', links({ size: { max: 50 } }), 'other: Page size: no usual parameter changes it, 50 at most.'],
  ['no-such-page', {}, 'unseen: It was not asked.'],
  ['no-such-page', { rejections: { badBody: refused({ status: 422 }) } }, 'confirmed: Refused with 422.'],
  ['no-such-page', { rejections: { badBody: refused({ status: 409 }) } }, 'other: Refused with 409.'],
  [
    'no-such-page',
    { ...links({ size: { param: 'limit' } }), rejections: { badBody: answer({ seen: 2 }) } },
    'unseen: It was not asked.',
  ],
  [
    'no-such-page',
    links({ size: { param: 'limit' } }),
    'confirmed: The parameter is ignored where it makes no sense.',
  ],
  ['filters', {}, 'unseen: There were not enough entries to tell.'],
  [
    'filters',
    links({ query: { q: 'narrows', search: 'refused' } }),
    'confirmed: `q` narrows the list. Refused: `search`.',
  ],
  [
    'filters',
    links({ query: { q: 'ignored', search: 'refused', 'elsewhere=1': 'narrows' } }),
    'other: None of `q`, `search` changes what comes. Refused: `search`.',
  ],
  ['since', links({ query: { since: 'narrows' } }), 'confirmed: `since` narrows the list.'],
  [
    'since',
    links({ query: { created_after: 'ignored' } }),
    'other: None of `created_after` changes what comes.',
  ],
  [
    'sorting',
    links({ query: { 'sort=created_at': 'sorts' }, order: 'newest' }),
    'confirmed: `sort=created_at` sorts the list. Lists begin with the newest.',
  ],
  [
    'sorting',
    links({ query: { 'sort=created_at': 'ignored' } }),
    'other: None of `sort=created_at` changes what comes.',
  ],
  ['item-envelope', {}, 'unseen: No single object was read.'],
  [
    'item-envelope',
    { operations: { 'templates.get': { answer: answer(), item: [] } } },
    'confirmed: Objects stand under `the answer itself`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { answer: answer(), item: ['template'] } } },
    'confirmed: Objects stand under `template`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { answer: answer(), item: ['Template'] } } },
    'confirmed: Objects stand under `Template`.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { answer: answer({ seen: 0 }), item: ['payload_of'] } } },
    'unseen: No single object was read.',
  ],
  [
    'item-envelope',
    { operations: { 'templates.get': { answer: answer(), item: ['payload_of'] } } },
    'other: Objects stand under `payload_of`.',
  ],
  ['ids', { resources: { link: form('Id') } }, 'confirmed: The id: `Id`.'],
  [
    'ids',
    { resources: { link: form('handle') }, facts: { ids: 'uuid' } },
    'other: The id stands under none of the assumed names; there are `handle`. Ids are uuid.',
  ],
  ['download', {}, 'unseen: No agreement was there to ask for.'],
  [
    'download',
    download({ at: ['data', 'download_url'], sameOrigin: false, ttlSeconds: 900 }),
    'confirmed: By address (200) under `data.download_url`, on another origin, for 900 s.',
  ],
  [
    'download',
    download({ at: ['place'], sameOrigin: true }),
    'other: By address (200) under `place`, on the API’s own origin.',
  ],
  ['download', download({ by: 'redirect', status: 302 }), 'confirmed: By redirect (302).'],
  [
    'download',
    {
      ...download({ by: 'bytes' }),
      operations: { 'agreements.document': { answer: answer({ body: form('FileName') }) } },
    },
    'confirmed: By bytes (200). Beside it: `FileName`.',
  ],
  ['figures', {}, 'unseen: No such object was seen.'],
  [
    'figures',
    { resources: { 'analytics.link': { type: 'object', properties: { totals: form('views') } } } },
    'confirmed: Figures: 2 of 10 found, as `views`.',
  ],
  [
    'figures',
    { resources: { 'analytics.link': form('glances') } },
    'other: Figures: 0 of 10 found; there are `glances`.',
  ],
  [
    'figure-lists',
    { resources: { 'analytics.link': form('pages', 'visitors') } },
    'confirmed: Lists: 2 of 3 found, as `pages`, `visitors`.',
  ],
  ['visits', { resources: { visitor: form('visit_ids') } }, 'confirmed: Visits: `visit_ids`.'],
  [
    'visits',
    { resources: { visitor: form('id') } },
    'other: Visits stands under none of the assumed names; there are `id`.',
  ],
  ['billing', { resources: { subscription: form('plan') } }, 'confirmed: Billing: 1 of 21 found, as `plan`.'],
];

test.each(CASES)('%s of %j', (name, learned, said) => {
  expect(judged(name, learned)).toBe(said);
});
