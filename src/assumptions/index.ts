/**
 * Everything that this project assumes about the service because its document leaves it open ("not shown").
 * Each entry names the section; a fact that becomes known changes one line here. If several shapes are usual,
 * the code accepts all of them, in the given order.
 */
import type { ApiError } from '../errors.ts';
import { splitWords } from '../split-words.ts';

/** §2: other names under which a response may hold its one object. */
export const ITEM_KEYS = splitWords(`item record`);

/** §2: fields that belong to the envelope if they are next to a wrapped "Response: JSON object". */
export const ENVELOPE_SIBLINGS = splitWords(`
  success ok status code message error errors meta links request_id requestId timestamp object type
`);

/** §2 "Fields of every other resource: not shown": an object's ID, name and creation time. */
export const ID_FIELDS = ['id', '_id', 'uuid', 'uid', 'guid', 'key'];
export const TITLE_FIELDS = splitWords(`
  name title subject label display_name displayName full_name fullName email_subject filename file_name fileName email
`);
/** §2: first and last name of a person. */
export const PERSON_NAME_FIELDS = [splitWords(`first_name given_name`), splitWords(`last_name family_name surname`)];
/** §4 "body: not shown": URL of a webhook. */
export const WEBHOOK_URL_FIELDS = splitWords('url target_url endpoint_url endpoint');
/** §2: fields that identify an object without a title; a URL or number is not a name. */
export const NAME_FIELDS = [...TITLE_FIELDS, 'number', 'slug', ...WEBHOOK_URL_FIELDS];
/** §2: field in which JSON:API services hold an object's own fields. */
export const ATTRIBUTES_FIELD = 'attributes';
/** §2 "CRM contacts, …, properties": field in which CRM services hold an object's fields, if it has no other name. */
export const PROPERTIES_FIELD = 'properties';
export const CREATED_FIELDS = splitWords(`
  created_at createdAt created date_created dateCreated inserted_at created_on createdOn timestamp date
`);

/** §4 GET /analytics/links/{id}/visitors: a visitor's visits; without it, the entry may itself be a visit. */
export const VISIT_ID_FIELDS = splitWords(`
  visit_ids visitIds visits visit_id visitId last_visit_id lastVisitId latest_visit_id latestVisitId
`);

const MISSING_SCOPE =
  /(?:lack|missing|insufficient|invalid(?!_token)|need|require|without|not)\w{0,3}[\W_].{0,24}scope|scope.{0,24}(?:required|missing|mismatch)/i;
const INVALID_KEY =
  /(?:api[ _-]?key|access[ _-]?token|credentials?) (?:is |are |was |has been )?(?:invalid|not valid|unknown|revoked|expired|disabled)|(?:invalid|unknown|wrong|revoked|expired)[ _-](?:api[ _-]?key|access[ _-]?token|credentials?)/i;

/** §7 "statuses … not shown": the kind of failure for a status; other 4xx stay a plain `ApiError`. */
export function getFailureKind(status: number, message = '') {
  // With clear words, a 401 means a missing scope, and a 403 an invalid key.
  const [isScope, isKey] = [MISSING_SCOPE.test(message), INVALID_KEY.test(message)];
  if (status === 401) return isScope && !isKey ? 'permission' : 'authentication';
  if (status === 403) return isKey && !isScope ? 'authentication' : 'permission';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 400 || status === 422) return 'validation';
  if (status === 409 || status === 412 || status === 423) return 'conflict';
  if (status === 429 || status === 529) return 'rateLimit';
  if (status >= 500) return 'server';
  return undefined;
}

/** §8 "retry hints: not shown": headers that say when to retry, besides `Retry-After` and `RateLimit`. */
export const RESET_HEADERS = splitWords(`
  retry-after-ms x-retry-after ratelimit-reset x-ratelimit-reset x-rate-limit-reset
  x-ratelimit-reset-after
`);

/** §8: headers that hold the remaining calls of the current window. */
export const REMAINING_HEADERS = splitWords(`ratelimit-remaining x-ratelimit-remaining x-rate-limit-remaining`);

/** §7: headers that may hold a request ID. */
export const REQUEST_ID_HEADERS = splitWords(`
  x-request-id request-id x-correlation-id x-amzn-requestid x-trace-id cf-ray
`);

/** §5 "The scope required by each individual method … not shown": routes whose scope the document names. */
export function isScopeDocumented(route: string): boolean {
  return /^\S+ \/(documents\/uploads|webhooks|billing|analytics)\b|\/(groups|permissions)$/.test(route);
}

/** §4 POST /documents/uploads "Request body: not shown": bodies to try while the service rejects them. */
export function getUploadStartBodies(file: { name: string; type: string; size: number; documentId?: string }) {
  const { name, type, size } = file;
  const version = file.documentId === undefined ? {} : { documentId: file.documentId };
  return [
    { fileName: name, contentType: type, size, ...version },
    { filename: name, content_type: type, size },
    { name, contentType: type, size },
    { name, type, size },
    { fileName: name, fileType: type, fileSize: size },
    { file_name: name, content_type: type, file_size: size },
    {},
  ];
}

/** §4 POST /webhooks "Request body: not shown": bodies to try in turn while the service rejects them. */
export function getWebhookBodies(url: string, events: readonly string[]): Record<string, unknown>[] {
  const [event] = events;
  return [
    { url, events },
    { url, event_types: events },
    { url, eventTypes: events },
    { endpoint_url: url, events },
    { target_url: url, events },
    { endpoint: url, events },
    { url, enabled_events: events },
    { url, topics: events },
    ...(events.length === 1
      ? [
          { url, event },
          { target_url: url, event },
          { url, event_type: event },
        ]
      : []),
  ];
}

/** §7: rejections that may be about field names, so another body is worth a try (nothing has run). */
export function isBodyRejected(error: ApiError): boolean {
  return error.status === 400 || error.status === 422;
}

/** §4: names of the registration in the response of POST /webhooks, besides `id`. */
export const SUBSCRIPTION_ID_FIELDS = splitWords(`subscription_id endpoint_id hook_id`);

/** §4 POST /webhooks "Response: not shown": fields that may hold the signing secret. */
export const WEBHOOK_SECRET_FIELDS = splitWords(`
  secret signing_secret signingSecret webhook_secret webhookSecret signing_key signingKey secret_key key
`);

/** §8 "the size threshold … not shown": maximum size of a multipart upload; larger files go direct. */
export const MAX_MULTIPART_BYTES = 4 * 1024 * 1024;

/** §7: statuses after which the other upload method is worth a try. */
export const UPLOAD_FALLBACK_STATUSES: readonly number[] = [404, 405, 413, 415];

/** §7, §8: texts of a storage's 403 that mean a used or expired URL, so a fresh one is worth a try. */
export function isUploadUrlExpired(text: string): boolean {
  return /expired|already (?:been )?used|spent|no longer valid|single[- ]use|one[- ]time/i.test(text);
}

/** §8 "document download URLs are short-lived": storage statuses that may mean an expired URL. */
export const EXPIRED_URL_STATUSES: readonly number[] = [401, 403, 404, 410];

/** §4 "Response: not shown": where finalize names the document; `id` may be a version's. */
export const FINALIZED_ID_FIELDS = ['documentId', 'document_id'];
/** §4 "a new version of that existing document is recorded": names of the version in a response. */
export const VERSION_FIELDS = splitWords(`version version_number version_no version_id revision`);

/** §4 "a short-lived presigned URL": JSON fields for it, likeliest first, and for the file's name. */
export const DOWNLOAD_URL_FIELDS = splitWords(`
  download_url download_link download_uri signed_url presigned_url pre_signed_url signed_link temporary_url temp_url
  short_lived_url expiring_url secure_url signed_document_url signed_pdf_url signed_file_url pdf_url pdf_link
  file_url file_link document_url content_url storage_url object_url blob_url s3_url asset_url attachment_url
  media_url source_url direct_url direct_link public_url access_url get_url fetch_url @microsoft.graph.downloadUrl
  @content.downloadUrl url href link location uri src download file pdf content document signed_document attachment
  data
`);
export const DOWNLOAD_TYPE_FIELDS = ['content_type', 'contentType', 'mime_type', 'mimeType'];
export const FILE_NAME_FIELDS = ['filename', 'file_name', 'fileName', 'name', 'title'];

/** §4: a response instead of a file that does not exist yet: its URL is empty, or its status says so. */
export const PENDING_FILE_PATTERN =
  /"[\w-]*(?:url|link|href)"\s*:\s*(?:null|"")|"(?:status|state)"\s*:\s*"(?:process|pend|prepar|generat|queue|not.ready)/i;

/** §8 "120 requests per minute per key": over 60 s, as arrivals may be 0.8 s closer than starts. */
export const RATE_LIMIT = { requests: 120, windowMs: 60_900 } as const;

export * from './error-bodies.ts';
export * from './pagination.ts';
export * from './record-fields.ts';
export * from './report-metrics.ts';
export * from './secret-names.ts';
export * from './signing-bodies.ts';
export * from './webhook-events.ts';
