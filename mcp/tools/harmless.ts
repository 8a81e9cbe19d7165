import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import {
  EXPIRY_FIELDS,
  FOLDER_FIELDS,
  GATE_FIELDS,
  HARMLESS_FIELDS,
  PERSON_FIELDS,
  RECIPIENT_FIELDS,
  REFERENCE_FIELDS,
} from '../assumptions.ts';

/** What a write is about, which says what else is harmless in it. */
export type Subject = 'object' | 'draft' | 'folder';

/**
 * The fields of a write that are not known to be harmless: those somebody has to agree to. The service may know fields
 * that open something up or send something, under any name, so that what is harmless is listed and all else asks.
 */
export function doubtfulFields(fields: unknown, subject: Subject = 'object'): readonly string[] {
  if (!isObject(fields)) return [];
  return Object.entries(fields).flatMap(([name, value]) => (isHarmless(name, value, subject) ? [] : [name]));
}

function isHarmless(name: string, value: unknown, subject: Subject): boolean {
  if (value === undefined) return true;
  if (HARMLESS_FIELDS.includes(name)) return isPlain(value) || (Array.isArray(value) && value.every(isPlain));
  if (GATE_FIELDS.includes(name)) return value === true;
  if (subject === 'folder') return FOLDER_FIELDS.includes(name) && isPlain(value);
  if (subject !== 'draft') return false;
  if (REFERENCE_FIELDS.includes(name)) return isPlain(value);
  return RECIPIENT_FIELDS.includes(name) && Array.isArray(value) && value.every(isPerson);
}

/** A text or a number: an object under a harmless name could hold anything. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isPerson(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, inner]) => PERSON_FIELDS.includes(name) && isPlain(inner))
  );
}

/** Whether a field only brings an object's expiry nearer, by what the object says of itself. */
export function comesNearer(name: string, value: unknown, object: JsonObject): boolean {
  if (!EXPIRY_FIELDS.includes(name) || !Object.hasOwn(object, name)) return false;
  const wanted = parseTimeRange(value);
  const standing = parseTimeRange(object[name]);
  return wanted !== undefined && standing !== undefined && wanted.latest <= standing.earliest;
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
