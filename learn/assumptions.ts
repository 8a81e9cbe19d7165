/** Assumptions that only `docshare learn` makes, each with the section of the API document that leaves it open. */
import { splitWords } from '../src/split-words.ts';

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
export const ENUM_FIELDS = /(?:^|_|[a-z])(?:status|state|stage|type|kind|event|role|access|level|object|outcome)s?$/i;

/** §3 "No state names … are given": common states besides those of agreements. */
export const STATE_VALUES = splitWords(`
  draft new active inactive enabled disabled archived published closed open paid unpaid overdue trialing past_due
  processing ready uploading queued failed paused live test monthly yearly annual
`);

/** §2: values of fields such as `type` and `kind`. */
export const KIND_VALUES = splitWords(`
  document link room agreement envelope proposal template contact webhook visit visitor page folder file group
  permissions upload invoice subscription usage link_analytics room_analytics recipient version list event
`);

/**
 * §2 "fields of every other resource … not shown", §7, §8: words that make up the names of fields, headers and parameters.
 * A name with any other word may come from users of the account and is left out of the profile.
 */
export const API_WORDS = splitWords(`
  id ids uid uuid guid ulid key ref reference slug handle code number num no nr serial internal external foreign legacy remote client parent child
  children root node origin original copy duplicate alias canonical unique primary secondary tertiary main sub super

  time date day week month quarter year hour minute second millisecond microsecond ms sec min hr at on ago since until till before after from to
  between start begin began begun end finish due deadline schedule period interval duration elapsed age ttl expiry expire expiration valid validity
  lapse renew renewal recur frequency timezone tz timestamp datetime epoch utc iso local daily weekly monthly quarterly yearly annual annually today
  now birth birthday birthdate born dob gender holiday business workday

  create creation update modify modification change edit delete deletion remove removal archive restore publish publication view read seen unseen open
  opener close click download upload send sent deliver delivery dispatch receive receipt forward sign complete completion decline reject rejection
  approve approval accept acceptance confirm confirmation verify verification cancel cancellation void pause resume stop fail failure retry attempt
  last first latest newest oldest previous prev next current recent history historical insert add move rename reorder replace merge split assign
  reassign unassign release withdraw recall revoke extend extension finalize freeze touch sync synchronize import export migrate backup process submit
  submission save load refresh reload reset undo redo

  count total sum amount average avg mean median max maximum minimum limit cap quota use usage remaining left available availability free size length
  width height depth wide high deep long short big small large tall weight byte octet kb mb gb kilobyte megabyte bit percent percentage pct percentile
  ratio rate share score rank level tier grade position index idx offset order sort quantity qty cnt unit per each all any every none some other
  another more less least most distinct repeat new old returning hit estimate actual expected target goal threshold range step delta diff difference
  growth increase decrease trend series bucket histogram breakdown overview statistic stat figure metric kpi counter spent spend overall gross net in
  out up down

  status state stage phase progress outcome result active activate activation inactive enable disable visible visibility hidden hide show shown public
  private lock unlock pin star favorite favourite flag default require requirement optional mandatory readonly writable editable allow deny block
  grant restrict restriction pending draft ready queue run done success succeed error warn trash soft hard live test sandbox demo trial beta alpha
  preview temporary temp permanent persistent manual auto automatic automate system native custom standard basic simple advanced premium pro plus
  enterprise starter online offline present absent missing empty full partial whole only own global locale true false yes off ok good bad invalid
  known unknown strict loose sensitive

  user member owner creator author editor viewer visitor guest signer signee signatory recipient sender receiver requester contact person people human
  customer lead prospect account company firm organization organisation org team crew group workspace tenant department dept division section branch
  office role job manager admin administrator administrative assignee assigner agent representative rep reviewer approver witness collaborator
  contributor participant attendee host operator staff employee buyer seller vendor supplier partner reseller investor subscriber subscription
  follower party counterparty delegate principal audience cohort segment membership seat head headcount chair profile identity anonymous everyone
  anyone nobody someone self me my actor holder bearer

  name middle given family display nick nickname username surname maiden initial prefix suffix salutation honorific pronoun title label caption
  headline header footer subject line summary abstract description desc excerpt text body content message msg note memo remark reason detail info
  information hint tip help tooltip placeholder question answer reply response comment feedback thread conversation mention reaction like keyword term
  topic tag category subcategory kind type subtype class genre

  email mail mailbox phone mobile cell telephone tel fax sms address addr street city town region province county district country zip postal postcode
  post location place geo geolocation geography lat latitude lng lon longitude altitude coordinate point continent area zone language lang culture
  nationality website site web homepage webpage url uri urn link href domain subdomain hostname ip ipv port social twitter facebook linkedin instagram
  youtube github avatar photo picture image img pic logo icon thumbnail thumb cover banner background foreground color colour theme font style brand
  watermark layout template

  file filename filesize filetype folder directory dir path pathname document doc page sheet slide deck chapter paragraph part chunk piece attachment
  asset media video audio presentation spreadsheet pdf docx pptx xlsx csv png jpg jpeg gif svg webp mp txt json xml html markdown mime format encoding
  charset compression hash checksum digest etag sha md crc hmac version revision rev variant edition source raw binary blob base utf stream storage
  object multipart presign resolution dpi fps codec orientation rotation rotate scan ocr search highlight bookmark marker mark annotation redact
  redaction print convert conversion render favicon og welcome thank cta degree dynamic static embed iframe frame exhibit appendix transcript subtitle
  paper portrait landscape crop quality

  gate password passcode passphrase protect protection list whitelist blacklist allowlist blocklist nda agreement contract consent gdpr privacy policy
  legal confidential confidentiality redirect qr screenshot invite invitation notify notification alert reminder remind subscribe unsubscribe webhook
  hook callback endpoint destination event trigger action act activity channel inbox outbox notice announce broadcast opt optin optout bounce spam
  complaint

  pager paginate pagination skip take cursor token has item row record entry data datum dataset collection element value edge match meta envelope
  wrapper payload include continuation scroll window batch bulk set map dictionary array table column field fieldset form property attribute option
  preference config configuration parameter param argument arg variable var expression formula rule criteria condition filter query facet aggregate
  aggregation

  instance cause fault problem issue violation pointer loc where why how what who whom which when whose got constraint validation validate trace stack
  request documentation retryable fatal severity critical debug diagnostic exception incident support

  money price cost fee charge subtotal tax vat gst discount coupon promo promotion credit debit balance paid unpaid refund payment payout pay payable
  receivable invoice bill plan product sku currency license licence cycle budget margin revenue mrr arr worth deal pipeline opportunity quote
  quotation proposal offer cart checkout purchase sale card bank iban bic swift routing method gateway provider processor proration prorate overage
  meter addon entitlement benefit installment deposit transaction transfer shipping tariff package bundle feature service cents minor major decimal
  fraction rounding exchange usd eur gbp

  secret auth authorize authorization authenticate authentication oauth sso saml scim mfa fa otp totp session cookie csrf nonce salt signature
  certificate cert fingerprint algorithm alg encryption encrypt decrypt cipher kid jwt jwk scope permission access audit log trail security secure
  insecure risk fraud abuse captcha trust compliance retention sensitivity issuer

  api http ssl tls tcp dns verb server cluster replica shard worker task pool execution monitor health healthy ping latency timeout backoff cache
  lease async connector connect connection disconnect integration integrate installation install app application build environment env mode toggle
  schema model lookup metadata extra addition additional context runtime engine driver plugin module component widget proxy real upstream downstream
  cdn pop pull traceparent tracestate traceid span spanid sampled baggage correlation powered cors xss prefetch robots accel alt svc control
  disposition cross embedder resource deprecation pragma applied priority report transport sunset trailer upgrade vary via nel maxage nosniff vnd hal
  ld ndjson jsonapi rest rpc graphql odata plain ascii aws amz amzn amazon gcp goog google azure microsoft cloudflare cf ray fastly akamai vercel
  heroku netlify kong envoy nginx varnish sentry datadog newrelic zapier slack hubspot salesforce stripe dropbox onedrive sharepoint gdrive zoom
  intercom okta

  analytics dwell idle focus hover tap referrer referer referral campaign medium utm landing exit device browser os platform screen viewport isp
  carrier network asn vpn tor bot crawler ua heatmap engagement interaction interest impression funnel attention reach visit reader watch play
  playback listen livemode testmode signup signin lifetime hot warm cold recency touchpoint journey drop milestone desktop tablet manufacturer

  esign esignature seal stamp notary notarize anchor tab checkbox radio dropdown select selection choice pick disclosure countersign execute effective
  effect carbon cc bcc sequence prefill autofill ceremony kba proof evidence x y z w h

  room dataroom matrix manage management nested tree breadcrumb ancestor sibling descendant leaf inherit inheritance override

  crm industry sector meeting call relationship relation related lifecycle hobby follow followup introduction introduce

  a an the this that these those it its i we you your our their his her is are was were be been being can could may might must shall should will would
  do does did not and or nor as if else then than so by of for with without within into onto over under above below across along around through during
  about against toward upon again ever never always often once twice here there near far same both either such also still yet already instead vs re
  non un pre bottom top center centre right front back inner outer side corner horizontal vertical get have had give taken make made keep kept let put
  come go went gone look find found ask want need see

  beside clock direction echo evaluate guess input one probe rare remainder say tolerance trouble usual way word
`);

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
export const RATE_LIMIT_HEADER = /rate-?limit|^(?:x-)?retry-after/;

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
export const SCOPE_ERROR_TEXT = /scope|permission|forbidden|not allowed|insufficient|privilege/i;

/** §8: query parameters of a signed URL that hold its expiry. */
export const EXPIRY_PARAMS = splitWords(`X-Amz-Expires X-Goog-Expires Expires expires exp se expiry`);
