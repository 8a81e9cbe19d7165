/**
 * What is assumed of refusals, whose form the document leaves open: §7 "Error body shape, error codes, and the statuses
 * … not shown". Part of the assumptions. Each list is tried in its order.
 */
import { splitWords } from '../split-words.ts';

/** §7: where the words of a JSON error stand. */
export const ERROR_MESSAGE_FIELDS = splitWords(`
  message detail error_description error title reason description msg errors
`);

/** §7: where its code stands; `type` is an address in problem+json. */
export const ERROR_CODE_FIELDS = splitWords(`code error_code errorCode status type`);

/** §7: objects that may hold message, code and details one level down. */
export const ERROR_CONTAINERS = splitWords(`error errors data response body fault extensions meta`);

/** §7: lists, or objects of lists by field, that say one by one what is wrong. */
export const DETAIL_LISTS = splitWords(`
  errors details issues violations fieldErrors field_errors fieldViolations field_violations invalid-params
  invalid_params invalidParams validation_errors validationErrors validation fields detail message messages
  formErrors form_errors
`);

/** §7: what one detail is about: a name, a path as text or list, or `source: {pointer}` (JSON:API). */
export const DETAIL_FIELD_FIELDS = splitWords(`
  field path loc param parameter pointer propertyPath property_path property instancePath dataPath source
  attribute name missingProperty
`);
/** §7: where an error of one message names its field; `path` and `name` would be those of the request and the error. */
export const ERROR_FIELD_FIELDS = splitWords(`field param parameter pointer source`);
export const DETAIL_MESSAGE_FIELDS = splitWords(`
  message msg detail description reason defaultMessage error title
`);
/** §7: what tells one entry from an object of entries by field. */
export const ENTRY_MESSAGE_FIELDS = splitWords(`message msg`);
export const DETAIL_CODE_FIELDS = splitWords(`code type keyword rule error_code errorCode`);
/** §7: the messages of one detail by the name of the rule that was broken. */
export const DETAIL_RULES_FIELD = 'constraints';

/** §7: keys that stand for the whole input among keys that are fields. */
export const WHOLE_INPUT_KEYS: readonly string[] = [
  '',
  ...splitWords(`_errors _error base non_field_errors __all__ _schema formErrors`),
];
/** §7: first parts of a path that say where the field was sent, not what it is called. */
export const PATH_PREFIXES = splitWords(`body query params data attributes`);

/** §7 "error codes … not shown": values that stand in a code's field and are none. */
export const PLACEHOLDER_CODES = splitWords(`about:blank error fail failure failed object`);

/**
 * §7 "Success is a 2xx status": by which fields a 2xx may still say that it holds no more than a failure, in any case and
 * with any separator.
 */
export const FAILED_2XX = {
  successFlags: splitWords(`success ok succeeded successful is_success`),
  errorFields: splitWords(`error errors is_error has_error has_errors`),
  /** Texts of an error that mean none, without their blanks, and codes beside one, besides the numbers 2xx. */
  noErrorValues: splitWords(
    `0 - null nil none false no n ok okay success successful undefined noerror noerrors`,
  ),
  statusFields: splitWords(`status status_code code`),
  /** Or the number of a 4xx or 5xx; `failed` may be the state of an object. */
  failedStatuses: splitWords(`error fail`),
  /** What also stands beside the words of a failure and is no object of the service. */
  siblingFields: splitWords(`
    path instance time timestamp request_id trace_id trace correlation_id documentation_url docs_url help_url jsonrpc
  `),
} as const;
