import { ENVELOPE_KEYS, LINK_FIELDS, LIST_KEYS, PAGING_KEYS, SIDE_LISTS } from '../assumptions/index.ts';
import { fieldOf, isObject, type JsonObject, plainName, textField } from './fields.ts';

/** A list, and the objects that it stands in, outermost first. */
export interface FoundList {
  readonly list: readonly unknown[];
  readonly around: readonly JsonObject[];
}

const ENVELOPES = ENVELOPE_KEYS.map(plainName);
const PLAIN_LIST_KEYS = LIST_KEYS.map(plainName);
const ASIDE = new Set([...SIDE_LISTS, ...PAGING_KEYS].map(plainName));
const DEEPEST = 3;

/** The list in an answer of any usual shape (§4 shows none); undefined where it holds none. */
export function findList(raw: unknown, resource: string): FoundList | undefined {
  if (raw === undefined || raw === null) return { list: [], around: [] };
  if (Array.isArray(raw)) return { list: raw, around: [] };
  if (!isObject(raw)) return undefined;
  const names = [plainName(resource), ...PLAIN_LIST_KEYS];
  return findNamed([raw], names) ?? findOnly([raw]) ?? emptyOf(raw, names);
}

/** The list under a usual name, at the top or in envelopes. */
function findNamed(around: readonly JsonObject[], names: readonly string[]): FoundList | undefined {
  const holder = around.at(-1);
  if (!holder || around.length > DEEPEST + 1) return undefined;
  const fields = byPlainName(holder);
  for (const name of names) {
    const value = fields.get(name);
    if (isList(value)) return { list: value, around };
  }
  for (const name of [...ENVELOPES, ...names]) {
    const value = fields.get(name);
    const nested = isObject(value) ? findNamed([...around, value], names) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

/** The one array that may be the list, whatever its name; of several, the one that holds objects. */
function findOnly(around: readonly JsonObject[]): FoundList | undefined {
  const holder = around.at(-1);
  if (!holder || around.length > DEEPEST + 1) return undefined;
  const fields = [...byPlainName(holder)].filter(([name]) => !ASIDE.has(name));
  const arrays = fields.flatMap(([, value]) => (isList(value) ? [value] : []));
  const filled = arrays.length > 1 ? arrays.filter((array) => array.some(isObject)) : arrays;
  if (filled[0]) return filled.length === 1 ? { list: filled[0], around } : undefined;
  for (const [, value] of fields.sort(([a], [b]) => envelopeRank(a) - envelopeRank(b))) {
    const nested = isObject(value) ? findOnly([...around, value]) : undefined;
    if (nested) return nested;
  }
  return undefined;
}

function envelopeRank(name: string): number {
  const rank = ENVELOPES.indexOf(name);
  return rank < 0 ? ENVELOPES.length : rank;
}

/** `{"documents": null}` is a list without entries. */
function emptyOf(raw: JsonObject, names: readonly string[]): FoundList | undefined {
  const fields = byPlainName(raw);
  return names.some((name) => fields.get(name) === null) ? { list: [], around: [raw] } : undefined;
}

/** An array that may be a list: `links: [{rel: "next", href}]` beside one says how it goes on. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !isLinkArray(value);
}

export function isLinkArray(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (entry) =>
        isObject(entry) && typeof fieldOf(entry, 'rel') === 'string' && textField(entry, LINK_FIELDS),
    )
  );
}

/** Of `links` and `_links`, the one that is no convention of a format. */
function byPlainName(holder: JsonObject): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(holder)) {
    const plain = plainName(name);
    if (!fields.has(plain) || !name.startsWith('_')) fields.set(plain, value);
  }
  return fields;
}
