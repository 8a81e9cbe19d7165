import { idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { SEARCH_FIELDS } from '../assumptions.ts';

const MAX_DEPTH = 3;

/** A text without case, accents and forms of the same letter: `Ä`, `ä` and `a` are one. */
export function foldText(text: string): string {
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

/** Letters that Unicode does not take apart, and that people type without. */
const FOLDED_LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };

/** How well an object fits a text: 0 its id or a whole name, 1 begins, 2 begins a word, 3 holds it, 4 holds its words. */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** The best fit among an object's id, names, titles, e-mails and addresses; undefined where none holds the text. */
export function rankItem(item: JsonObject, searchText: string, resource: string): Rank | undefined {
  let best: Rank | undefined = idOf(item, resource) === searchText ? 0 : undefined;
  const text = foldText(searchText);
  if (text === '') return best;
  for (const candidate of iterateSearchableTexts(item, 0)) {
    const rank = rankText(foldText(candidate), text);
    if (rank !== undefined && (best === undefined || rank < best)) best = rank;
  }
  return best;
}

function rankText(candidate: string, text: string): Rank | undefined {
  if (candidate === text) return 0;
  if (candidate.startsWith(text)) return 1;
  for (let at = candidate.indexOf(text); at >= 0; at = candidate.indexOf(text, at + 1))
    if (!/[\p{L}\p{N}]/u.test(candidate.charAt(at - 1))) return 2;
  if (candidate.includes(text)) return 3;
  const parts = text.split(' ');
  return parts.length > 1 && parts.every((part) => candidate.includes(part)) ? 4 : undefined;
}

/** The texts that a person would look for an object by, those of nested objects too. */
function* iterateSearchableTexts(item: JsonObject, depth: number): Generator<string> {
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (isSearchableField(name)) yield String(value);
    } else if (depth < MAX_DEPTH) yield* iterateNestedTexts(value, { name, depth: depth + 1 });
  }
}

function* iterateNestedTexts(value: unknown, at: { name: string; depth: number }): Generator<string> {
  if (isObject(value)) yield* iterateSearchableTexts(value, at.depth);
  if (!Array.isArray(value)) return;
  for (const element of value) {
    if (isObject(element)) yield* iterateSearchableTexts(element, at.depth);
    else if (typeof element === 'string' && isSearchableField(at.name.replace(/e?s$/i, ''))) yield element;
  }
}

/** By the last word: `owner_email`, `ownerEmail` and `Email` are all e-mails. */
function isSearchableField(name: string): boolean {
  const lastWord = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]/)
    .at(-1);
  return SEARCH_FIELDS.some((field) => lastWord === field || lastWord?.endsWith(field));
}
