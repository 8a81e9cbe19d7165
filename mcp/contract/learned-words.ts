import { isGateField } from '../../src/assumptions/writable.ts';
import { VALUE_FORMATS } from '../../src/profile/schema.ts';
import { type Learned, type LearnedName, shownName } from './learned.ts';
import { getTypes } from './mismatch.ts';

/** The most tokens that a tool may cost on the menu. */
export const TOOL_TOKENS = 160;

/** What comes before each kind of names: a field that only answers showed is not said to be taken. */
const PREFIX: Readonly<Record<LearnedName['knownBy'], string>> = {
  documented: 'Takes',
  taken: 'Takes',
  seen: 'Seen',
  narrows: 'Narrows',
  sorts: 'Sorts',
};

/**
 * What an argument is told by: its likeliest names with their types, as many as fit into `room` tokens; without types where
 * hardly one would fit with its own, and gates first then; undefined where none does. `left` are names that stand elsewhere on the tool.
 */
export function describeLearned(
  learned: Learned,
  { room, left }: { room: number; left: readonly string[] },
): string | undefined {
  const names = learned.names.filter(
    ({ name, knownBy }) => knownBy !== 'documented' && isPlain(name) && !left.includes(name),
  );
  const typed = packed(names, room, (one) => [typedName(one), one.name]);
  if (typed.count >= Math.min(FEW, names.length)) return typed.text;
  const gates = names.toSorted((a, b) => Number(isGateField(b.name)) - Number(isGateField(a.name)));
  const bare = packed(gates, room, (one) => [one.name]);
  return (bare.count >= typed.count ? bare : typed).text;
}

const FEW = 3;

/** As many names as fit, each in the first of its forms that does. */
function packed(
  names: readonly LearnedName[],
  room: number,
  getForms: (one: LearnedName) => readonly string[],
): { text: string | undefined; count: number } {
  let text = '';
  let last: string | undefined;
  for (const [count, one] of names.entries()) {
    const prefix = PREFIX[one.knownBy];
    const start = last === prefix ? `${text}, ` : `${text}${text === '' ? '' : '; '}${prefix} `;
    const next = getForms(one)
      .map((form) => `${start}${form}`)
      .find((candidate) => estimateNameTokens(candidate) <= room - MORE_TOKENS);
    if (next === undefined) return { text: text === '' ? undefined : `${text}, …`, count };
    text = next;
    last = prefix;
  }
  return { text: text === '' ? undefined : text, count: names.length };
}

/** Names of signs cost many tokens and say little; they are known all the same. */
function isPlain(name: string): boolean {
  return shownName(name) && /^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/.test(name);
}

const MORE_TOKENS = 3;

/** `expires_at (date-time)`, `status (draft|sent)`, `sort=-created_at`. */
function typedName({ name, schema, value }: LearnedName): string {
  if (value !== undefined) return shownName(value.replace(/^[-+]/, '')) ? `${name}=${value}` : name;
  if (!schema) return name;
  const words = getEnumValues(schema.enum ?? []);
  const kind = words.length > 0 ? words.join('|') : formatType(schema.format, getTypes(schema));
  return kind === '' ? name : `${name} (${kind})`;
}

/** Words that a value may be, as far as they look like words. */
export function getEnumValues(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && shownName(value)).slice(0, 8);
}

function formatType(format: string | undefined, types: readonly string[]): string {
  // The form of an id says nothing about what may be given.
  if (VALUE_FORMATS.some((one) => one === format) && !/id$|^digits$/.test(format ?? '')) return format ?? '';
  return types.join('|');
}

/** What a tokenizer takes apart first: a word with the sign before it, up to three digits, other signs. */
const PIECES = /[^\sA-Za-z\d]?(?:[A-Z]?[a-z]+|[A-Z]+)|\d{1,3}|\s?[^\sA-Za-z\d]+/g;

/** The pieces of a text of usual words: each is a token, but for few. */
export function countPieces(text: string): number {
  return [...text.matchAll(PIECES)].length;
}

/** About as many tokens as a model makes of names and types, rather more: what nobody writes costs more than a word. */
function estimateNameTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    const { length } = piece.replace(/^[^A-Za-z]/, '');
    const isWord = /[A-Za-z]/.test(piece);
    if (!isWord) tokens += /\d/.test(piece) ? 1 : Math.ceil(piece.trim().length / 2);
    else if (/[^aeiouyAEIOUY\W]{4}|[A-Z]{3}/.test(piece)) tokens += Math.ceil(length / 1.5);
    else tokens += length <= 7 ? 1 : Math.ceil(length / 4);
  }
  return tokens;
}
