import { isObject, type JsonObject } from '../../src/records/fields.ts';
import {
  DRAFT_RECIPIENT_FIELDS,
  EXPIRY_FIELDS,
  GATE_SWITCH_FIELDS,
  PARENT_FOLDER_FIELDS,
  RECIPIENT_PROPERTIES,
  REFERENCE_FIELDS,
  SAFE_FIELDS,
} from '../assumptions.ts';

/** What a write is about, which says what else is harmless in it. */
export type WriteSubject = 'object' | 'draft' | 'folder';

/**
 * The fields of a write that are not known to be harmless: those somebody has to agree to. The service may know fields
 * that open something up or send something, under any name, so that what is harmless is listed and all else asks.
 */
export function findRiskyFields(fields: unknown, subject: WriteSubject = 'object'): readonly string[] {
  if (!isObject(fields)) return [];
  return Object.entries(fields).flatMap(([name, value]) => (isSafeField(name, value, subject) ? [] : [name]));
}

function isSafeField(name: string, value: unknown, subject: WriteSubject): boolean {
  if (value === undefined) return true;
  if (SAFE_FIELDS.includes(name))
    return isPlainValue(value) || (Array.isArray(value) && value.every(isPlainValue));
  if (GATE_SWITCH_FIELDS.includes(name)) return value === true;
  if (subject === 'folder') return PARENT_FOLDER_FIELDS.includes(name) && isPlainValue(value);
  if (subject !== 'draft') return false;
  if (REFERENCE_FIELDS.includes(name)) return isPlainValue(value);
  return DRAFT_RECIPIENT_FIELDS.includes(name) && Array.isArray(value) && value.every(isRecipient);
}

/** A text or a number: an object under a harmless name could hold anything. */
function isPlainValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isRecipient(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, inner]) => RECIPIENT_PROPERTIES.includes(name) && isPlainValue(inner))
  );
}

/** Whether a field only brings an object's expiry nearer, by what the object says of itself. */
export function isEarlierExpiry(name: string, value: unknown, object: JsonObject): boolean {
  if (!EXPIRY_FIELDS.includes(name) || !Object.hasOwn(object, name)) return false;
  const requestedTime = parseTimeRange(value);
  const currentTime = parseTimeRange(object[name]);
  return (
    requestedTime !== undefined && currentTime !== undefined && requestedTime.latest <= currentTime.earliest
  );
}

const HOUR_MS = 3_600_000;

/** The moments that a date may mean: one with its time zone exactly one; a day may begin and end anywhere on earth. */
function parseTimeRange(value: unknown): { earliest: number; latest: number } | undefined {
  if (typeof value !== 'string') return undefined;
  const [, time, zone] =
    value.match(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/) ?? [];
  const at = Date.parse(zone === undefined ? `${value}${time === undefined ? 'T00:00' : ''}Z` : value);
  if (Number.isNaN(at)) return undefined;
  if (zone !== undefined) return { earliest: at, latest: at };
  return { earliest: at - 14 * HOUR_MS, latest: at + (time === undefined ? 36 : 12) * HOUR_MS };
}
