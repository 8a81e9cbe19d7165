/** What each question makes of what was learned: the verdict, and the sentence that a person reads. */
import { expect, test } from 'vitest';
import { QUESTIONS } from '../../learn/questions/index.ts';
import type {
  LearnedAnswer,
  LearnedList,
  LearnedOperation,
  LearnedProfile,
} from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';

const NOTHING: LearnedProfile = {
  docshareProfile: 1,
  service: 'https://api.test/api/v1',
  learned: { at: '2026-11-21T00:00:00.000Z', by: 'docshare', calls: 0, mode: 'read' },
  scopes: { granted: [], missing: [] },
  facts: {},
  operations: {},
  resources: {},
  refusals: {},
};

const form = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' } as Schema])),
});
const answer = (more: Partial<LearnedAnswer> = {}): LearnedAnswer => ({
  status: 200,
  media: 'application/json',
  headers: {},
  seen: 1,
  ...more,
});
const list = (more: Partial<LearnedList> = {}): { 'links.list': LearnedOperation } => ({
  'links.list': { answer: answer(), list: { at: ['data'], size: {}, query: {}, ...more } },
});
const links = (more: Partial<LearnedList>) => ({ operations: list(more) });
const next = (
  more: Partial<NonNullable<LearnedList['next']>>,
): { next: NonNullable<LearnedList['next']> } => ({
  next: { by: 'cursor', params: ['cursor'], ...more },
});
const download = (more: Partial<NonNullable<LearnedProfile['facts']['download']>>) => ({
  facts: { download: { by: 'address' as const, status: 200, ...more } },
});
const refused = (more: Partial<LearnedAnswer>) => answer({ status: 400, seen: 0, ...more });
const limit = (more: Partial<NonNullable<LearnedProfile['facts']['limit']>>) => ({
  facts: { limit: { headers: [], ...more } },
});
const event = (more: Partial<NonNullable<LearnedProfile['facts']['event']>>) => ({
  facts: { event: { body: form(), headers: {}, signature: 'none' as const, kinds: [], ...more } },
});
const upload = (more: Partial<NonNullable<LearnedProfile['facts']['upload']>>) => ({
  facts: { upload: { headers: ['content-type'], sameOrigin: false, ...more } },
});

function judged(name: string, learned: Partial<LearnedProfile>) {
  const { verdict, seen } =
    QUESTIONS.find((one) => one.name === name)?.judge({ ...NOTHING, ...learned }) ?? {};
  return `${verdict}: ${seen}`;
}

const CASES: [string, Partial<LearnedProfile>, string][] = [
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
    links({ size: { usual: 20, most: 100, param: 'limit' } }),
    'confirmed: Page size: `limit` asks for it, 20 unless asked, 100 at most.',
  ],
  [
    'page-size',
    links({ size: { usual: 37, param: 'per_page' } }),
    'other: Page size: `per_page` asks for it, 37 unless asked.',
  ],
  [
    'page-size',
    links({ size: { usual: 3, most: 50, param: 'per_page' } }),
    'confirmed: Page size: `per_page` asks for it, 3 unless asked, 50 at most.',
  ],
  [
    'page-size',
    links({ size: { most: 50 } }),
    'other: Page size: no usual parameter changes it, 50 at most.',
  ],
  ['no-such-page', {}, 'unseen: It was not asked.'],
  ['no-such-page', { refusals: { badBody: refused({ status: 422 }) } }, 'confirmed: Refused with 422.'],
  ['no-such-page', { refusals: { badBody: refused({ status: 409 }) } }, 'other: Refused with 409.'],
  [
    'no-such-page',
    { ...links({ size: { param: 'limit' } }), refusals: { badBody: answer({ seen: 2 }) } },
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
    download({ at: ['data', 'download_url'], sameOrigin: false, life: 900 }),
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
  ['error-body', {}, 'unseen: No refusal was met.'],
  [
    'error-body',
    { refusals: { unknownId: refused({ media: null }), noRoute: refused({ media: 'text/html' }) } },
    'confirmed: Refusals are `no body`, `text/html`, not JSON.',
  ],
  [
    'error-body',
    {
      refusals: {
        unknownId: refused({ body: { type: 'object', properties: { error: form('message', 'code') } } }),
      },
    },
    'confirmed: Refusals are `application/json`; words under `error`, `message`, codes under `code`.',
  ],
  [
    'error-body',
    {
      refusals: {
        unknownId: refused({
          body: { type: 'object', properties: { errors: { type: 'array', items: form('detail') } } },
        }),
      },
    },
    'confirmed: Refusals are `application/json`; words under `errors`, `detail`, codes under none.',
  ],
  [
    'error-body',
    { refusals: { unknownId: refused({ body: { type: 'array', items: form('message') } }) } },
    'confirmed: Refusals are `application/json`; words under `message`, codes under none.',
  ],
  [
    'error-body',
    { refusals: { unknownId: refused({ body: form('moan') }) } },
    'other: Refusals are `application/json`; words under no assumed name, codes under none. Fields: `moan`.',
  ],
  ['error-details', {}, 'unseen: No bad input was refused.'],
  [
    'error-details',
    { refusals: { badBody: refused({ body: form('issues') }) } },
    'confirmed: Details stand under `issues`.',
  ],
  [
    'error-details',
    { refusals: { badBody: refused({ body: form('moan') }) } },
    'other: Bad input is refused without details that are known.',
  ],
  [
    'error-details',
    { refusals: { badBody: refused({ media: 'text/plain' }) } },
    'confirmed: Bad input is refused in plain words.',
  ],
  ['error-statuses', {}, 'unseen: No such refusal was met.'],
  [
    'error-statuses',
    { refusals: { unknownId: refused({ status: 404 }), conflict: refused({ status: 409 }) } },
    'confirmed: unknown id: 404, conflict: 409.',
  ],
  ['error-statuses', { refusals: { unknownId: refused({ status: 418 }) } }, 'other: unknown id: 418.'],
  [
    'key-refused',
    { refusals: { noKey: refused({ status: 401 }), wrongKey: refused({ status: 403 }) } },
    'confirmed: wrong key: 403, no key: 401.',
  ],
  ['key-refused', { refusals: { wrongKey: refused({ status: 404 }) } }, 'other: wrong key: 404.'],
  [
    'scope-refused',
    { scopes: { granted: ['links:read'], missing: [] } },
    'unseen: The key lacked no scope that was needed. The key was seen to have 1 scope.',
  ],
  [
    'scope-refused',
    {
      scopes: { granted: [], missing: ['links:write'] },
      refusals: { missingScope: refused({ status: 403 }) },
    },
    'confirmed: missing scope: 403. The key was seen to have 0 scopes and to lack `links:write`.',
  ],
  ['request-id', {}, 'unseen: No answer came.'],
  ['request-id', { facts: { requestId: null } }, 'confirmed: No header names a request.'],
  ['request-id', { facts: { requestId: 'x-request-id' } }, 'confirmed: `x-request-id` names a request.'],
  ['request-id', { facts: { requestId: 'x-my-own' } }, 'other: `x-my-own` names a request.'],
  ['limit-headers', {}, 'unseen: No answer came.'],
  ['limit-headers', limit({}), 'unseen: No answer spoke of the limit; a refusal was not met.'],
  [
    'limit-headers',
    limit({ headers: ['x-ratelimit-reset'], calls: 120 }),
    'confirmed: `x-ratelimit-reset`: 120 calls.',
  ],
  ['limit-headers', limit({ headers: ['x-patience'] }), 'other: `x-patience`.'],
  ['limit-kind', limit({}), 'unseen: --limit was not given.'],
  ['limit-kind', limit({ kind: 'sliding' }), 'confirmed: sliding.'],
  [
    'limit-kind',
    {
      ...limit({ kind: 'fixed', calls: 60, counts: 'all' }),
      refusals: { limited: refused({ status: 429 }) },
    },
    'other: fixed, 60 calls a minute, refused ones counted too; refused with 429.',
  ],
  ['upload-start', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'upload-start',
    { facts: { uploadStart: { fileName: '{name}', contentType: '{type}', size: '{size}' } } },
    'confirmed: It takes `fileName`, `contentType`, `size`.',
  ],
  ['upload-start', { facts: { uploadStart: {} } }, 'confirmed: It takes an empty body.'],
  ['upload-storage', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  ['upload-storage', upload({}), 'confirmed: Headers `content-type`, on another origin.'],
  [
    'upload-storage',
    upload({ sameOrigin: true, life: 300, stored: 200 }),
    'confirmed: Headers `content-type`, on the API’s own origin, for 300 s, stored with 200.',
  ],
  [
    'upload-storage',
    upload({ stored: 403 }),
    'other: Headers `content-type`, on another origin, stored with 403.',
  ],
  [
    'upload-storage',
    upload({ stored: 199 }),
    'other: Headers `content-type`, on another origin, stored with 199.',
  ],
  ['finalized', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'finalized',
    { operations: { 'documents.finalizeUpload': { answer: answer({ seen: 0 }) } } },
    'unseen: --write was not given, or nothing of the kind could be removed again.',
  ],
  [
    'finalized',
    { operations: { 'documents.finalizeUpload': { answer: answer({ body: form('document_id') }) } } },
    'confirmed: The document: `document_id`.',
  ],
  ['bodies', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'bodies',
    { operations: { 'contacts.create': { takes: form('email') }, 'rooms.create': {} } },
    'confirmed: contacts.create: `email`.',
  ],
  [
    'bodies',
    { operations: { 'contacts.create': { takes: form('mailbox_of') } } },
    'other: contacts.create: `mailbox_of`.',
  ],
  ['written', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'written',
    {
      operations: {
        'links.create': { answer: answer({ status: 201 }) },
        'links.delete': { answer: answer({ status: 204, media: null }) },
        'links.update': { answer: answer({ seen: 0 }) },
      },
    },
    'confirmed: links.create: 201, links.delete: 204 without a body.',
  ],
  ['webhook-body', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'webhook-body',
    { facts: { webhook: { url: '{url}', event_types: ['{event}'] } } },
    'confirmed: It takes `url`, `event_types`.',
  ],
  ['webhook-body', { facts: { webhook: { ring: '{url}' } } }, 'other: It takes `ring`.'],
  ['webhook-secret', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  ['webhook-secret', { facts: { webhookSecret: null } }, 'confirmed: The answer holds no secret.'],
  [
    'webhook-secret',
    { facts: { webhookSecret: ['data', 'secret'] } },
    'confirmed: The secret stands under `data.secret`.',
  ],
  ['webhook-secret', { facts: { webhookSecret: ['whisper'] } }, 'other: The secret stands under `whisper`.'],
  ['event-shape', {}, 'unseen: No event was delivered; --write --wait SECONDS waits for one.'],
  [
    'event-shape',
    event({ body: form('type', 'data'), kinds: ['link.viewed'] }),
    'confirmed: An event: `type`, `data`. Kinds: `link.viewed`.',
  ],
  [
    'event-shape',
    event({ body: form('noise') }),
    'other: An event stands under none of the assumed names; there are `noise`. Kinds: none that is assumed.',
  ],
  ['event-signature', {}, 'unseen: No event was delivered; --write --wait SECONDS waits for one.'],
  [
    'event-signature',
    event({ signature: 'hex', signatureHeader: 'x-signature' }),
    'confirmed: Signed by hex in `x-signature`.',
  ],
  ['event-signature', event({ signature: 'unknown' }), 'other: Signed by unknown.'],
];

test.each(CASES)('%s of %j', (name, learned, said) => {
  expect(judged(name, learned)).toBe(said);
});
