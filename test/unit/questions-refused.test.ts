/** The same of what is refused, written and delivered. */
import { expect, test } from 'vitest';
import type { ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { answer, form, judged } from '../support/judged.ts';

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

const CASES: [string, Partial<ServiceProfile>, string][] = [
  ['error-body', {}, 'unseen: No refusal was met.'],
  [
    'error-body',
    { rejections: { unknownId: refused({ media: null }), noRoute: refused({ media: 'text/html' }) } },
    'confirmed: Refusals are `no body`, `text/html`, not JSON.',
  ],
  [
    'error-body',
    {
      rejections: {
        unknownId: refused({ body: { type: 'object', properties: { error: form('message', 'code') } } }),
      },
    },
    'confirmed: Refusals are `application/json`; words under `error`, `message`, codes under `code`.',
  ],
  [
    'error-body',
    {
      rejections: {
        unknownId: refused({
          body: { type: 'object', properties: { errors: { type: 'array', items: form('detail') } } },
        }),
      },
    },
    'confirmed: Refusals are `application/json`; words under `errors`, `detail`, codes under none.',
  ],
  [
    'error-body',
    { rejections: { unknownId: refused({ body: { type: 'array', items: form('message') } }) } },
    'confirmed: Refusals are `application/json`; words under `message`, codes under none.',
  ],
  [
    'error-body',
    { rejections: { unknownId: refused({ body: form('moan') }) } },
    'other: Refusals are `application/json`; words under no assumed name, codes under none. Fields: `moan`.',
  ],
  ['error-details', {}, 'unseen: No bad input was refused.'],
  [
    'error-details',
    { rejections: { badBody: refused({ body: form('issues') }) } },
    'confirmed: Details stand under `issues`.',
  ],
  [
    'error-details',
    { rejections: { badBody: refused({ body: form('moan') }) } },
    'other: Bad input is refused without details that are known.',
  ],
  [
    'error-details',
    { rejections: { badBody: refused({ media: 'text/plain' }) } },
    'confirmed: Bad input is refused in plain words.',
  ],
  ['error-statuses', {}, 'unseen: No such refusal was met.'],
  [
    'error-statuses',
    { rejections: { unknownId: refused({ status: 404 }), conflict: refused({ status: 409 }) } },
    'confirmed: unknown id: 404, conflict: 409.',
  ],
  ['error-statuses', { rejections: { unknownId: refused({ status: 418 }) } }, 'other: unknown id: 418.'],
  [
    'error-statuses',
    { rejections: { unknownId: refused({ status: 404 }), badBody: refused({ status: 418 }) } },
    'other: unknown id: 404, bad input: 418.',
  ],
  [
    'key-refused',
    { rejections: { noKey: refused({ status: 401 }), wrongKey: refused({ status: 403 }) } },
    'confirmed: wrong key: 403, no key: 401.',
  ],
  ['key-refused', { rejections: { wrongKey: refused({ status: 404 }) } }, 'other: wrong key: 404.'],
  [
    'scope-refused',
    { scopes: { granted: ['links:read'], missing: [] } },
    'unseen: The key lacked no scope that was needed. The key was seen to have 1 scope.',
  ],
  [
    'scope-refused',
    {
      scopes: { granted: [], missing: ['links:write'] },
      rejections: { missingScope: refused({ status: 403 }) },
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
      rejections: { limited: refused({ status: 429 }) },
    },
    'other: fixed, 60 calls a minute, refused ones counted too; refused with 429.',
  ],
  ['upload-start', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  [
    'upload-start',
    { facts: { uploadStart: { fileName: '{name}', contentType: '{type}', size: '{size}' } } },
    'confirmed: It takes `fileName`, `contentType`, `size`.',
  ],
  [
    'upload-start',
    { facts: { uploadStart: { size: '{size}', contentType: '{type}', fileName: '{name}' } } },
    'confirmed: It takes `size`, `contentType`, `fileName`.',
  ],
  ['upload-start', { facts: { uploadStart: {} } }, 'confirmed: It takes an empty body.'],
  ['upload-storage', {}, 'unseen: --write was not given, or nothing of the kind could be removed again.'],
  ['upload-storage', upload({}), 'confirmed: Headers `content-type`, on another origin.'],
  [
    'upload-storage',
    upload({ sameOrigin: true, ttlSeconds: 300, stored: 200 }),
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
  [
    'bodies',
    {
      operations: {
        'contacts.create': { takes: form('email') },
        'rooms.create': { takes: form('mailbox_of') },
      },
    },
    'other: contacts.create: `email`; rooms.create: `mailbox_of`.',
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
