import { idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { memoizeByName } from '../../src/records/memoize-by-name.ts';
import { SEARCH_FIELDS } from '../assumptions.ts';

const MAX_DEPTH = 3;

/** Normalizes text for search, ignoring case and accents: `Ä`, `ä` and `a` are equal. */
export function normalizeForSearch(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/[øłđıæœ]/g, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Printable ASCII with single spaces inside. */
const PLAIN_TEXT = /^(?:[!-~]+ )*[!-~]+$/;

/** Letters that Unicode does not decompose. */
const FOLDED_LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };

/** 0: equals id or name; 1: starts with the text; 2: a word starts with it; 3: contains it; 4: contains its words. */
type MatchRank = 0 | 1 | 2 | 3 | 4;

export interface SearchMatch {
  readonly rank: MatchRank;
  /** Name of the field that matched, with those around it: `recipients.name`. */
  readonly field: string;
}

/** Best match among an object's id, names, titles, emails and URLs; undefined if none matches. */
export function findMatch(item: JsonObject, searchText: string, resource: string): SearchMatch | undefined {
  let best: SearchMatch | undefined = idOf(item, resource) === searchText ? { rank: 0, field: 'id' } : undefined;
  const text = normalizeForSearch(searchText);
  if (text === '') return best;
  for (const [field, candidate] of iterateSearchableTexts(item)) {
    const rank = rankText(normalizeForSearch(candidate), text);
    if (rank !== undefined && (best === undefined || rank < best.rank)) best = { rank, field };
  }
  return best;
}

function rankText(candidate: string, text: string): MatchRank | undefined {
  if (candidate === text) return 0;
  if (candidate.startsWith(text)) return 1;
  for (let at = candidate.indexOf(text); at >= 0; at = candidate.indexOf(text, at + 1))
    if (!/[\p{L}\p{N}]/u.test(candidate.charAt(at - 1))) return 2;
  if (candidate.includes(text)) return 3;
  const parts = text.split(' ');
  return parts.length > 1 && parts.every((part) => candidate.includes(part)) ? 4 : undefined;
}

/** Texts by which a user would search for an object, including nested ones. */
function* iterateSearchableTexts(
  item: JsonObject,
  path: readonly string[] = [],
): Generator<readonly [field: string, text: string]> {
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (isSearchableField(name)) yield [[...path, name].join('.'), String(value)];
    } else if (path.length < MAX_DEPTH) yield* iterateNestedTexts(value, [...path, name]);
  }
}

function* iterateNestedTexts(value: unknown, path: readonly string[]): ReturnType<typeof iterateSearchableTexts> {
  if (isObject(value)) yield* iterateSearchableTexts(value, path);
  if (!Array.isArray(value)) return;
  for (const element of value) {
    if (isObject(element)) yield* iterateSearchableTexts(element, path);
    else if (typeof element === 'string' && isSearchableField((path.at(-1) ?? '').replace(/e?s$/i, '')))
      yield [path.join('.'), element];
  }
}

/** Checks the last word: `owner_email`, `ownerEmail` and `Email` are all emails. */
const isSearchableField = memoizeByName((name) => {
  const lastWord = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]/)
    .at(-1);
  return SEARCH_FIELDS.some((field) => lastWord === field || lastWord?.endsWith(field));
});
