/** Assumptions of this server about the service, with the section of the API document that leaves each open. */
import { splitWords } from '../src/split-words.ts';

/** §2 "further fields … not shown": fields that only describe an object, with no effect on access. */
export const SAFE_FIELDS: readonly string[] = splitWords('name title description tags note notes');

/** §2: gates that only restrict access when `true`. Only `email_required` is documented. */
export const GATE_SWITCH_FIELDS: readonly string[] = ['email_required'];

/** §2 "expiry … field names are not shown": the time when a link expires. */
export const EXPIRY_FIELDS: readonly string[] = splitWords(`
  expires_at expiresAt expires_on expires expiry expiry_date expiration expiration_date valid_until
`);

/** §4 "bodies of the rows without a stated body … not shown": objects that a draft refers to. */
export const REFERENCE_FIELDS: readonly string[] = splitWords('document_id template_id');

/** §4: plain content of a draft, which people see only when it is sent. */
export const DRAFT_TEXT_FIELDS: readonly string[] = splitWords('message subject body');
export const DRAFT_CONTENT_FIELDS: readonly string[] = [
  ...DRAFT_TEXT_FIELDS,
  ...splitWords('currency amount total total_amount items line_items'),
];

/** §4: texts that recipients of a draft may get, also as `notes` (Zoho Sign) or `emailBlurb` (DocuSign). A question shows them. */
export const SENT_TEXT_FIELDS: readonly string[] = [
  ...DRAFT_TEXT_FIELDS,
  ...splitWords('email_subject email_message email_body email_blurb note notes'),
];

/** §4: other names of a draft's price, such as one in cents. */
export const PRICE_FIELD_PATTERN = /price|amount|cents$/i;

/** §4: who signs what in agreements from a template. */
export const TEMPLATE_CONTENT_FIELDS: readonly string[] = splitWords('roles fields');

/** §4: recipients of a draft. They are notified when it is sent, which is a separate call. */
export const DRAFT_RECIPIENT_FIELDS: readonly string[] = splitWords('recipients signers');
export const RECIPIENT_PROPERTIES: readonly string[] = splitWords('id name email role order');

/** §2: beginnings of fields with an address of the workspace itself, which gets nothing when a draft is sent. */
export const OWN_EMAIL_FIELD_PATTERN =
  /^(?:created|creator|updated|modified|owner|sender|sent_?by|author(?!i)|request(?:er|ed_?by)|from|reply|account|workspace)/i;

/** §2: paths of a recipient's address outside lists of recipients, such as Zoho Sign's `actions.0.recipient_email`. */
export const RECIPIENT_EMAIL_PATTERN = /(?:^|\.)(?:signer|recipient)_?email(?:_?address)?$/i;

/** §4: beginnings of the paths of a recipient's properties, such as DocuSign's `recipients.signers.0.recipientId`. */
export const RECIPIENT_PATH_PATTERN = /^(?:recipients|signers)\.(?:\w+\.)?\d+\.(?:recipient_?)?/i;

/** §4: parent of a room folder. */
export const PARENT_FOLDER_FIELDS: readonly string[] = splitWords('parent_id folder_id');

/** §2: beginnings of IDs, by the kind of object. */
export const ID_PREFIXES = {
  documents: /^docs?(?:ument)?[_-]/i,
  links: /^(?:lnk|lin|link|shr)[_-]/i,
  rooms: /^(?:room|rm|dr|dataroom)[_-]/i,
  agreements: /^(?:env|envelope|agr|agreement)[_-]/i,
  proposals: /^(?:prp|prop|proposal)[_-]/i,
  templates: /^(?:tpl|tmpl|tem|template)[_-]/i,
  contacts: /^(?:con|cont|ct|contact)[_-]/i,
} as const;

/** §2 "further fields of the document … not shown": its file's name. This server adds the first. */
export const DOCUMENT_FILE_FIELDS = splitWords('uploaded_file file_name original_file_name original_name file.name');

/** §2, §4 "GET /links … Lists links": paths of the ID of what a link opens. */
export const LINK_TARGET_PATTERN =
  /(?:doc(?:ument)?|room|folder|file|target|resource|content|asset|item)s?(?:\.\d+)?(?:[._]?ids?)?$/i;

/** §2: texts that may be an ID: digits, a UUID, or letters, a separator and a part with a digit. */
export const ID_PATTERN = /^(?:\d+|[\da-f]{8}-[\da-f-]{27}|[A-Za-z]{2,12}[_-](?=\w*\d)\w+|(?=\w*\d)\w{16,64})$/i;

/** §2 "further fields … not shown": last word of the fields that a search looks at. */
export const SEARCH_FIELDS: readonly string[] = splitWords(`
  name title subject label tag email mail url slug address domain host company number
`);

/**
 * §2, §4, §6 "not shown": fields that a write usually takes, as suggestions in its description. A profile of the service
 * replaces them.
 */
export const USUAL_FIELDS = {
  link: 'password, expires_at (ISO 8601, UTC), max_visitors, nda_required, download_allowed',
  room: 'description',
  folder: 'parent_id (a folder)',
  file: 'document_id, folder_id, name',
  permissions: 'permissions: [{group_id, folder_id, access: none|view|download}]; without folder_id: the whole room',
  agreement: 'document_id or template_id, message, recipients: [{email, name, role, order}]',
  proposal: 'message, currency (USD), items: [{description, quantity, unit_price}] (29.5, not cents)',
  send: 'message',
  template: 'description, document_id, roles: [text], fields: [{type, role, page, x, y}]',
  contact: 'company, phone',
} as const;

/** §6: events that services usually send, besides the two documented ones. */
export const USUAL_EVENTS =
  'envelope.sent, envelope.declined, envelope.voided, envelope.expired, proposal.accepted, proposal.declined, document.created';

/** §4 "query parameters … not shown": common names of a search text. Services ignore unknown parameters. */
export const MATCH_PARAMS: readonly string[] = splitWords('q search query');

/** §4: common names of the earliest and latest creation time. */
export const SINCE_PARAMS: readonly string[] = splitWords('created_after created_since since');
export const UNTIL_PARAMS: readonly string[] = splitWords('created_before created_until until');

/** §4: times of objects without a creation time, such as a visitor's first visit. */
export const OCCURRED_AT_FIELDS: readonly string[] = splitWords(`
  started_at first_seen_at first_viewed_at first_visit_at viewed_at visited_at issued_at last_seen_at last_viewed_at
`);

/** §8 "status, headers … not shown": further rate-limit headers. */
export const RATE_LIMIT_HEADERS: readonly string[] = splitWords(
  'ratelimit ratelimit-limit x-ratelimit-limit retry-after',
);

/** §2: fields that say what people get, and who they are. An approval does not count if one of them has changed. */
export const APPROVAL_BASIS_FIELDS: readonly string[] = splitWords(`
  id document_id template_id name file_name title description status state role email recipients signers signatories
  participants parties cc version version_id version_number current_version revision size size_bytes sha256 hash
  checksum etag pages page_count amount total_amount total price unit_price quantity currency message body
`);

/** §2: times of change, which count for documents only, because a new file may show in no other field. */
export const CHANGED_AT_FIELDS: readonly string[] = splitWords('updated_at modified_at last_modified');
export const DOCUMENT_FIELDS: readonly string[] = splitWords(
  'page_count mime mime_type size size_bytes version versions',
);

/** §2: contents, figures and latest visits of an object, which change without anybody changing the object. */
export const ACTIVITY_FIELDS: readonly string[] = splitWords(`
  files folders analytics stats statistics metrics usage activity view views visit visits visitor visitors
  last_view last_viewer last_viewed_by last_viewed_by_email last_visit last_visitor last_access last_accessed last_accessed_at
  last_accessed_by last_download last_downloaded last_downloaded_at last_downloaded_by last_shared_at
  recent_views recent_viewers recent_visits recent_visitors unique_views unique_visitors unique_users
  total_views total_visits total_visitors total_downloads total_time total_duration total_seconds total_view_time
  download_count downloads_count
`);

/** §2, §3: times of what happened to an agreement, a proposal or one of their recipients. */
export const ACTIVITY_TIME_PATTERN =
  /^(sent|viewed|opened|signed|accepted|completed|declined|rejected|voided|canceled|cancelled|expired)_?(?:at|on)$/i;

/** §2: parts of names of fields that decide who gets in, or gets what. A question shows them before others. */
export const ACCESS_FIELD_PATTERN =
  /price|amount|total|folder|parent|mail|member|recipient|signer|user|group|public|private|visib|access|permission|share|send|gate|password|domain|allow|document|template|download|expir|require|nda|^status$/i;
