/** Assumptions that only `docshare learn` makes, each with the section of the API document that leaves it open. */
import { ENDED_STATES, SENT_STATES, SIGNED_STATES, STATUS_CHANGES } from '../src/assumptions/index.ts';
import { splitWords } from '../src/split-words.ts';
import apiWords from './infer/api-words.json' with { type: 'json' };

/** §2 "custom … properties": objects whose keys users choose, so the keys are left out of the profile. */
export const USER_DEFINED_MAP_FIELDS = splitWords(`
  custom properties props metadata labels tags extra extras variables vars merge_fields merge_vars merge_tags mail_merge placeholders
  prefill prefilled answers responses user_data form_data form_fields form_values field_values attributes attrs traits
  user_properties user_attributes additional_properties additional_fields additional_data substitutions personalization
  by_page by_country by_email by_group by_visitor by_document
`);

/** §2: the same objects by part of the name, such as `contact_custom_fields` and `customValues`. */
export const USER_DEFINED_MAP_PATTERN =
  /^custom|[_-]custom|[a-z]Custom|(?:[_-]|[a-z](?=[A-Z]))(?:metadata|answers|variables|attributes|properties|traits|tags|labels)$/i;

/** §2: siblings of `attributes` when `attributes` holds all fields of the object, as in JSON:API. */
export const ATTRIBUTES_SIBLING_FIELDS = splitWords(
  `id type kind object attributes relationships links meta included self href url etag`,
);

/** §3: fields whose value is a word of the service, not of a user. */
export const ENUM_FIELD_PATTERN =
  /(?:^|_|[a-z])(?:status|state|stage|type|kind|event|role|access|level|object|outcome)s?$/i;

/** §3 "No state names … are given": states of agreements, and common ones of other objects. */
export const STATE_VALUES: readonly string[] = [
  ...SIGNED_STATES,
  ...ENDED_STATES,
  ...SENT_STATES,
  ...Object.values(STATUS_CHANGES).flat(),
  ...splitWords(`
  draft new active inactive enabled disabled archived published closed open paid unpaid overdue trialing past_due
  processing ready uploading queued failed paused live test monthly yearly annual
`),
];

/** §2: values of fields such as `type` and `kind`. */
export const KIND_VALUES = splitWords(`
  document link room agreement envelope proposal template contact webhook visit visitor page folder file group
  permissions upload invoice subscription usage link_analytics room_analytics recipient version list event
`);

/**
 * §2 "fields of every other resource … not shown", §7, §8: words that make up the names of fields, headers and parameters.
 * A name with any other word may come from users of the account and is left out of the profile.
 */
export const API_WORDS = splitWords(Object.values(apiWords).join(' '));

/** §2: ids start with one of these words or an abbreviation of it (`doc_…`). */
export const ID_KINDS = splitWords(`
  document file folder link share room dataroom agreement envelope contract proposal template contact person people user member visitor visit view
  viewer webhook hook event delivery page version upload session invoice subscription customer account workspace organization team group
  signer recipient section exhibit tag key token request message note comment field question answer asset image object item entry record
  trace correlation job task plan price product payment charge operation permission invite sheet slide activity
`);

/** §2: fields of a list of key-value pairs that replaces a map whose keys users choose. */
export const PAIR_FIELDS = splitWords(`
  id uuid key name label title slug type kind value values text field field_id field_key field_name fieldId fieldKey fieldName question question_id
  questionId answer answer_id color colour position order index required options created_at updated_at createdAt updatedAt
`);

/** §4 "on encrypted storage x-amz-server-side-encryption": the values that S3 accepts. */
export const STORAGE_ENCRYPTION = splitWords(`AES256 aws:kms aws:kms:dsse`);

/** §4 "query parameters … not shown": page size parameters, most likely first. */
export const PAGE_SIZE_PARAMS = splitWords(
  `limit per_page page_size pageSize perPage size take max_results count $top page[size] page[limit]`,
);

/** §4: parameters that may filter a list by time. */
export const TIME_PARAMS = splitWords(`created_after created_since since`);

/** §4: queries that may sort a list. */
export const SORT_QUERIES = [
  { sort: 'created_at' },
  { sort_by: 'created_at', order: 'asc' },
  { order_by: 'created_at', direction: 'asc' },
] as const;

/** §8 "status, headers … not shown": rate limit headers. */
export const RATE_LIMIT_HEADER_PATTERN = /rate-?limit|^(?:x-)?retry-after/;

/** §8: kinds of headers that say when to retry, most explicit first. */
export const RATE_LIMIT_HINTS = [
  { hint: 'ratelimit-policy', header: /^ratelimit(?:-policy)?$/ },
  { hint: 'ratelimit', header: /^ratelimit-/ },
  { hint: 'x-ratelimit', header: /^x-rate-?limit/ },
] as const;

/** §4: fields of a contact that hold an email address. */
export const EMAIL_FIELDS = splitWords(`email email_address`);

/** §7: headers that may hold a request ID, besides the known ones. */
export const REQUEST_ID_HEADER_PATTERN = /^(?:[\w-]+-)?(?:request|trace|correlation)-?id$/;

/** §7: text of an error that means the key lacks a scope. */
export const SCOPE_ERROR_PATTERN = /scope|permission|forbidden|not allowed|insufficient|privilege/i;

/** §8: query parameters of a signed URL that hold its expiry. */
export const EXPIRY_PARAMS = splitWords(`X-Amz-Expires X-Goog-Expires Expires expires exp se expiry`);
