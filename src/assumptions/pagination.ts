/**
 * Assumptions about lists: the document shows neither their response shape nor their pagination. Names match
 * in any case and with any separator: `next_cursor` also finds `NextCursor`.
 */
import { splitWords } from '../split-words.ts';

/** §4 "query parameters … not shown": the parameter for the page size. */
export const LIST_PARAMS = { limit: 'limit' } as const;

/** §4: the largest page that services usually return. */
export const MAX_PAGE_SIZE = 100;
/** §4: the largest page that services usually return to a request without a size. */
export const DEFAULT_PAGE_SIZE = 25;

/** §4 "query parameters … not shown": possible text filters; a service ignores or rejects unknown ones. */
export function getTextFilters(text: string): Readonly<Record<string, string>> {
  return { ...(text.includes('@') ? { email: text } : { name: text }), q: text, search: text };
}

/** §4 "query parameters … not shown": parameters that may sort a list by creation or change, newest first. */
export const LIST_ORDERS = {
  created: { sort: '-created_at', sort_by: 'created_at', order_by: 'created_at', order: 'desc', direction: 'desc' },
  updated: { sort: '-updated_at', sort_by: 'updated_at', order_by: 'updated_at', order: 'desc', direction: 'desc' },
} as const;

/** §4 "query parameters … not shown": parameters that may limit a list to records changed since a time (ISO 8601). */
export function getUpdatedFilters(since: string): Readonly<Record<string, string>> {
  return { updated_since: since, updated_after: since, modified_since: since };
}

/** §4 "Response shape: not shown": fields that may hold the list, after the resource's own name. */
export const LIST_KEYS = splitWords(`
  data items results records values value entries rows list content nodes edges hits objects elements resources entry
`);

/** §4: objects that may hold the list or its cursor one level down. */
export const ENVELOPE_KEYS = ['data', 'result', 'response', 'payload', 'body', '_embedded'];

/** §4: arrays next to the list that describe the response, and are never the list. */
export const NON_LIST_ARRAYS = splitWords(
  `error errors warnings messages notices included links fields columns facets filters sort search_after`,
);

/** §4 "pagination: not shown": objects next to the list that may hold pagination fields. */
export const PAGING_KEYS = splitWords(`
  meta metadata pagination paging pager paginator page_info page_meta pageable cursors cursor page links _links
  response_metadata result_info list_info paging_info pagination_info hydra:view next
  pagy paginate paginator_info page_context paging_metadata pagination_meta pagination_metadata list_metadata
`);

/** §4: more of them, with ambiguous names; used only if all their fields are about pagination. */
export const PAGING_CONTAINERS = splitWords(`
  info view navigation nav pages additional_data link urls page_details page_data result_set
`);
/** §4: other fields of such an object, besides those for the next page, pages, sizes and counts. */
export const OTHER_PAGING_FIELDS = splitWords(
  `prev previous first last self prev_cursor previous_cursor prev_page previous_page previous_page_token
  page_token_expiry sort_by sort_order sort order type`,
);

/** §4: headers named like the fields below, with or without one of these prefixes. */
export const PAGING_HEADER_PATTERN = /^(?:x-)?(?:ms-|wp-|pagination-|paging-|list-)?/;

/** §4: headers whose value is a JSON object about pagination. */
export const PAGING_JSON_HEADERS = splitWords(`x-pagination pagination x-paging`);

/** §4: fields that hold the URL or link of the next page. */
export const NEXT_URL_FIELDS = splitWords(`
  next_url next_page_url next_link next_uri next_href next_page_link next_page_uri next_records_url
  @odata.nextLink odata.nextLink @nextLink hydra:next continuation_uri after_url more_url next_path $next
`);

/** §4: fields of a link object, as in `next: {href: …}`; any other field is a parameter. */
export const LINK_FIELDS = splitWords(`href url uri link`);

/** §4: fields of a pager's buttons, which may be an array of `links` next to the list. */
export const PAGER_FIELDS = splitWords(`url label page active`);
/** §4: labels of such a button: a number, an arrow, or one of these words. */
export const PAGER_LABEL_PATTERN = /^(?:\W|\d|laquo|raquo|pagination|prev|previous|next|first|last)+$/i;

/** §4: relations of a pagination `Link` header; without `next` it is the last page. */
export const LINK_RELATIONS = splitWords(`first prev previous last`);

/** §4: fields that hold the next page's position, and the parameters that may take it, likeliest first. */
export const CURSOR_FIELDS: Readonly<Record<string, string>> = {
  next_cursor: 'cursor next_cursor after start_cursor',
  next_page_token: 'page_token next_page_token',
  next_token: 'next_token token pagination_token',
  next_continuation_token: 'continuation_token continuation-token',
  next_continuation: 'continuation',
  next_marker: 'marker next_marker',
  next_bookmark: 'bookmark',
  next_search_after: 'search_after',
  next_page: 'page page_token cursor',
  next_page_number: 'page page_number',
  next_offset: 'offset skip start',
  next_skip: 'skip',
  next_start: 'start',
  next_start_index: 'start_index',
  next_after: 'after',
  next_starting_after: 'starting_after',
  next_page_cursor: 'page_cursor cursor',
  next_page_id: 'page_id',
  next_stream_position: 'stream_position',
  next_id: 'after_id starting_after cursor',
  next_key: 'start_key next_key key',
  next_page_key: 'page_key next_page_key',
  next_page_offset: 'offset',
  vid_offset: 'vidOffset vid_offset',
  next_batch: 'from batch',
  next_scroll_id: 'scroll_id',
  next_position: 'position',
  next_since_id: 'since_id',
  next_cursor_mark: 'cursor_mark',
  cursor_next: 'cursor',
  resume_token: 'resume_token',
  resumption_token: 'resumption_token',
  load_more_token: 'load_more_token',
  page_state: 'page_state',
  next: 'cursor page after from start offset next',
  end_cursor: 'after cursor',
  after_cursor: 'after page[after] cursor',
  last_evaluated_key: 'exclusive_start_key start_key',
  last_key: 'last_key start_key exclusive_start_key',
  continuation_token: 'continuation_token continuation continuation-token',
  continuation: 'continuation continuation_token',
  continue: 'continue',
  bookmark: 'bookmark',
  scroll_id: 'scroll_id',
  scroll_param: 'scroll_param',
  search_after: 'search_after',
  page_token: 'page_token',
  pagination_token: 'pagination_token',
  starting_after: 'starting_after',
  after: 'after page[after] page[cursor] cursor',
  marker: 'marker',
  cursor: 'cursor after page[cursor]',
  offset: 'offset',
};

/** §4: fields that may also repeat the request's cursor, and then name no next page. */
export const ECHOED_CURSOR_FIELDS = splitWords(`
  continuation_token continuation continue bookmark page_token pagination_token starting_after after marker cursor
  search_after offset
`);

/** §4: cursor values that mean "no more", besides null and an empty text. */
export const EMPTY_CURSOR_VALUES = splitWords(`0 null nil none false undefined`);

/** §4: fields that say whether more follows, and fields that say that this page is the last. */
export const HAS_MORE_FIELDS = splitWords(`
  has_more has_next has_next_page more has_more_items has_more_pages has_more_results more_available more_results
  is_truncated truncated next_page_exists more_records more_items more_items_in_collection
  has_more_data exists_more more_exists has_more_page has_more_records more_data_available more_result more_data
  more_pages has_additional more_results_available exceeded_transfer_limit next next_page
`);
export const IS_LAST_FIELDS = splitWords(
  `last is_last is_last_page last_page is_final done is_end finished end_of_list end_of_stream last_result_set
  no_more eof exhausted`,
);

/**
 * §4: fields that count what is left, and fields that count entries for certain. Beside a field of the third
 * list, both are about something else, such as the rate limit. A 0 says nothing: it may be any of them.
 */
export const REMAINING_FIELDS = splitWords(`remaining remaining_count`);
export const REMAINING_ITEM_FIELDS = splitWords(`remaining_items remaining_item_count items_remaining items_left`);
export const QUOTA_FIELDS = splitWords(`reset reset_at reset_in resets_at used limit`);

/** §4: texts in such a field, besides true, false and a number. */
export const TRUE_VALUES = splitWords(`true yes y`);
export const FALSE_VALUES = splitWords(`false no n`);

/** §4: fields that hold the page number, their parameters, and fields that count the pages. */
export const PAGE_NUMBER_FIELDS: Readonly<Record<string, string>> = {
  page: 'page page_number',
  current_page: 'page current_page',
  page_number: 'page_number page',
  page_index: 'page_index page',
  page_no: 'page_no page',
  page_num: 'page_num page',
  current: 'page current',
  number: 'page page[number] page_number',
};
export const PAGE_PARAMS = splitWords(
  `page page_number page_index page_no page_num current_page current p _page page[number]`,
);
export const PAGE_COUNT_FIELDS = splitWords(
  `total_pages last_page page_count pages page_total nb_pages num_pages last max_page last_page_number`,
);

/** §4: fields that count the entries before the page, which are also parameters, and further parameters. */
export const OFFSET_FIELDS = splitWords(`offset skip start start_at start_index start_position first_result from`);
export const OFFSET_PARAMS = splitWords(
  `offset skip start start_at start_index start_position first_result from _start $skip page[offset]`,
);

/** §4: an `offset` that is a time zone, not a position: `+02:00`. */
export const TIME_ZONE_OFFSET_PATTERN = /^\s*(?:utc|gmt|z)?\s*[+-]\d{1,2}(?::?\d\d)?\s*$/i;

/** §4: offsets that start at one. */
export const ONE_BASED_OFFSET_FIELDS = ['start_index'];

/** §4: fields and parameters for the page size. */
export const SIZE_FIELDS = splitWords(`
  per_page page_size limit size take items_per_page hits_per_page results_per_page max_results top $top page[size]
  page[limit] _limit
`);

/** §4: the position parameter that belongs to a size parameter of the caller. */
export const POSITION_PARAM_BY_SIZE_PARAM: Readonly<Record<string, string>> = {
  take: 'skip',
  $top: '$skip',
  'page[limit]': 'page[offset]',
  'page[size]': 'page[number]',
  _limit: '_page',
};

/** §4: fields that count all entries, the clearest first; a `count` must exceed the page's entries. */
export const TOTAL_FIELDS = splitWords(`
  total_count total_items total_results total_records total_entries total_elements total_hits nb_hits total_size
  total_set_size total_item_count total_record_count hydra:totalItems
  total_number total_rows record_count records_filtered records_total @odata.count odata.count total
  results_total total_docs num_found items_total total_row_count full_result_size
  total_items_count total_num size_total nb_total
`);
export const COUNT_FIELDS = splitWords(`
  count result_count results_count item_count items_count count_total total_found found matched of
  num_results number_of_results row_count full_count
`);

/** §4: marks a total as a lower bound: `{value: 10000, relation: "gte"}`. */
export const TOTAL_RELATION_FIELD = 'relation';
export const LOWER_BOUND_RELATIONS = splitWords(`gte gt at_least estimate`);

/** §4: other fields of a response that omits its list because it has no entries. */
export const EMPTY_LIST_SIBLINGS = splitWords(`kind etag self_link object success ok status`);

/** §4: fields for the kind of an entry: in a mixed list, each kind may have its own IDs. */
export const KIND_FIELDS = splitWords(`type object kind`);

/** §4: parameters for the last entry read, if a response only says that more follows. */
export const AFTER_ID_PARAMS = splitWords(`starting_after after marker after_id`);

/** §4: parameters to try if a response names no position: page number, and entries before the page. */
export const GUESSED_PAGE_PARAM = 'page';
export const GUESSED_OFFSET_PARAMS = splitWords(`offset skip`);

/** §4: further ones, to try after a page that is known not to be the last. */
export const RARE_PAGE_PARAMS = splitWords(`page[number] pagination[page]`);
export const RARE_OFFSET_PARAMS = splitWords(`skipCount page[offset]`);

/** §4: usual page sizes: a list of this length without pagination fields may have been cut there. */
export const USUAL_PAGE_SIZES: readonly number[] = [
  10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 125, 128, 150, 200, 250, 256, 300, 400, 500, 512, 1000, 1024, 2000,
  2500, 5000, 10_000,
];

/** §4: page number in a path, below the list's own path: `/links/page/2`. */
export const PAGE_PATH_PATTERN = /^(?:page|pages|p)\/\d{1,9}$/;

/** §7: rejections that may mean "no such page" or "no such parameter". */
export const PAGE_REJECTED_STATUSES: readonly number[] = [400, 404, 410, 416, 422];
/** §7: those that are about a missing page, not about the request's form. */
export const MISSING_PAGE_STATUSES: readonly number[] = [404, 410, 416];
/** §7: texts of a failed 2xx that are about the position or the parameter. */
export const PAGE_REJECTED_PATTERN =
  /\b(?:pages?|offset|cursor|range|found|exists?|no more|param\w*|query|arguments?|unsupported|empty|validation|malformed|(?:bad|invalid|unknown|unexpected) (?:field|input|value|option|request))\b/i;
/** §7: texts of another failure; a text that matches neither means an empty page. */
export const OTHER_FAILURE_PATTERN =
  /internal|unavailable|time.?out|timed|again|later|denied|forbidden|auth|token|credential|key|expired|rate.?limit|too many|quota|thrott|wrong|fail|exception|error|down\b|overload|maintenance|busy|upstream|gateway/i;
/** §7: rejections below 500 that are not about the page: key, permission, time, rate limit. */
export const NON_PAGE_ERROR_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

/** §4: a time filter may have the name of a position; numbers from `minSeconds` on are Unix times. */
export const TIME_FILTER = {
  params: splitWords(`after`),
  value: /^(?:\d{4}-\d\d(?:-\d\d.*)?|1\d{9}|1\d{12})$/,
  minSeconds: 1_000_000_000,
} as const;
