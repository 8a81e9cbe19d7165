import { RECIPIENT_FIELDS, SIGNER_EMAIL_PATHS, SIGNER_FIELDS } from '../../src/assumptions/index.ts';
import { getTitle, isObject, type JsonObject } from '../../src/records/fields.ts';
import { quoteText } from '../result/quote.ts';
import type { ToolContext } from '../tool/tool.ts';
import { describeLookup, findInList, type ListedGroup, readDocument } from './object-preview.ts';

const MAX_NAME = 60;
const MAX_VALUE = 40;

export type DescribedObject = Awaited<ReturnType<typeof describeObject>>;

/**
 * Reads an object from its list, as a question shows it. Its own name is best, then the name of the document that it shows,
 * then its ID. `item` is undefined if it could not be read.
 */
export async function describeObject(context: ToolContext, group: ListedGroup, id: string) {
  const lookup = await findInList(context, { group, id });
  const about = await describeLookup(context, { group, lookup });
  const item = lookup.kind === 'found' ? lookup.item : undefined;
  const document = isObject(about?.['document']) ? about['document'] : undefined;
  return { name: quoteName(getTitle(item) ?? getTitle(document) ?? id), item, about };
}

export async function describeDocument(context: ToolContext, id: string): Promise<DescribedObject> {
  const about = await readDocument(context, id);
  return { name: quoteName(getTitle(about) ?? id), item: about, about };
}

/** Quotes a name on less than one row, however many of its characters have to be escaped. */
export function quoteName(name: unknown): string {
  const text = String(name);
  for (let limit = MAX_NAME; ; limit -= 5) {
    const quoted = quoteText(text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
    if (quoted.length <= MAX_NAME + 12 || limit <= 5) return quoted;
  }
}

/** Email addresses, or else names, of an object's recipients. */
export function getPeople(item: JsonObject | undefined): readonly string[] {
  return RECIPIENT_FIELDS.flatMap((field) => {
    const list = item?.[field];
    return Array.isArray(list) ? list.map(formatPerson) : [];
  });
}

function formatPerson(person: unknown): string {
  if (!isObject(person)) return formatAddress(String(person));
  const direct = [...SIGNER_FIELDS.email, ...SIGNER_FIELDS.name].map((field) => person[field]);
  const nested = SIGNER_EMAIL_PATHS.map((path) =>
    path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), person),
  );
  const [text] = [...direct.slice(0, SIGNER_FIELDS.email.length), ...nested, ...direct].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return text === undefined ? 'somebody without an address' : formatAddress(String(text));
}

/** A plain address reads best without quotation marks; anything else is quoted. */
function formatAddress(text: string): string {
  return /^[\w.!#$%&*+/=?^{|}~-]{1,64}@[\w.-]{1,120}$/.test(text) && text.length <= 70 ? text : quoteText(text, 70);
}

/** One change per field: `name: old → new`. */
export function formatChanges(names: readonly string[], fields: JsonObject, item?: JsonObject) {
  return names.map((field) => {
    const name = quoteFieldName(field);
    const [from, to] = [item?.[field], fields[field]].map(formatValue);
    return item && Object.hasOwn(item, field) ? `${name}: ${from} → ${to}` : `${name}: ${to}`;
  });
}

/** A plain field name reads best without quotation marks; anything else is quoted. */
export function quoteFieldName(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : quoteText(name, MAX_VALUE);
}

/** A value in a headline. Lists and objects are counted, because the details show them whole. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoteText(value, MAX_VALUE);
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    if (rest.length === 0 && !isObject(first)) return `[${first === undefined ? '' : formatValue(first)}]`;
    return `${value.length} values`;
  }
  return isObject(value) ? `${Object.keys(value).length} values` : String(value ?? 'none').slice(0, MAX_VALUE);
}
