/** Assumptions about errors (§7 "Error body shape, error codes … not shown"); lists are tried in order. */
import { splitWords } from '../split-words.ts';

/** §7: fields of a JSON error that hold its message. */
export const ERROR_MESSAGE_FIELDS = splitWords(`
  message detail error_description error title reason description msg errors
`);

/** §7: fields that hold its code; `type` is a URL in problem+json. */
export const ERROR_CODE_FIELDS = splitWords(`code error_code errorCode status type`);

/** §7: objects that may hold the message, code and details one level down. */
export const ERROR_CONTAINERS = splitWords(`error errors data response body fault extensions meta`);

/** §7: lists, or objects of lists by field, that hold the single problems. */
export const DETAIL_LISTS = splitWords(`
  errors details issues violations fieldErrors field_errors fieldViolations field_violations invalid-params
  invalid_params invalidParams validation_errors validationErrors validation fields detail message messages
  formErrors form_errors
`);

/** §7: what a detail is about: a name, a path as text or list, or `source: {pointer}` (JSON:API). */
export const DETAIL_SUBJECT_FIELDS = splitWords(`
  field path loc param parameter pointer propertyPath property_path property instancePath dataPath source
  attribute name missingProperty
`);
/** §7: fields for the field name in an error with one message; `path` and `name` mean something else. */
export const ERROR_SUBJECT_FIELDS = splitWords(`field param parameter pointer source`);
export const DETAIL_MESSAGE_FIELDS = splitWords(`
  message msg detail description reason defaultMessage error title
`);
/** §7: fields that distinguish one entry from an object of entries by field. */
export const ENTRY_MESSAGE_FIELDS = splitWords(`message msg`);
export const DETAIL_CODE_FIELDS = splitWords(`code type keyword rule error_code errorCode`);
/** §7: messages of one detail, by the name of the violated rule. */
export const DETAIL_RULES_FIELD = 'constraints';

/** §7: keys among field names that mean the whole input. */
export const WHOLE_INPUT_KEYS: readonly string[] = [
  '',
  ...splitWords(`_errors _error base non_field_errors __all__ _schema formErrors`),
];
/** §7: first parts of a path that say where the field was sent, not its name. */
export const PATH_PREFIXES = splitWords(`body query params data attributes`);

/** §7 "error codes … not shown": values of a code field that are not codes. */
export const PLACEHOLDER_CODES = splitWords(`about:blank error fail failure failed object`);

/** §7 "Success is a 2xx status": fields by which a 2xx may report a failure, in any case and separator. */
export const FAILED_2XX = {
  successFlags: splitWords(`success ok succeeded successful is_success`),
  errorFields: splitWords(`error errors is_error has_error has_errors`),
  /** Error texts without spaces, and codes, that mean "no error"; codes 2xx do too. */
  noErrorValues: splitWords(`0 - null nil none false no n ok okay success successful undefined noerror noerrors`),
  statusFields: splitWords(`status status_code code`),
  /** Or a 4xx or 5xx number. `failed` is missing because it may be the state of an object. */
  failedStatuses: splitWords(`error fail`),
  /** Other fields of a failure report, which are not data. */
  siblingFields: splitWords(`
    path instance time timestamp request_id trace_id trace correlation_id documentation_url docs_url help_url jsonrpc
  `),
} as const;
