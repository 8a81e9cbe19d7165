/** What only this server assumes about the service, each with the section of its document that leaves it open. */
import { splitWords } from '../src/split-words.ts';

/** §2 "further fields … not shown": fields that only say something about an object, whoever may see it. */
export const SAFE_FIELDS: readonly string[] = splitWords('name title description tags note notes');

/** §2: gates whose being on (`true`) lets nobody in. Only `email_required` is given. */
export const GATE_SWITCH_FIELDS: readonly string[] = ['email_required'];

/** §2 "expiry … field names are not shown": a time after which a link is closed. */
export const EXPIRY_FIELDS: readonly string[] = splitWords(`
  expires_at expiresAt expires_on expires expiry expiry_date expiration expiration_date valid_until
`);

/** §4 "bodies of the rows without a stated body … not shown": what a draft refers to, by id. */
export const REFERENCE_FIELDS: readonly string[] = splitWords('document_id template_id');

/** §4: whom a draft is for. They hear of it when it is sent, which is a call of its own. */
export const DRAFT_RECIPIENT_FIELDS: readonly string[] = splitWords('recipients signers');
export const RECIPIENT_PROPERTIES: readonly string[] = splitWords('id name email role order');

/** §4: where a folder stands in its room. */
export const PARENT_FOLDER_FIELDS: readonly string[] = splitWords('parent_id folder_id');

/** §2 "further fields … not shown": the last word of fields that a person would look for an object by. */
export const SEARCH_FIELDS: readonly string[] = splitWords(`
  name title subject label email mail url slug address domain host company number
`);

/** §4 "query parameters … not shown": what services call a text to look for; they ignore the names they don't know. */
export const MATCH_PARAMS: readonly string[] = splitWords('q search query');

/** §4: the same for the earliest and the latest time of creation. */
export const SINCE_PARAMS: readonly string[] = splitWords('created_after created_since since');
export const UNTIL_PARAMS: readonly string[] = splitWords('created_before created_until until');

/** §4: when something happened that has no time of creation, such as a visitor's first visit. */
export const OCCURRED_AT_FIELDS: readonly string[] = splitWords(`
  started_at first_seen_at first_viewed_at first_visit_at viewed_at visited_at issued_at last_seen_at last_viewed_at
`);

/** §8 "status, headers … not shown": what else services say of their limit in headers. */
export const RATE_LIMIT_HEADERS: readonly string[] = splitWords(
  'ratelimit ratelimit-limit x-ratelimit-limit retry-after',
);

/** §3 "No state names … are given": states of an agreement that was not sent yet. */
export const DRAFT_STATES: readonly string[] = splitWords(
  'draft created new unsent preparing in_preparation',
);
