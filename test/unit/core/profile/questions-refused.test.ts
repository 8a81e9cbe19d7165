/** The same of what is refused, written and delivered. */
import { expect, test } from 'vitest';
import type { ResponseShape, ServiceProfile } from '../../../../src/index.ts';
import { texts } from '../../../core/texts.ts';
import { NOTHING_LEARNED } from '../../../support/form-of.ts';
import { answer, form, judged } from '../../../support/judged.ts';

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
  ['error-body', {}, 'unseen: No error was observed.'],
  [
    'error-body',
    { rejections: { unknownId: refused({ media: null }), noRoute: refused({ media: 'text/html' }) } },
    'confirmed: Errors are `no body`, `text/html`, not JSON.',
  ],
  [
    'error-body',
    {
      rejections: { unknownId: refused({ body: { type: 'object', properties: { error: form('message', 'code') } } }) },
    },
    'confirmed: Errors are `application/json`; message in `error`, `message`, code in `code`.',
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
    'confirmed: Errors are `application/json`; message in `errors`, `detail`, code in no assumed field.',
  ],
  [
    'error-body',
    { rejections: { unknownId: refused({ body: { type: 'array', items: form('message') } }) } },
    'confirmed: Errors are `application/json`; message in `message`, code in no assumed field.',
  ],
  [
    'error-body',
    { rejections: { unknownId: refused({ body: form('moan') }) } },
    'missing: Errors are `application/json`; message in no assumed field, code in no assumed field. Fields: `moan`.',
  ],
  ['error-details', {}, texts.unseenInvalidInputRejected],
  [
    'error-details',
    { rejections: { badBody: refused({ body: form('issues') }) } },
    'confirmed: Details are in `issues`.',
  ],
  ['error-details', { rejections: { badBody: refused({ body: form('moan') }) } }, texts.otherErrorsAboutInvalid],
  ['error-details', { rejections: { badBody: refused({ media: 'text/plain' }) } }, texts.confirmedErrorsAboutInvalid],
  ['error-statuses', {}, texts.unseenSuchErrorObserved],
  [
    'error-statuses',
    { rejections: { unknownId: refused({ status: 404 }), conflict: refused({ status: 409 }) } },
    'confirmed: unknown ID: 404, conflict with the current state: 409.',
  ],
  ['error-statuses', { rejections: { unknownId: refused({ status: 418 }) } }, 'other: unknown ID: 418.'],
  [
    'error-statuses',
    { rejections: { unknownId: refused({ status: 404 }), badBody: refused({ status: 418 }) } },
    'other: unknown ID: 404, invalid body: 418.',
  ],
  [
    'key-refused',
    { rejections: { noKey: refused({ status: 401 }), wrongKey: refused({ status: 403 }) } },
    'confirmed: invalid API key: 403, no API key: 401.',
  ],
  ['key-refused', { rejections: { wrongKey: refused({ status: 404 }) } }, 'other: invalid API key: 404.'],
  ['scope-refused', { scopes: { granted: ['links:read'], missing: [] } }, texts.unseenKeyHadEvery],
  [
    'scope-refused',
    { scopes: { granted: [], missing: ['links:write'] }, rejections: { missingScope: refused({ status: 403 }) } },
    'confirmed: missing scope: 403. The key has 0 known scopes and lacks `links:write`.',
  ],
  ['request-id', {}, 'unseen: No response was received.'],
  ['request-id', { facts: { requestId: null } }, texts.confirmedHeaderHoldsRequest],
  ['request-id', { facts: { requestId: 'x-request-id' } }, 'confirmed: `x-request-id` holds the request ID.'],
  ['request-id', { facts: { requestId: 'x-my-own' } }, 'other: `x-my-own` holds the request ID.'],
  ['limit-headers', {}, 'unseen: No response was received.'],
  ['limit-headers', limit({}), texts.unseenResponseHadRate],
  [
    'limit-headers',
    limit({ headers: ['x-ratelimit-reset'], calls: 120 }),
    'confirmed: `x-ratelimit-reset`: 120 calls.',
  ],
  ['limit-headers', limit({ headers: ['x-patience'] }), 'other: `x-patience`.'],
  ['limit-kind', limit({}), 'unseen: No response says it.'],
  ['limit-kind', limit({ kind: 'burst' }), 'confirmed: burst.'],
  [
    'limit-kind',
    { ...limit({ kind: 'burst', calls: 60 }), rejections: { limited: refused({ status: 429 }) } },
    'other: 60 calls per minute, burst; status 429 above it.',
  ],
  ['upload-start', {}, texts.unseenWriteSetService],
  [
    'upload-start',
    { facts: { uploadStart: { fileName: '{name}', contentType: '{type}', size: '{size}' } } },
    'confirmed: Accepts `fileName`, `contentType`, `size`.',
  ],
  [
    'upload-start',
    { facts: { uploadStart: { size: '{size}', contentType: '{type}', fileName: '{name}' } } },
    'confirmed: Accepts `size`, `contentType`, `fileName`.',
  ],
  ['upload-start', { facts: { uploadStart: {} } }, 'confirmed: Accepts an empty body.'],
  ['upload-storage', {}, texts.unseenWriteSetService],
  ['upload-storage', upload({}), 'confirmed: Headers `content-type`, on another origin.'],
  [
    'upload-storage',
    upload({ sameOrigin: true, ttlSeconds: 300, stored: 200 }),
    'confirmed: Headers `content-type`, on the API’s origin, valid for 300 s, stored with 200.',
  ],
  ['upload-storage', upload({ stored: 403 }), 'other: Headers `content-type`, on another origin, stored with 403.'],
  ['upload-storage', upload({ stored: 199 }), 'other: Headers `content-type`, on another origin, stored with 199.'],
  ['finalized', {}, texts.unseenWriteSetService],
  [
    'finalized',
    { operations: { 'documents.finalizeUpload': { response: answer({ body: form('document_id') }) } } },
    'confirmed: The document: `document_id`.',
  ],
  ['bodies', {}, texts.unseenWriteSetService],
  [
    'bodies',
    { operations: { 'contacts.create': { requestBody: form('email') }, 'rooms.create': {} } },
    'confirmed: contacts.create: `email`.',
  ],
  [
    'bodies',
    { operations: { 'contacts.create': { requestBody: form('mailbox_of') } } },
    'other: contacts.create: `mailbox_of`.',
  ],
  [
    'bodies',
    {
      operations: {
        'contacts.create': { requestBody: form('email') },
        'rooms.create': { requestBody: form('mailbox_of') },
      },
    },
    'other: contacts.create: `email`; rooms.create: `mailbox_of`.',
  ],
  ['written', {}, texts.unseenWriteSetService],
  [
    'written',
    {
      operations: {
        'links.create': { response: answer({ status: 201 }) },
        'links.delete': { response: answer({ status: 204, media: null }) },
      },
    },
    'confirmed: links.create: 201, links.delete: 204 without a body.',
  ],
  ['webhook-body', {}, texts.unseenWriteSetService],
  [
    'webhook-body',
    { facts: { webhook: { url: '{url}', event_types: ['{event}'] } } },
    'confirmed: Accepts `url`, `event_types`.',
  ],
  ['webhook-body', { facts: { webhook: { ring: '{url}' } } }, 'other: Accepts `ring`.'],
  ['webhook-secret', {}, texts.unseenWriteSetService],
  ['webhook-secret', { facts: { webhookSecret: null } }, texts.confirmedTheResponseHasNo],
  ['webhook-secret', { facts: { webhookSecret: ['data', 'secret'] } }, 'confirmed: The secret is in `data.secret`.'],
  ['webhook-secret', { facts: { webhookSecret: ['whisper'] } }, 'other: The secret is in `whisper`.'],
  ['event-shape', {}, texts.unseenEventDeliveredWait],
  [
    'event-shape',
    event({ body: form('type', 'data'), kinds: ['link.viewed'] }),
    'confirmed: An event: `type`, `data`. Kinds: `link.viewed`.',
  ],
  ['event-shape', event({ body: form('noise') }), texts.otherEventNoneAssumed],
  ['event-signature', {}, texts.unseenEventDeliveredWait],
  [
    'event-signature',
    event({ signature: 'hex', signatureHeader: 'x-signature' }),
    'confirmed: Signature: hex in `x-signature`.',
  ],
  ['event-signature', event({ signature: 'unknown' }), 'other: Signature: unknown.'],
];

test.each(CASES)('%s of %j', (name, learned, said) => {
  expect(judged(name, learned)).toBe(said);
});

test('a run with --write does not give the missing flag as a reason', () => {
  const { learned } = NOTHING_LEARNED;
  expect(judged('upload-start', { learned: { ...learned, mode: 'write' } })).not.toContain('--write');
});
