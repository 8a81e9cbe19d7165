import { idOf, isObject, type JsonObject } from '../../src/answer/fields.ts';
import { SOUGHT_FIELDS } from '../assumptions.ts';

const DEEPEST = 3;

/** A text without case, accents and forms of the same letter: `Ä`, `ä` and `a` are one. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/[øłđıæœ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Letters that Unicode does not take apart, and that people type without. */
const LETTERS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };

/** How well an object fits a text: 0 its id or a whole name, 1 begins, 2 begins a word, 3 holds it, 4 holds its words. */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** The best fit among an object's id, names, titles, e-mails and addresses; undefined where none holds the text. */
export function rankItem(item: JsonObject, wanted: string, resource: string): Rank | undefined {
  let best: Rank | undefined = idOf(item, resource) === wanted ? 0 : undefined;
  const text = folded(wanted);
  if (text === '') return best;
  for (const found of soughtTexts(item, 0)) {
    const rank = rankOfText(folded(found), text);
    if (rank !== undefined && (best === undefined || rank < best)) best = rank;
  }
  return best;
}

function rankOfText(found: string, text: string): Rank | undefined {
  if (found === text) return 0;
  if (found.startsWith(text)) return 1;
  for (let at = found.indexOf(text); at >= 0; at = found.indexOf(text, at + 1))
    if (!/[\p{L}\p{N}]/u.test(found.charAt(at - 1))) return 2;
  if (found.includes(text)) return 3;
  const parts = text.split(' ');
  return parts.length > 1 && parts.every((part) => found.includes(part)) ? 4 : undefined;
}

/** The texts that a person would look for an object by, those of nested objects too. */
function* soughtTexts(item: JsonObject, depth: number): Generator<string> {
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (isSought(name)) yield String(value);
    } else if (depth < DEEPEST) yield* nestedTexts(value, { name, depth: depth + 1 });
  }
}

function* nestedTexts(value: unknown, at: { name: string; depth: number }): Generator<string> {
  if (isObject(value)) yield* soughtTexts(value, at.depth);
  if (!Array.isArray(value)) return;
  for (const one of value) {
    if (isObject(one)) yield* soughtTexts(one, at.depth);
    else if (typeof one === 'string' && isSought(at.name.replace(/e?s$/i, ''))) yield one;
  }
}

/** By the last word: `owner_email`, `ownerEmail` and `Email` are all e-mails. */
function isSought(name: string): boolean {
  const last = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]/)
    .at(-1);
  return SOUGHT_FIELDS.some((field) => last === field || last?.endsWith(field));
}
