/** Parsers for single values and names in a response. */
import { EMPTY_CURSOR_VALUES, TIME_ZONE_OFFSET_PATTERN } from '../assumptions/index.ts';
import { normalizeName } from '../records/fields.ts';
import { splitWords } from '../split-words.ts';

/** Fields by their plain names, with the parameters that may take their values. */
export type ParamTable = readonly (readonly [field: string, params: readonly string[]])[];

export function createParamTable(fields: Readonly<Record<string, string>>): ParamTable {
  return Object.entries(fields).map(([name, params]) => [normalizeName(name), splitWords(params)]);
}

/** Returns a whole number from 0, also if it is given as text. */
export function parseWholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d{1,15}$/.test(value.trim())) return undefined;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Returns a count; `"1,057"` is one formatted for people. */
export function parseCount(value: unknown): number | undefined {
  const isGrouped = typeof value === 'string' && /^\s*\d{1,3}(?:,\d{3})+\s*$/.test(value);
  return parseWholeNumber(isGrouped ? value.replaceAll(',', '') : value);
}

/** Returns a cursor as text. An empty text, 0, a negative number and words such as `none` mean that there is none. */
export function parseCursor(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (text === '' || EMPTY_CURSOR_VALUES.includes(text.toLowerCase()) || Number(text) < 0) return undefined;
  return String(value);
}

/** Returns true if a value of a field that may also hold a number is a cursor: neither a number nor a clock's offset. */
export function isTextCursor(value: unknown): boolean {
  if (typeof value !== 'string' || TIME_ZONE_OFFSET_PATTERN.test(value)) return false;
  return parseWholeNumber(value) === undefined && parseCursor(value) !== undefined;
}

/** Returns true if a value says that there is no next page. */
export function isNoCursor(value: unknown): boolean {
  if (value === null || value === false) return true;
  return (typeof value === 'string' || typeof value === 'number') && parseCursor(value) === undefined;
}

/** Returns true if a text may be a URL. Other texts name something else, such as the next chapter. */
export function mayBeUrl(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?|\.\.?\/|[\w/-]*\?\w+=)/i.test(text);
}

/** Parameters that are tried for one field. */
const MAX_SPELLINGS = 6;

/** Returns parameters in the spelling of the field that led to them first: `nextPageToken` leads to `pageToken`. */
export function getParamSpellings(field: string, params: readonly string[]): string[] {
  return [...new Set(getSpellings(field, params))].slice(0, Math.max(MAX_SPELLINGS, params.length));
}

function getSpellings(field: string, params: readonly string[]): string[] {
  if (field.includes('-')) return params.flatMap((param) => [param.replaceAll('_', '-'), param]);
  const plain = params.filter((param) => !param.includes('-'));
  const hyphenated = params.filter((param) => param.includes('-'));
  const camel = plain.map((param) => param.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  if (/^[A-Z]/.test(field)) {
    const pascal = camel.map((param) => param.charAt(0).toUpperCase() + param.slice(1));
    return [...camel, ...pascal, ...plain, ...hyphenated];
  }
  const isCamel = /[a-z][A-Z]/.test(field) && !field.includes('_');
  return [...(isCamel ? [...camel, ...plain] : [...plain, ...camel]), ...hyphenated];
}
