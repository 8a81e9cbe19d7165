import {
  DETAIL_LISTS,
  ENTRY_MESSAGE_FIELDS,
  ENVELOPE_KEYS,
  ENVELOPE_SIBLINGS,
  ERROR_MESSAGE_FIELDS,
  FAILED_2XX,
} from '../assumptions/index.ts';
import { createNameSet, getField, isObject, type JsonObject, normalizeName } from '../records/fields.ts';

const SUCCESS_FLAGS = createNameSet(FAILED_2XX.successFlags);
const ERROR_FIELDS = createNameSet(FAILED_2XX.errorFields);
const STATUS_FIELDS = createNameSet(FAILED_2XX.statusFields);
const ENVELOPES = createNameSet(ENVELOPE_KEYS);
const SIBLING_FIELDS = createNameSet([
  ...FAILED_2XX.siblingFields,
  ...FAILED_2XX.successFlags,
  ...FAILED_2XX.errorFields,
  ...FAILED_2XX.statusFields,
  ...ENVELOPE_SIBLINGS,
  ...ERROR_MESSAGE_FIELDS,
  ...DETAIL_LISTS,
]);
/** Maximum depth of the search for values that mean nothing. */
const MAX_DEPTH = 4;

/**
 * Returns true if a 2xx response to a read reports a failure and holds no data: `{"success": false, "data":
 * []}`. An error beside an object, or beside the `entryCount` entries of a list, does not make the response a
 * failure.
 */
export function isFailedResponse(raw: unknown, entryCount?: number): boolean {
  if (!isObject(raw) || !isMarkedFailed(raw, 2)) return false;
  return entryCount === 0 || hasNothingElse(raw);
}

function isMarkedFailed(container: JsonObject, depth: number): boolean {
  return Object.entries(container).some(([field, value]) => {
    const name = normalizeName(field);
    if (SUCCESS_FLAGS.has(name)) return value === false || value === 'false';
    if (STATUS_FIELDS.has(name)) return isFailureStatus(value);
    if (ERROR_FIELDS.has(name)) return isErrorValue(value);
    return depth > 0 && ENVELOPES.has(name) && isObject(value) && isMarkedFailed(value, depth - 1);
  });
}

/** Returns the 4xx or 5xx status that a 2xx body reports. */
export function getFailureStatus(raw: unknown, depth = 2): number | undefined {
  if (!isObject(raw)) return undefined;
  const fields = Object.entries(raw).map(([field, value]) => [normalizeName(field), value] as const);
  const ownStatuses = fields.flatMap(([name, value]) =>
    STATUS_FIELDS.has(name) && isErrorStatus(value) ? [Number(value)] : [],
  );
  if (ownStatuses[0] !== undefined || depth === 0) return ownStatuses[0];
  for (const [name, value] of fields) {
    const inner = Array.isArray(value) ? value[0] : value;
    const found = ERROR_FIELDS.has(name) || ENVELOPES.has(name) ? getFailureStatus(inner, depth - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isErrorStatus(value: unknown): boolean {
  return /^[45]\d\d$/.test(`${value}`);
}

function isFailureStatus(value: unknown): boolean {
  const text = `${typeof value === 'number' ? value : typeof value === 'string' ? value.toLowerCase() : ''}`;
  return FAILED_2XX.failedStatuses.includes(text) || isErrorStatus(text);
}

function isErrorValue(value: unknown): boolean {
  if (typeof value === 'number') return false;
  return !isNoErrorValue(value) && !(isObject(value) && hasSuccessCode(value));
}

/** Services may include an error field in each response: empty, with zeros, or with a code for "no error". */
function isNoErrorValue(value: unknown, depth = MAX_DEPTH): boolean {
  if (isEmpty(value) || value === false || value === 0) return true;
  if (typeof value === 'string') return FAILED_2XX.noErrorValues.includes(value.replace(/\s/g, '').toLowerCase());
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).every((one) => isNoErrorValue(one, depth - 1));
}

function hasSuccessCode(error: JsonObject): boolean {
  const codes = Object.entries(error).flatMap(([field, value]) =>
    STATUS_FIELDS.has(normalizeName(field)) && !isEmpty(value) ? [value] : [],
  );
  return codes.length > 0 && codes.every((code) => isNoErrorValue(code) || /^2\d\d$/.test(`${code}`));
}

/** Returns true if the body holds nothing but the failure report, in any envelope. */
function hasNothingElse(container: JsonObject, depth = 2): boolean {
  return Object.entries(container).every(([field, value]) => {
    const name = normalizeName(field);
    if (SIBLING_FIELDS.has(name) || isEmpty(value)) return true;
    if (depth === 0 || !ENVELOPES.has(name)) return false;
    if (!isObject(value)) return typeof value === 'string';
    return (isMarkedFailed(value, depth - 1) || hasMessage(value)) && hasNothingElse(value, depth - 1);
  });
}

function hasMessage(container: JsonObject): boolean {
  return ENTRY_MESSAGE_FIELDS.some((name) => typeof getField(container, name) === 'string');
}

function isEmpty(value: unknown, depth = MAX_DEPTH): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || depth === 0) return false;
  return Object.values(value).every((one) => isEmpty(one, depth - 1));
}
