import { STATUS_CODES } from 'node:http';
import { PAGING_PRESET_NAMES, PAGING_PRESETS } from '../sandbox/profile/paging-presets.ts';
import type { SwitchName } from '../sandbox/profile/switches.ts';

/** Description of each setting of a switch; HTTP statuses have their standard names. */
const DESCRIPTIONS: Partial<Record<SwitchName, Readonly<Record<string, string>>>> = {
  paging: {
    cursor: 'a cursor in the field that `cursorName` names',
    none: 'one page with all entries',
    ...Object.fromEntries(PAGING_PRESET_NAMES.map((name) => [name, PAGING_PRESETS[name].description])),
  },
  envelope: {
    data: 'entries in `data`',
    bare: 'the body is the array of entries',
    items: 'entries in `items`',
    resource: 'entries in a field named after them, such as `links`',
    results: 'entries in `results`',
    nested: 'entries in `data.items`',
  },
  pagingLocation: {
    top: 'beside the entries',
    meta: 'in an object `meta`',
    pagination: 'in an object `pagination`',
    paging: 'in an object `paging`',
    page_info: 'in an object `page_info`',
  },
  cursorName: {
    next_cursor: 'requested with `cursor`',
    next_page_token: 'requested with `page_token`',
    end_cursor: 'requested with `after`',
  },
  pageSize: { 25: '25 entries', 3: '3 entries', 10: '10 entries', 100: '100 entries' },
  maxPageSize: { 100: '100 entries', 25: '25 entries' },
  order: { newest: 'newest first', oldest: 'oldest first' },
  listFilters: {
    none: 'these parameters are ignored',
    filters: 'lists can be filtered, but not sorted',
    'filters+sort': 'lists can be filtered and sorted',
  },
  item: { plain: 'the body is the object', data: 'in `data`', named: 'in a field named after it, such as `link`' },
  naming: { snake: '`created_at`', camel: '`createdAt`', pascal: '`CreatedAt`' },
  ids: {
    prefixed: 'a text with the kind, such as `doc_…`',
    uuid: 'a UUID',
    digits: 'digits in a text, such as `"1042"`',
    numbers: 'JSON numbers, such as `1042`',
  },
  dates: {
    iso: '`2026-01-31T09:00:00.000Z`',
    'epoch-seconds': 'seconds since 1970',
    'epoch-ms': 'milliseconds since 1970',
  },
  nulls: { given: 'null', omitted: 'the field is missing' },
  extras: {
    none: 'no extra fields',
    some: 'two extra fields, such as `workspace_id`',
    many: 'seven extra fields, some of them objects and lists',
  },
  contentType: {
    'application/json': 'without parameters',
    'application/json; charset=utf-8': 'with a charset',
    'application/vnd.api+json': 'the type of JSON:API',
  },
  createResponse: { object: 'the whole object', id: 'only its ID (and a secret that is shown once)' },
  updateResponse: {
    object: 'the whole object',
    'empty-204': 'status 204 without a body',
    'empty-200': 'status 200 without a body',
    'empty-202': 'status 202 without a body',
    ok: '`{"ok": true}`',
  },
  deleteResponse: {
    'empty-204': 'status 204 without a body',
    'object-200': 'the object with `deleted: true`',
    'empty-200': 'status 200 without a body',
    'empty-202': 'status 202 without a body',
  },
  undocumentedDeletes: {
    documented: 'only links, templates and webhooks can be deleted',
    all: 'also documents, rooms, agreements, proposals and contacts',
  },
  writeResponse: {
    object: 'as the other switches say',
    text: 'the text `OK`',
    queued: 'status 202 and the text `queued`',
    empty: 'status 200 without a body',
    cut: 'a body that breaks off',
    scalar: 'the JSON text `"done"`',
    list: 'an empty JSON list',
  },
  download: {
    url: 'the URL in `url`',
    download_url: 'the URL in `download_url`',
    downloadUrl: 'the URL in `downloadUrl`',
    signed_url: 'the URL in `signed_url`',
    nested: 'the URL in `file.url`, beside the name and type',
    'redirect-302': 'a redirect with status 302',
    'redirect-307': 'a redirect with status 307',
    bytes: 'the bytes of the file',
  },
  errors: {
    json: '`error` with `code`, `message` and `details`',
    flat: '`code`, `message`, `statusCode` and `details` at the top',
    list: '`errors`, a list with `code`, `title`, `detail` and `field`',
    problem: '`application/problem+json` (RFC 9457)',
    text: 'the message as plain text',
    html: 'a web page',
    'by-field': '`errors`, an object with the messages of each field',
    laravel: '`message`, and `errors` by field',
    fastapi: '`detail`, a list with `loc`, `msg` and `type`',
    'json-api': '`errors` with `source.pointer` (JSON:API)',
    texts: '`errors`, a list of sentences',
    zod: '`error.issues` with `path` and `message`',
    graphql: 'status of the error, `data: null` and `errors` with `path`',
  },
  requestId: { 'x-request-id': 'in `X-Request-Id`', 'request-id': 'in `Request-Id`', none: 'no such header' },
  rateLimiter: {
    sliding: 'in the last 60 seconds',
    fixed: 'per clock minute',
    bucket: '120 at once, then two per second',
    burst: '10 at once, then two per second',
  },
  rateLimitCounts: { accepted: 'only accepted requests count', all: 'rejected requests count too' },
  rateLimitHeaders: {
    seconds: '`Retry-After` in seconds',
    date: '`Retry-After` as a date',
    ratelimit: '`RateLimit-Reset` in seconds, on every response',
    'ratelimit-policy': '`RateLimit` with `t=`, on every response',
    'x-ratelimit': '`X-RateLimit-Reset` as Unix seconds, on every response',
    none: 'it does not say',
  },
  uploadBody: {
    none: 'no field',
    'filename+content_type+size': 'these three',
    'fileName+contentType+size': 'these three',
    'filename+content_type': 'these two',
    'name+size': 'these two',
    'file_name+content_type+file_size': 'these three',
  },
  encryption: {
    AES256: '`x-amz-server-side-encryption: AES256`',
    'aws:kms': '`x-amz-server-side-encryption: aws:kms`',
    none: 'no encryption header',
  },
  storageOrigin: { same: 'the origin of the API', 'other-port': 'another port of this machine' },
  urlTtlSeconds: { 900: '15 minutes', 180: '3 minutes', 3600: '1 hour' },
  webhookBody: {
    'url+events': '`events` is a list',
    'url+event_types': '`event_types` is a list',
    'endpoint_url+events': '`events` is a list',
    'target_url+event': '`event` is one kind',
    'url+event': '`event` is one kind',
  },
  webhookSecretField: { secret: 'in `secret`', signing_secret: 'in `signing_secret`', none: 'no field has it' },
  eventShape: {
    standard: '`type`, `timestamp`, `data`',
    object: '`id`, `object`, `type`, `created`, `data.object`',
    payload: '`event_id`, `event_type`, `occurred_at`, `payload`',
    flat: '`id`, `event`, `created_at`, and the fields of the data beside them',
  },
  signature: {
    'standard-webhooks': 'Standard Webhooks, in `Webhook-Signature`',
    't-v1': '`t=…,v1=…` in `X-Docshare-Signature`',
    hex: 'HMAC in hex, in `X-Signature`',
    'sha256-hex': '`sha256=…` in `X-Hub-Signature-256`',
    base64: 'HMAC in base64, in `X-Hmac-Sha256`',
    none: 'events are not signed',
  },
  retries: { backoff: 'after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h', quick: 'after 1 s and 2 s', none: 'no retries' },
};

/** @throws Error for a setting without a description */
export function describeSetting(name: SwitchName, setting: string): string {
  const text = DESCRIPTIONS[name]?.[setting] ?? STATUS_CODES[setting];
  if (text === undefined) throw new Error(`Describe ${name}=${setting} in scripts/switch-descriptions.ts`);
  return text;
}
