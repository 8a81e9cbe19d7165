/** What only the learner assumes about the service, each with the section of its document that leaves it open. */
import { words } from '../src/words.ts';

/** §2 "custom … properties": objects whose names people chose themselves, so that they are no part of a form. */
export const PERSONAL_HOLDERS = words(`
  custom custom_fields custom_data custom_properties custom_attributes properties metadata labels extra extras
  variables merge_fields prefill answers user_data by_page by_country by_email by_group by_visitor by_document
`);

/** §3: fields whose value is one word of the service, not of a person. */
export const WORD_FIELDS =
  /(?:^|_|[a-z])(?:status|state|stage|type|kind|event|role|access|level|object|outcome)s?$/i;

/** §3 "No state names … are given": states that services have besides those of agreements. */
export const STATE_WORDS = words(`
  draft new active inactive enabled disabled archived published closed open paid unpaid overdue trialing past_due
  processing ready uploading queued failed paused live test monthly yearly annual
`);

/** §2: what an answer calls the kind of an object. */
export const KIND_WORDS = words(`
  document link room agreement envelope proposal template contact webhook visit visitor page folder file group
  permissions upload invoice subscription usage link_analytics room_analytics recipient version list event
`);

/** §2 "fields of every other resource … not shown": words that names of fields are made of, whoever wrote the service. */
export const COMMON_WORDS = words(`
  phone mobile fax address street city zip postal country region province language locale timezone avatar photo picture
  logo icon color theme notes first last middle given family initials job department website social owner creator author
  editor deleted archived closed opened started stopped ended paused completed declined voided reminded reminder deadline
  accepted approved rejected verified confirmed blocked locked hidden pinned starred default primary secondary public
  private enabled disabled active shared parent child root path depth level rank weight score rating currency price tax
  discount subtotal balance quantity unit rate percent hash checksum etag revision version source target reason comment
  internal external workspace organization team member user session device browser platform ip agent referrer campaign
  watermark branding domain subdomain slug cover preview thumbnail embed iframe short long full raw html text plain
  on off at by to from of for in is has can may was until till before after with without per this latest newest oldest
  close closes end ends start starts begin begins expire expires expired lapse lapses valid open opens allow allows
  require requires show shows hide hides ask asks send sends sign signs view views viewer visitor guest people person
  day days hour hours minute minutes second seconds date time times ago since duration length width height amount
`);

/** §4 "query parameters … not shown": those that ask for a page size, likeliest first. */
export const SIZE_PARAMS = words(
  `limit per_page page_size pageSize perPage size take max_results count $top page[size] page[limit]`,
);

/** §4: parameters that may narrow a list to a stretch of time. */
export const TIME_PARAMS = words(`created_after created_since since`);

/** §4: ways to ask for a list in an order, each as the service may know it. */
export const SORT_QUERIES = [
  { sort: 'created_at' },
  { sort_by: 'created_at', order: 'asc' },
  { order_by: 'created_at', direction: 'asc' },
] as const;

/** §8 "status, headers … not shown": headers that speak of the limit. */
export const LIMIT_HEADER = /rate-?limit|^(?:x-)?retry-after/;

/** §8: kinds of headers that say when to come back, the plainest first. */
export const LIMIT_HINTS = [
  { hint: 'ratelimit-policy', header: /^ratelimit(?:-policy)?$/ },
  { hint: 'ratelimit', header: /^ratelimit-/ },
  { hint: 'x-ratelimit', header: /^x-rate-?limit/ },
] as const;

/** §4: fields of a contact that hold an address to look for. */
export const EMAIL_NAMES = words(`email email_address`);

/** §7: headers that may name a request, besides those that are known. */
export const REQUEST_ID_HEADER = /^(?:[\w-]+-)?(?:request|trace|correlation)-?id$/;

/** §7: words by which a refusal says that the key lacks a scope. */
export const SAYS_SCOPE = /scope|permission|forbidden|not allowed|insufficient|privilege/i;

/** §8: names of query parameters by which an address says when it ends. */
export const EXPIRY_PARAMS = words(`X-Amz-Expires X-Goog-Expires Expires expires exp se expiry`);
