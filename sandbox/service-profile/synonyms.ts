import * as assumed from '../../src/assumptions/index.ts';
import { splitWords } from '../../src/split-words.ts';
import { normalizeName, toNameSet } from './normalize-name.ts';

/** The sandbox's own names, besides the project's lists of synonyms. */
const OWN: readonly (readonly string[])[] = [
  splitWords(`name heading headline caption ${assumed.TITLE_FIELDS.slice(0, 10).join(' ')}`),
  splitWords(`email mail mail_address`),
  splitWords(`file_name ${assumed.FILE_NAME_FIELDS.slice(0, 3).join(' ')} original_name`),
  splitWords(`object type kind resource_type record_type`),
  splitWords(`description summary details about`),
  splitWords(`phone phone_number mobile telephone`),
  splitWords(`tags labels tag_names`),
  splitWords(`folders directories sections`),
  splitWords(`files documents items contents entries`),
  splitWords(`groups visitor_groups audiences teams`),
  splitWords(`permissions matrix grants access rules`),
  splitWords(`roles signer_roles`),
  splitWords(`items line_items lines positions pricing`),
  splitWords(`total_amount total amount sum`),
  splitWords(`version ${assumed.VERSION_FIELDS.join(' ')}`),
  splitWords(`versions revisions history`),
  splitWords(`parent_id parent_folder_id parent`),
  splitWords(`room_id dataroom_id room.id`),
  splitWords(`folder_id folder.id directory_id`),
  splitWords(`group_id group.id audience_id`),
  splitWords(`created_at ${assumed.CREATED_FIELDS.join(' ')}`),
  splitWords(`emails addresses members`),
  splitWords(`events topics event_types event_names kinds`),
  splitWords(`download_url ${assumed.DOWNLOAD_URL_FIELDS.slice(0, 30).join(' ')}`),
  splitWords(`page_count total_pages page_total sheet_count`),
  splitWords(`size byte_count byte_size size_in_bytes octets`),
  splitWords(`first_name given_name forename`),
  splitWords(`last_name family_name surname`),
  splitWords(`view_count ${assumed.METRIC_FIELDS.visitCount.join(' ')}`),
  splitWords(`visit_ids ${assumed.VISIT_ID_FIELDS.join(' ')}`),
  splitWords(`seats ${assumed.BILLING_FIELDS.seats.join(' ')}`),
  splitWords(`seat_price_cents price_per_seat unit_amount`),
  splitWords(`started_at viewed_at visited_at opened_at`),
  splitWords(`thumbnail_url ${assumed.PAGE_FIELDS.imageUrl.join(' ')}`),
  splitWords(`page ${assumed.PAGE_FIELDS.number.join(' ')}`),
  splitWords(`signing_url sign_url signature_url signing_link`),
  splitWords(`signed_name signature_name`),
  splitWords(`deleted removed is_deleted archived trashed`),
  splitWords(`ok success successful succeeded`),
  splitWords(`code status_code http_status http_code`),
];

/** All lists of synonyms, the sandbox's own first. */
const GROUPS: readonly ReadonlySet<string>[] = [
  ...OWN,
  assumed.RECIPIENT_FIELDS,
  ...Object.values(assumed.GATES).map(({ names }) => names),
  assumed.GATES.password.readNames,
  ...[
    assumed.RECORD_FIELDS,
    assumed.SIGNING_FIELDS,
    assumed.SIGNER_FIELDS,
    assumed.PAGE_FIELDS,
    assumed.METRIC_FIELDS,
    assumed.BILLING_FIELDS,
  ].flatMap((table: Readonly<Record<string, readonly string[]>>) => Object.values(table)),
  assumed.ID_FIELDS,
  assumed.WEBHOOK_SECRET_FIELDS,
  assumed.PAGE_LISTS,
  assumed.DOCUMENT_LISTS,
].map(toNameSet);

/** Removes the time suffix: `createdOn`, `created_at` and `date_created` are equal. */
function getStem(plain: string): string {
  const stem = plain.replace(/^date(?=.{4})/, '').replace(/(?<=.{4})(at|on|date|time|timestamp)$/, '');
  return stem === plain ? '' : stem;
}

/**
 * Returns the sandbox's names that a learned one may mean, likeliest first: names equal but for case and
 * separators, then synonyms.
 */
export function findSynonyms(learnedName: string, own: readonly string[]): readonly string[] {
  const key = `${learnedName}\n${own.join()}`;
  const before = known.get(key);
  if (before) return before;
  if (known.size > MAX_KNOWN) known.clear();
  const found = findNames(learnedName, own);
  known.set(key, found);
  return found;
}

/** Cached, since each entry of a list asks for the same. */
const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 5_000;

/** Words that say nothing about a field's content. */
const EMPTY_WORD = /^(?:line|text|value|string|full|display|main|primary|current)$/;

/** Removes such words from `subjectLine`; undefined if there is none, or nothing else. */
function getCore(name: string): string | undefined {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const left = parts.filter((part) => !EMPTY_WORD.test(part));
  return left.length === 0 || left.length === parts.length ? undefined : left.join('_');
}

function findNames(learnedName: string, own: readonly string[]): readonly string[] {
  const plain = normalizeName(learnedName);
  const equal = own.filter((name) => normalizeName(name) === plain);
  const alike = GROUPS.filter((group) => group.has(plain)).flatMap((group) =>
    own.filter((name) => group.has(normalizeName(name))),
  );
  const stem = getStem(plain);
  const times = stem === '' ? [] : own.filter((name) => /_at$/.test(name) && getStem(normalizeName(name)) === stem);
  const core = getCore(learnedName);
  const loose = core === undefined ? [] : findNames(core, own);
  return [...new Set([...equal, ...times, ...alike, ...loose])];
}
