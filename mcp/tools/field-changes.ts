import { GATES, OFF_VALUE_PATTERN } from '../../src/assumptions/index.ts';
import { getField, includesName, isObject, type JsonObject, toIsoTime } from '../../src/records/fields.ts';
import {
  ACCESS_FIELD_PATTERN,
  EXPIRY_FIELDS,
  GATE_SWITCH_FIELDS,
  OWN_EMAIL_FIELD_PATTERN,
  RECIPIENT_EMAIL_PATTERN,
  RECIPIENT_PATH_PATTERN,
  SENT_TEXT_FIELDS,
} from '../assumptions.ts';
import { clipText, quoteText } from '../result/quote.ts';
import { isSecretField, redactSecretFields } from '../result/redact-secrets.ts';
import { findEmails, formatEmail, isTextField, quoteName } from './describe-object.ts';

const MAX_VALUE = 40;
/** A longer one could hide where two shortened texts differ. */
const MAX_SAME_START = 10;
const MAX_PATH = 50;
const MAX_LISTED = 3;
const MAX_DEPTH = 6;

/** Change of one value, also inside a nested object. */
export interface FieldChange {
  /** Path of the value; unusual names are quoted. */
  readonly path: string;
  /** Last name of the path. */
  readonly name: string;
  /** Current value; undefined if unknown, as of a secret, which services hide or mask. */
  readonly from: unknown;
  /** New value; undefined if a nested object leaves it out: the service may keep it, or replace the whole object. */
  readonly to: unknown;
}

/**
 * Changes of the named fields, the most important first: gates that are removed, values that are cleared or switched off,
 * and names that decide about access. Of these, a value that the object has comes first: the service may ignore other names.
 * Fields that keep their value are left out. The object may spell a field otherwise.
 */
export function getFieldChanges(
  names: readonly string[],
  fields: JsonObject,
  item?: JsonObject,
): readonly FieldChange[] {
  return names
    .flatMap((name) => {
      const to = fields[name];
      // Sent beside the other fields.
      if (name === 'extra' && isObject(to)) return getFieldChanges(Object.keys(to), to, item);
      return [...iterateChanges([name], to, getCurrent(item, name))];
    })
    .filter(({ from, to }) => from === undefined || JSON.stringify(from) !== JSON.stringify(to))
    .toSorted((a, b) => getRank(a) - getRank(b));
}

/** One change for each value of nested objects, and of lists of objects. */
function* iterateChanges(path: readonly string[], to: unknown, from: unknown): Generator<FieldChange> {
  const isNested = isObject(to) || (Array.isArray(to) && to.some(isObject));
  const parts = isNested && path.length < MAX_DEPTH ? Object.entries(to) : [];
  for (const [name, inner] of parts) yield* iterateChanges([...path, name], inner, getCurrent(from, name));
  const removed = parts.length > 0 && Array.isArray(from) ? Object.entries(from).slice(parts.length) : [];
  for (const [name, old] of removed) yield* iterateChanges([...path, name], null, old);
  for (const [name, old] of parts.length > 0 ? findLeftOut(from, to) : [])
    yield toChange([...path, name], old, undefined);
  if (parts.length === 0) yield toChange(path, from, to);
}

function toChange(path: readonly string[], from: unknown, to: unknown): FieldChange {
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const whole = path.map(quoteFieldName).join('.');
  return {
    path: whole.length > MAX_PATH ? `….${quoteFieldName(name)}` : whole,
    name,
    from: to !== undefined && isSecretField(name) ? undefined : from,
    to,
  };
}

/** Values of an object that its new content does not name. */
export function findLeftOut(from: unknown, to: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (!isObject(from) || !isObject(to)) return [];
  return Object.entries(from).filter(([name, value]) => value !== null && getField(to, name) === undefined);
}

function getCurrent(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? getField(value, name) : undefined;
}

/** Of equally important changes, those first that are not nested. */
export function putPlainFirst(changes: readonly FieldChange[]): readonly FieldChange[] {
  const isNested = ({ path }: FieldChange) => Number(path.includes('.'));
  return changes.toSorted((a, b) => getRank(a) - getRank(b) || isNested(a) - isNested(b));
}

function getRank(change: FieldChange): number {
  const gate = getRemovedGate({ ...change, to: change.to ?? null });
  if (gate !== undefined) return gate === 'email gate' ? 0 : 0.5;
  const isCleared = change.to === false || change.to === null;
  const isLeftOut = change.to === undefined;
  const decidesAccess =
    includesName(GATES.visitors.names, change.name) ||
    // A text gives nobody access.
    (ACCESS_FIELD_PATTERN.test(change.path.replace(RECIPIENT_PATH_PATTERN, '')) &&
      !includesName(SENT_TEXT_FIELDS, change.name));
  return (decidesAccess ? 1 : 11) + (change.from === undefined ? 2 : 0) + (isCleared ? 0 : isLeftOut ? 4 : 1);
}

/** Name of the gate that a change removes, if any. An email gate or password may be there if it is unknown. */
export function getRemovedGate({ name, from, to }: FieldChange): string | undefined {
  if (from === false || to === true || to === undefined) return undefined;
  if (includesName(GATE_SWITCH_FIELDS, name)) return 'email gate';
  if (to && !OFF_VALUE_PATTERN.test(String(to))) return undefined;
  if (includesName(GATES.nda.names, name)) return from ? 'NDA' : undefined;
  return includesName(GATES.password.names, name) ? 'password' : undefined;
}

/** Returns whether a link has no email gate, also with the changed fields. */
export function isUngated(link: JsonObject | undefined, fields: JsonObject = {}): boolean {
  return GATE_SWITCH_FIELDS.some((gate) => link && getField(link, gate) === false && getField(fields, gate) !== true);
}

/** One name for what a field does: `allow_downloads` and `download_allowed` have the same effect. */
export function toEffectName(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .map((word) => word.replace(/(?:ed|s)$/, ''))
    .toSorted()
    .join('_');
}

/**
 * One text per change: `name: old → new`.
 * @param shownStart how much to show of a start that two long texts share
 */
export function formatChanges(changes: readonly FieldChange[], shownStart = 0): readonly string[] {
  return changes.map(({ path, name, from, to }) => {
    const format = (value: unknown) => formatValue(value) + formatTime(name, value);
    if (from === undefined) return `${path}: ${format(to)}`;
    // The request does not have this value, and models see the question.
    if (to === undefined) return `${path}: ${formatValue(redactSecretFields(from, [], name))} → left out`;
    if (Array.isArray(from) && Array.isArray(to) && Math.max(from.length, to.length) > MAX_LISTED) {
      const [removed, added] = [from.filter((one) => !to.includes(one)), to.filter((one) => !from.includes(one))];
      const unchanged = to.length - added.length;
      // A long list is cut, which would hide what changes in it.
      if (unchanged > 0 && removed.length + added.length > 0)
        return `${path}: ${formatValue(removed)} → ${formatValue(added)} (${unchanged} unchanged)`;
    }
    return `${path}: ${cutSameStart(from, to, shownStart).map(format).join(' → ')}`;
  });
}

/** Cuts the start that two long texts share, so that both show the difference. Addresses and URLs stay whole. */
function cutSameStart(from: unknown, to: unknown, shownStart: number): readonly unknown[] {
  if (typeof from !== 'string' || typeof to !== 'string' || /^(?:\S+@\S+$|https?:)/i.test(to)) return [from, to];
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const start = Math.max(from.lastIndexOf(' ', same - 1) + 1, same - MAX_SAME_START);
  const isHidden = start > MAX_SAME_START && Math.max(from.length, to.length) > MAX_VALUE;
  // The cut may be in the middle of a surrogate pair.
  const cut = (text: string) =>
    clipText(text, Math.min(shownStart, start - 1)) + text.slice(start).replace(/^[\udc00-\udfff]/, '');
  return isHidden ? [from, to].map(cut) : [from, to];
}

/** The date of an expiry in Unix seconds or milliseconds, which nobody can read. */
function formatTime(name: string, value: unknown): string {
  const time = typeof value === 'number' && includesName(EXPIRY_FIELDS, name) ? toIsoTime(value) : undefined;
  return time === undefined ? '' : ` (${time.slice(0, 16)}Z)`;
}

/** Email addresses of a draft besides those of `people`, with their fields, such as `cc`: they may get it too. */
export function findOtherEmails(item: JsonObject, people: readonly string[]): readonly string[] {
  return getFieldChanges(Object.keys(item), item).flatMap(({ path, name, to }) => {
    if (isTextField(name) || OWN_EMAIL_FIELD_PATTERN.test(path)) return [];
    return findEmails(to).flatMap((email) =>
      // Not an address in a URL.
      /^[^/]+@/.test(email) && !people.includes(formatEmail(email)) ? `${formatEmail(email)} (${path})` : [],
    );
  });
}

/** Leaves out the field of an email address if it only says that somebody is a recipient. */
export const omitRecipientField = (person: string) =>
  person.replace(/ \(([\w.]+)\)$/, (field, path) => (RECIPIENT_EMAIL_PATTERN.test(path) ? '' : field));

/** A plain field name reads best without quotation marks; anything else is quoted. */
export function quoteFieldName(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : quoteText(name, MAX_VALUE);
}

/** A value in a headline. Lists and objects are counted, because the details show them whole. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') {
    const [host] = /^https?:\/\/[^/?#\s]+/i.exec(value) ?? [];
    if (host === undefined && value.includes('@')) return formatEmail(value);
    // The last names of a host say whose it is.
    const isLong = host !== undefined && host.length > MAX_VALUE - 2;
    return quoteName(isLong ? `${host.slice(0, 10)}…${host.slice(-26)}/…` : value, MAX_VALUE);
  }
  if (Array.isArray(value)) {
    if (value.some(isObject)) return countValues(value.length);
    const shown = value.length > MAX_LISTED ? value.slice(0, 1) : value;
    const more = value.length > MAX_LISTED ? [`${value.length - 1} more`] : [];
    return `[${[...shown.map(formatValue), ...more].join(', ')}]`;
  }
  return isObject(value) ? countValues(Object.keys(value).length) : String(value ?? 'none').slice(0, MAX_VALUE);
}

const countValues = (count: number) => `${count} ${count === 1 ? 'value' : 'values'}`;
