import {
  DETAIL_LISTS,
  ENTRY_MESSAGE_FIELDS,
  ENVELOPE_KEYS,
  ENVELOPE_SIBLINGS,
  ERROR_MESSAGE_FIELDS,
  FAILED_READ,
} from '../assumptions/index.ts';
import { getField, isObject, type JsonObject, plainName } from './fields.ts';

const plainSet = (names: readonly string[]) => new Set(names.map(plainName));
const FLAGS = plainSet(FAILED_READ.flags);
const FAILURES = plainSet(FAILED_READ.errors);
const STATUSES = plainSet(FAILED_READ.statusFields);
const ENVELOPES = plainSet(ENVELOPE_KEYS);
const ASIDE = plainSet([
  ...FAILED_READ.beside,
  ...FAILED_READ.flags,
  ...FAILED_READ.errors,
  ...FAILED_READ.statusFields,
  ...ENVELOPE_SIBLINGS,
  ...ERROR_MESSAGE_FIELDS,
  ...DETAIL_LISTS,
]);
/** Deeper than this, what an answer holds is its own affair. */
const DEEPEST = 4;

/**
 * Whether a 2xx in answer to a read says that the call failed and holds nothing that was asked for: `{"success": false,
 * "data": []}`. An error beside an object, or beside the `entries` of a list, is the service's word on what it gives.
 */
export function saysFailure(raw: unknown, entries?: number): boolean {
  if (!isObject(raw) || !isMarked(raw, 2)) return false;
  return entries === 0 || holdsNothingElse(raw);
}

/** Whether an answer, or an envelope in it, is marked as a failure. */
function isMarked(holder: JsonObject, depth: number): boolean {
  return Object.entries(holder).some(([field, value]) => {
    const name = plainName(field);
    if (FLAGS.has(name)) return value === false || value === 'false';
    if (STATUSES.has(name)) return isFailureStatus(value);
    if (FAILURES.has(name)) return isError(value);
    return depth > 0 && ENVELOPES.has(name) && isObject(value) && isMarked(value, depth - 1);
  });
}

/** The number of a 4xx or 5xx by which a 2xx says how it failed. */
export function getFailureStatus(raw: unknown, depth = 2): number | undefined {
  if (!isObject(raw)) return undefined;
  const fields = Object.entries(raw).map(([field, value]) => [plainName(field), value] as const);
  const own = fields.flatMap(([name, value]) =>
    STATUSES.has(name) && isErrorStatus(value) ? [Number(value)] : [],
  );
  if (own[0] !== undefined || depth === 0) return own[0];
  for (const [name, value] of fields) {
    const inner = Array.isArray(value) ? value[0] : value;
    const found = FAILURES.has(name) || ENVELOPES.has(name) ? getFailureStatus(inner, depth - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function isErrorStatus(value: unknown): boolean {
  return /^[45]\d\d$/.test(`${value}`);
}

function isFailureStatus(value: unknown): boolean {
  const text = `${typeof value === 'number' ? value : typeof value === 'string' ? value.toLowerCase() : ''}`;
  return FAILED_READ.statuses.includes(text) || isErrorStatus(text);
}

function isError(value: unknown): boolean {
  if (typeof value === 'number') return false;
  return !isNoError(value) && !(isObject(value) && hasGoodCode(value));
}

/** Services may name an error in each answer: empty, with figures of 0, or with a code that says there is none. */
function isNoError(value: unknown, depth = DEEPEST): boolean {
  if (isEmpty(value) || value === false || value === 0) return true;
  if (typeof value === 'string') return FAILED_READ.none.includes(value.replace(/\s/g, '').toLowerCase());
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).every((one) => isNoError(one, depth - 1));
}

function hasGoodCode(error: JsonObject): boolean {
  const codes = Object.entries(error).flatMap(([field, value]) =>
    STATUSES.has(plainName(field)) && !isEmpty(value) ? [value] : [],
  );
  return codes.length > 0 && codes.every((code) => isNoError(code) || /^2\d\d$/.test(`${code}`));
}

/** Nothing beside the words of the failure, in whatever envelope. */
function holdsNothingElse(holder: JsonObject, depth = 2): boolean {
  return Object.entries(holder).every(([field, value]) => {
    const name = plainName(field);
    if (ASIDE.has(name) || isEmpty(value)) return true;
    if (depth === 0 || !ENVELOPES.has(name)) return false;
    if (!isObject(value)) return typeof value === 'string';
    return (isMarked(value, depth - 1) || hasMessage(value)) && holdsNothingElse(value, depth - 1);
  });
}

function hasMessage(holder: JsonObject): boolean {
  return ENTRY_MESSAGE_FIELDS.some((name) => typeof getField(holder, name) === 'string');
}

function isEmpty(value: unknown, depth = DEEPEST): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || depth === 0) return false;
  return Object.values(value).every((one) => isEmpty(one, depth - 1));
}
