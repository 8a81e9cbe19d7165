/** Fingerprints to recognize a page or an entry that is returned again. */
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import type { JsonObject } from '../records/fields.ts';

/** Maximum number of compared fields per entry, so that a cursor stays small. */
const MAX_FIELDS = 16;
const MAX_OVERLAP_IDS = 8;
const OVERLAP_ID_LENGTH = 6;
const SIMILARITY_LENGTH = 7;
/** Number of entries that are compared one by one. */
const FIRST_ENTRIES = 3;

/**
 * Returns a hash of the ids, if entries have them: other fields may differ between two responses with the same page.
 */
export function getFingerprint(items: readonly JsonObject[], ids: readonly string[] | undefined): string {
  return hash(ids ?? items);
}

/**
 * Returns fingerprints, some of which are equal in two responses with the same page: of all entries in any order, of
 * each of the first ones, and, without ids, of the values of each field.
 */
export function getPartialFingerprints(items: readonly JsonObject[], ids: readonly string[] | undefined): string[] {
  const entries = ids ?? items.map((item) => toText([item]));
  const firsts = entries.slice(0, FIRST_ENTRIES).map((entry) => [entry]);
  const fields = ids ? [] : getFieldValues(items);
  return [entries.toSorted(), ...firsts, ...fields].map((values) => hash(values).slice(0, SIMILARITY_LENGTH));
}

/** Returns true if two pages have the same entries, in any order. */
export function hasSameEntries(one: readonly string[], other: readonly string[]): boolean {
  return one[0] !== undefined && one[0] === other[0];
}

/** Returns true if each of the first `count` entries was among the first entries of the other page. */
export function hasSameFirstEntries(one: readonly string[], other: readonly string[], count: number): boolean {
  return count <= FIRST_ENTRIES && one.slice(1, 1 + count).every((entry) => other.includes(entry));
}

/** The values of each field that tells most entries apart: the next page may have the same few values of a flag. */
function getFieldValues(items: readonly JsonObject[]): string[][] {
  return Object.keys(items[0] ?? {})
    .slice(0, MAX_FIELDS)
    .map((field) => [field, ...items.map((item) => toText([item[field]]))])
    .filter((values) => new Set(values).size * 2 > values.length + 1);
}

/** Returns short hashes of the last ids of a page. */
export function getOverlapIds(ids: readonly string[]): string[] {
  return ids.slice(-MAX_OVERLAP_IDS).map(shortHash);
}

/** Entries that earlier pages had. */
export interface KnownIds {
  readonly ids: ReadonlySet<string>;
  /** Short hashes, of a page that was read in another call. */
  readonly overlapIds: ReadonlySet<string>;
}

export function isKnownId(id: string, { ids, overlapIds }: KnownIds): boolean {
  return ids.has(id) || (overlapIds.size > 0 && overlapIds.has(shortHash(id)));
}

function shortHash(id: string): string {
  return hash([id]).slice(0, OVERLAP_ID_LENGTH);
}

function hash(values: readonly unknown[]): string {
  return createHash('sha256').update(toText(values)).digest('base64url').slice(0, 22);
}

/** Entries nested deeper than the stack can be parsed, but not written as JSON: only their upper levels count. */
function toText(values: readonly unknown[]): string {
  try {
    return JSON.stringify(values);
  } catch {
    return inspect(values, { depth: 100, maxArrayLength: null, maxStringLength: null });
  }
}
