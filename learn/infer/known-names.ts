import * as assumptions from '../../src/assumptions/index.ts';
import { operations } from '../../src/operations/index.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { API_WORDS, KIND_VALUES } from '../assumptions.ts';

/** The keys of these assumptions are names that services use; all other keys are the project's own identifiers. */
const { CURSOR_FIELDS, LIST_ORDERS, POSITION_PARAM_BY_SIZE_PARAM, PAGE_NUMBER_FIELDS } = assumptions;
const KEYED_BY_NAME = [CURSOR_FIELDS, POSITION_PARAM_BY_SIZE_PARAM, PAGE_NUMBER_FIELDS, ...Object.values(LIST_ORDERS)];

/** Names in the API document and in the assumptions of this project. */
const NAMES = [
  ...collectStrings(assumptions),
  ...KEYED_BY_NAME.flatMap((one) => Object.keys(one)),
  ...KIND_VALUES,
  ...operations.flatMap(({ operation }) => getShapeKeys(operation)),
];

/** Whole names, compared without case and separators. */
const KNOWN_NAMES = new Set(NAMES.flatMap((text) => text.split('.').map(normalizeName)));

const KNOWN_WORDS = new Set([...NAMES, ...API_WORDS].flatMap(splitName));

/** Without keys: a renamed identifier must not change which names are known. */
function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ');
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(collectStrings);
}

function getShapeKeys({ input, output }: { input: object; output: object }): string[] {
  return [input, output].flatMap((schema) => ('shape' in schema ? Object.keys(schema.shape as object) : []));
}

/** Splits a name into lower-case words: `pageURLs`, `page_urls` and `Page-URLs` become `page`, `urls`. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z]{2})/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** Returns whether a name is in the API document or the assumptions, or consists of words that APIs use. */
export function isKnownName(name: string): boolean {
  if (KNOWN_NAMES.has(normalizeName(name))) return true;
  const parts = splitName(name);
  return parts.some((part) => /[a-z]/.test(part)) && parts.every(isKnownWord);
}

/** Returns whether a word is known, possibly with a short number: `line1`, `sha256`, `30d`. */
function isKnownWord(part: string): boolean {
  const [, before = '', word = '', after = ''] = /^(\d{0,2})([a-z]*)(\d{0,3})$/.exec(part) ?? [];
  if (`${before}${word}${after}` !== part) return false;
  if (word === '') return part.length <= 2;
  if (after.length === 3 && word !== 'sha') return false;
  return getStems(word).some((stem) => KNOWN_WORDS.has(stem));
}

/** Returns a word and its possible base forms: `copies`, `sizes`, `signed`, `sharing`, `stopped`. */
function getStems(word: string): string[] {
  const stems = [word];
  if (word.length < 4) return stems;
  const addStem = (suffix: string, ...replacements: string[]) => {
    if (word.endsWith(suffix)) stems.push(...replacements.map((one) => word.slice(0, -suffix.length) + one));
  };
  addStem('ies', 'y');
  addStem('ied', 'y');
  addStem('es', '');
  addStem('s', '');
  addStem('ed', '', 'e');
  addStem('ing', '', 'e');
  const doubled = /^(.+?)([bdglmnprt])\2(?:ed|ing)$/.exec(word);
  if (doubled) stems.push(`${doubled[1]}${doubled[2]}`);
  // `reed` is not a form of `re`.
  return stems.filter((stem) => stem === word || stem.length > 2);
}
