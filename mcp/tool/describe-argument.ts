import { isGateField, isSetByService } from '../../src/assumptions/writable-fields.ts';
import { VALUE_FORMATS } from '../../src/profile/json-schema.ts';
import { type ArgumentProfile, isDisplayableName, type KnownName } from './argument-profile.ts';
import { getNonNullTypes } from './describe-mismatch.ts';

/** Maximum tokens of one tool in the tool list. */
export const MAX_TOOL_TOKENS = 220;

/** Labels of the names, by how they are known. A field seen only in responses may not be settable. */
const PREFIXES: Readonly<Record<KnownName['knownBy'], string>> = {
  documented: 'Accepts',
  accepted: 'Accepts',
  observed: 'Observed',
  narrows: 'Filters',
  sorts: 'Sorts',
};

/**
 * Describes an argument by its most certain names, as many as fit into `maxTokens`; types are dropped (and gates come
 * first) if too few names would fit. Returns undefined if none fits. `exclude`: the tool's own arguments.
 */
export function describeArgument(
  argumentProfile: ArgumentProfile,
  { maxTokens, exclude }: { maxTokens: number; exclude: readonly string[] },
): string | undefined {
  const names = argumentProfile.names.filter(
    ({ name, knownBy }) => knownBy !== 'documented' && isPlainName(name) && !exclude.includes(name),
  );
  const typedNames = packNames(names, maxTokens, (entry) => [
    ...formatShape(entry),
    formatTypedName(entry),
    entry.name,
  ]);
  if (typedNames.count >= Math.min(MIN_TYPED_NAMES, names.length)) return typedNames.text;
  const gatesFirst = names.toSorted((a, b) => Number(isGateField(b.name)) - Number(isGateField(a.name)));
  const untypedNames = packNames(gatesFirst, maxTokens, (entry) => [entry.name]);
  return (untypedNames.count >= typedNames.count ? untypedNames : typedNames).text;
}

const MIN_TYPED_NAMES = 3;

/** Lists as many names as fit, each in its first form that fits. */
function packNames(
  names: readonly KnownName[],
  maxTokens: number,
  getForms: (entry: KnownName) => readonly string[],
): { text: string | undefined; count: number } {
  let text = '';
  let lastPrefix: string | undefined;
  for (const [count, entry] of names.entries()) {
    const prefix = PREFIXES[entry.knownBy];
    const beginning = lastPrefix === prefix ? `${text}, ` : `${text}${text === '' ? '' : '; '}${prefix} `;
    const next = getForms(entry)
      .map((form) => `${beginning}${form}`)
      .find((candidate) => estimateNameTokens(candidate) <= maxTokens - ELLIPSIS_TOKENS);
    if (next === undefined) return { text: text === '' ? undefined : `${text}, …`, count };
    text = next;
    lastPrefix = prefix;
  }
  return { text: text === '' ? undefined : text, count: names.length };
}

/** Other names cost many tokens; they are accepted, but not listed. */
function isPlainName(name: string): boolean {
  return isDisplayableName(name) && /^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/.test(name);
}

const ELLIPSIS_TOKENS = 3;

/** `expires_at (date-time)`, `status (draft|sent)`, `sort=-created_at`. */
function formatTypedName({ name, schema, value }: KnownName): string {
  if (value !== undefined) return isDisplayableName(value.replace(/^[-+]/, '')) ? `${name}=${value}` : name;
  if (!schema) return name;
  const enumValues = getEnumValues(schema.enum ?? []);
  const type = enumValues.length > 0 ? enumValues.join('|') : formatType(schema.format, getNonNullTypes(schema));
  return type === '' ? name : `${name} (${type})`;
}

/** `recipients: [{email, name, role}]` for a list of objects with few fields. */
function formatShape({ name, schema }: KnownName): readonly string[] {
  const fields = Object.keys(schema?.items?.properties ?? {}).filter(
    (field) => isPlainName(field) && !isSetByService(field),
  );
  return fields.length > 0 && fields.length <= MAX_SHAPE_FIELDS ? [`${name}: [{${fields.join(', ')}}]`] : [];
}

const MAX_SHAPE_FIELDS = 6;

/** Allowed values that look like names. */
export function getEnumValues(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && isDisplayableName(value)).slice(0, 8);
}

function formatType(format: string | undefined, types: readonly string[]): string {
  // Id formats don't help a caller.
  if (VALUE_FORMATS.some((entry) => entry === format) && !/id$|^digits$/.test(format ?? '')) return format ?? '';
  return types.join('|');
}

/** How a tokenizer splits text: a word with the sign before it, up to three digits, other signs. */
const PIECE_PATTERN = /[^\sA-Za-z\d]?(?:[A-Z]?[a-z]+|[A-Z]+)|\d{1,3}|\s?[^\sA-Za-z\d]+/g;

/** Approximate tokens of a text of common words. */
export function estimateWordTokens(text: string): number {
  return [...text.matchAll(PIECE_PATTERN)].length;
}

/** Estimated tokens of names and types, rounded up: rare letter sequences cost more than words. */
function estimateNameTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE_PATTERN)) {
    const { length } = piece.replace(/^[^A-Za-z]/, '');
    const isWord = /[A-Za-z]/.test(piece);
    if (!isWord) tokens += /\d/.test(piece) ? 1 : Math.ceil(piece.trim().length / 2);
    else if (/[^aeiouyAEIOUY\W]{4}|[A-Z]{3}/.test(piece)) tokens += Math.ceil(length / 1.5);
    else tokens += length <= 7 ? 1 : Math.ceil(length / 4);
  }
  return tokens;
}
