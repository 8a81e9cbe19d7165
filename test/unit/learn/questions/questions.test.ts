import { expect, test } from 'vitest';
import type { ListProfile, OperationProfile, ResponseShape, ServiceProfile } from '../../../../src/index.ts';
import { NOTHING_LEARNED } from '../../../support/create-profile.ts';
import { answer, evaluateQuestion, form } from '../../../support/evaluate-question.ts';

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
const limit = (more: Partial<NonNullable<ServiceProfile['facts']['limit']>>) => ({
  facts: { limit: { headers: [], ...more } },
});
const event = (more: Partial<NonNullable<ServiceProfile['facts']['event']>>) => ({
  facts: { event: { body: form(), headers: {}, signature: 'none' as const, kinds: [], ...more } },
});
const upload = (more: Partial<NonNullable<ServiceProfile['facts']['upload']>>) => ({
  facts: { upload: { headers: ['content-type'], sameOrigin: false, ...more } },
});

/** Learned facts by question; `__snapshots__` has the sentence of each case. */
const CASES: Record<string, Partial<ServiceProfile>[]> = {
  'list-envelope': [{}, links({ at: [] }), links({ at: ['Data', 'links'] }), links({ at: ['harvest'] })],
  'workspace-name': [
    {},
    { resources: { link: form('id') } },
    { resources: { link: form('workspace_id') } },
    { operations: { 'links.list': { response: answer({ body: form('workspace_name') }) } } },
  ],
  'next-page': [
    links({}),
    links(next({ by: 'none', params: [] })),
    links(next({ at: ['meta', 'next_cursor'] })),
    links(next({ by: 'url', header: 'link', params: [] })),
    links(next({ by: 'page', params: ['page'], first: 0 })),
    links(next({ by: 'page', params: ['/'] })),
    links(next({ by: 'cursor', params: ['bookmark_of_mine'] })),
  ],
  'more-follows': [
    links({}),
    links(next({})),
    links({ ...next({}), more: { at: ['meta', 'has_more'], means: true } }),
    links({ ...next({}), more: { at: ['rest'], means: 'yes' } }),
  ],
  'list-total': [{}, links({}), links({ total: ['meta', 'total'] }), links({ total: ['all_of_them'] })],
  'page-size': [
    {},
    links({}),
    links({ size: { default: 20, max: 100, param: 'limit' } }),
    links({ size: { default: 37, param: 'per_page' } }),
    links({ size: { default: 3, max: 50, param: 'per_page' } }),
    links({ size: { max: 50 } }),
  ],
  'no-such-page': [
    {},
    { rejections: { badQuery: refused({ status: 422 }) } },
    { rejections: { badQuery: refused({ status: 409 }) } },
    { ...links({ size: { param: 'limit' } }), rejections: { badBody: answer({ seen: 2 }) } },
    links({ size: { param: 'limit' } }),
  ],
  filters: [
    {},
    links({ query: { q: 'narrows', search: 'refused' } }),
    links({ query: { q: 'ignored', search: 'refused', 'elsewhere=1': 'narrows' } }),
  ],
  since: [links({ query: { since: 'narrows' } }), links({ query: { created_after: 'ignored' } })],
  sorting: [
    links({ query: { 'sort=created_at': 'sorts' }, order: 'newest' }),
    links({ query: { 'sort=created_at': 'ignored' } }),
  ],
  'item-envelope': [
    {},
    { operations: { 'templates.get': { response: answer(), item: [] } } },
    { operations: { 'templates.get': { response: answer(), item: ['template'] } } },
    { operations: { 'templates.get': { response: answer(), item: ['Template'] } } },
    { operations: { 'templates.get': { response: answer(), item: ['payload_of'] } } },
  ],
  ids: [{ resources: { link: form('Id') } }, { resources: { link: form('handle') }, facts: { ids: 'uuid' } }],
  download: [
    {},
    download({ at: ['data', 'download_url'], sameOrigin: false, ttlSeconds: 900 }),
    download({ at: ['place'], sameOrigin: true }),
    download({ by: 'redirect', status: 302 }),
    {
      ...download({ by: 'bytes' }),
      operations: { 'agreements.document': { response: answer({ body: form('FileName') }) } },
    },
  ],
  metrics: [
    {},
    { resources: { 'analytics.link': { type: 'object', properties: { totals: form('views') } } } },
    { resources: { 'analytics.link': form('glances') } },
  ],
  'metric-lists': [{ resources: { 'analytics.link': form('pages', 'visitors') } }],
  visits: [{ resources: { visitor: form('visit_ids') } }, { resources: { visitor: form('id') } }],
  billing: [{ resources: { subscription: form('plan') } }],
  'error-body': [
    {},
    { rejections: { unknownId: refused({ media: null }), noRoute: refused({ media: 'text/html' }) } },
    {
      rejections: { unknownId: refused({ body: { type: 'object', properties: { error: form('message', 'code') } } }) },
    },
    {
      rejections: {
        unknownId: refused({
          body: { type: 'object', properties: { errors: { type: 'array', items: form('detail') } } },
        }),
      },
    },
    { rejections: { unknownId: refused({ body: { type: 'array', items: form('message') } }) } },
    { rejections: { unknownId: refused({ body: form('moan') }) } },
  ],
  'error-details': [
    {},
    { rejections: { badBody: refused({ body: form('issues') }) } },
    { rejections: { badBody: refused({ body: form('moan') }) } },
    { rejections: { badBody: refused({ media: 'text/plain' }) } },
  ],
  'error-statuses': [
    {},
    { rejections: { unknownId: refused({ status: 404 }), conflict: refused({ status: 409 }) } },
    { rejections: { unknownId: refused({ status: 418 }) } },
    { rejections: { unknownId: refused({ status: 404 }), badBody: refused({ status: 418 }) } },
  ],
  'key-refused': [
    { rejections: { noKey: refused({ status: 401 }), wrongKey: refused({ status: 403 }) } },
    { rejections: { wrongKey: refused({ status: 404 }) } },
  ],
  'scope-refused': [
    { scopes: { granted: ['links:read'], missing: [] } },
    { scopes: { granted: [], missing: ['links:write'] }, rejections: { missingScope: refused({ status: 403 }) } },
  ],
  'request-id': [
    {},
    { facts: { requestId: null } },
    { facts: { requestId: 'x-request-id' } },
    { facts: { requestId: 'x-my-own' } },
  ],
  'limit-headers': [
    {},
    limit({}),
    limit({ headers: ['x-ratelimit-reset'], calls: 120 }),
    limit({ headers: ['x-patience'] }),
  ],
  'limit-kind': [
    limit({}),
    limit({ kind: 'burst' }),
    { ...limit({ kind: 'burst', calls: 60 }), rejections: { limited: refused({ status: 429 }) } },
  ],
  'upload-start': [
    {},
    { facts: { uploadStart: { fileName: '{name}', contentType: '{type}', size: '{size}' } } },
    { facts: { uploadStart: { size: '{size}', contentType: '{type}', fileName: '{name}' } } },
    { facts: { uploadStart: {} } },
  ],
  'upload-storage': [
    {},
    upload({}),
    upload({ sameOrigin: true, ttlSeconds: 300, stored: 200 }),
    upload({ stored: 403 }),
    upload({ stored: 199 }),
  ],
  finalized: [{}, { operations: { 'documents.finalizeUpload': { response: answer({ body: form('document_id') }) } } }],
  bodies: [
    {},
    { operations: { 'contacts.create': { requestBody: form('email') }, 'rooms.create': {} } },
    { operations: { 'contacts.create': { requestBody: form('mailbox_of') } } },
    {
      operations: {
        'contacts.create': { requestBody: form('email') },
        'rooms.create': { requestBody: form('mailbox_of') },
      },
    },
  ],
  written: [
    {},
    {
      operations: {
        'links.create': { response: answer({ status: 201 }) },
        'links.delete': { response: answer({ status: 204, media: null }) },
      },
    },
  ],
  'webhook-body': [
    {},
    { facts: { webhook: { url: '{url}', event_types: ['{event}'] } } },
    { facts: { webhook: { ring: '{url}' } } },
  ],
  'webhook-secret': [
    {},
    { facts: { webhookSecret: null } },
    { facts: { webhookSecret: ['data', 'secret'] } },
    { facts: { webhookSecret: ['whisper'] } },
  ],
  'event-shape': [{}, event({ body: form('type', 'data'), kinds: ['link.viewed'] }), event({ body: form('noise') })],
  'event-signature': [{}, event({ signature: 'hex', signatureHeader: 'x-signature' }), event({ signature: 'unknown' })],
};

test('each question has a result and a sentence', async () => {
  const lines = Object.entries(CASES).flatMap(([name, cases]) => [
    `# ${name}`,
    ...cases.map((learned) => `${JSON.stringify(learned)}\n  ${evaluateQuestion(name, learned)}`),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/questions.txt');
});

test('a run with --write does not give the missing flag as a reason', () => {
  const { learned } = NOTHING_LEARNED;
  expect(evaluateQuestion('upload-start', { learned: { ...learned, mode: 'write' } })).not.toContain('--write');
});
