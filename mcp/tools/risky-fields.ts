import { GATES, ROOM_FIELD } from '../../src/assumptions/index.ts';
import {
  getField,
  includesName,
  isObject,
  type JsonObject,
  normalizeName,
  toIsoTime,
} from '../../src/records/fields.ts';
import * as assumed from '../assumptions.ts';
import { type FieldChange, toEffectName } from './field-changes.ts';
import { isReference } from './object-action.ts';

/** Kind of object that a write changes; it decides which further fields are safe. */
export type WriteSubject = 'object' | 'draft' | 'template' | 'contact' | 'folder' | 'new link';

/** Fields of a write that need confirmation: all but a list of safe ones, since any other may widen access or send. */
export function findRiskyFields(fields: JsonObject, subject: WriteSubject = 'object'): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isSafeField(name, value, subject) ? [] : [name]));
}

function isSafeField(name: string, value: unknown, subject: WriteSubject): boolean {
  if (value === undefined) return true;
  if (subject === 'contact') return isContactDetail(name, value);
  if (assumed.SAFE_FIELDS.includes(name))
    return isPlainValue(value) || (Array.isArray(value) && value.every(isPlainValue));
  if (assumed.GATE_SWITCH_FIELDS.includes(name)) return value === true;
  // The fields of a new object are safe in any case: the service uses or ignores them.
  if (subject === 'folder') return includesName(assumed.PARENT_FOLDER_FIELDS, name) && isPlainValue(value);
  if (subject === 'new link') return isRestrictingGate(name, value);
  if (subject === 'template' && includesName(assumed.TEMPLATE_CONTENT_FIELDS, name)) return isContent(value);
  if (subject !== 'draft' && subject !== 'template') return false;
  if (includesName(assumed.REFERENCE_FIELDS, name)) return isPlainValue(value);
  // An expiry only restricts a draft.
  if (includesName(assumed.EXPIRY_FIELDS, name)) return parseTimeRange(value) !== undefined;
  if (includesName(assumed.DRAFT_CONTENT_FIELDS, name)) return isContent(value);
  return includesName(assumed.DRAFT_RECIPIENT_FIELDS, name) && Array.isArray(value) && value.every(isRecipient);
}

/**
 * Returns whether a setting can only restrict a new link. If the service does not know the name, the link is as if it were
 * left out.
 */
function isRestrictingGate(name: string, value: unknown): boolean {
  const isGate = (gate: keyof typeof GATES) => includesName(GATES[gate].names, name);
  if (isGate('password')) return typeof value === 'string' && value.trim() !== '';
  if (isGate('nda')) return value === true;
  if (isGate('download')) return value === false;
  if (isGate('visitors')) return typeof value === 'number' && Number.isInteger(value) && value > 0;
  return includesName(assumed.EXPIRY_FIELDS, name) && parseTimeRange(value) !== undefined;
}

/** An object under a safe name could contain anything. */
function isPlainValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Text about a person; a switch, an object or the ID of one may give access or send something. */
function isContactDetail(name: string, value: unknown): boolean {
  return !/(?:^|_)ids?$|[a-z]Ids?$/.test(name) && [value].flat().every((one) => one === null || isPlainValue(one));
}

/** Plain text, an amount, or lines of them. */
function isContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isContent);
  return isPlainValue(value) || (isObject(value) && Object.values(value).every(isPlainValue));
}

function isRecipient(value: unknown): boolean {
  return isObject(value) && findRiskyProperties(value).length === 0;
}

const findRiskyProperties = (recipient: JsonObject) =>
  Object.entries(recipient).filter(
    ([name, value]) => !(includesName(assumed.RECIPIENT_PROPERTIES, name) && isPlainValue(value)),
  );

/** Risky fields with their values. Recipients of a draft, whom a question names, have only what needs confirmation. */
export function pickRiskyFields(fields: JsonObject, subject: WriteSubject): JsonObject {
  const pick = subject === 'draft' ? pickRiskyRecipients : (_: string, value: unknown) => value;
  return Object.fromEntries(findRiskyFields(fields, subject).map((name) => [name, pick(name, fields[name])]));
}

function pickRiskyRecipients(name: string, value: unknown): unknown {
  if (!includesName(assumed.DRAFT_RECIPIENT_FIELDS, name)) return value;
  if (!isObject(value)) return pickFromRecipients(value);
  // Grouped, as `{signers: […], carbonCopies: […]}`.
  return Object.fromEntries(Object.entries(value).map(([group, list]) => [group, pickFromRecipients(list)]));
}

/** Recipients by their position. */
function pickFromRecipients(list: unknown): unknown {
  if (!Array.isArray(list) || !list.every(isObject)) return list;
  const risky = list.map((recipient) => Object.fromEntries(findRiskyProperties(recipient)));
  const picked = Object.entries(risky).filter(([, rest]) => Object.keys(rest).length > 0);
  return picked.length > 0 ? Object.fromEntries(picked) : list;
}

/** Fields of an existing contact that need confirmation: all that may decide who gets what, such as an email address. */
export function findRiskyContactFields(fields: JsonObject): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isAddress(name, value) || !isSafeField(name, value, 'contact') ? [name] : [],
  );
}

const isAddress = (name: string, value: unknown) => /mail/i.test(name) || JSON.stringify(value)?.includes('@') === true;

/** Returns whether a change of a contact may decide where its later agreements go. */
export const hasAddress = (fields: JsonObject) =>
  Object.entries(fields).some(([name, value]) => isAddress(name, value));

/**
 * Effects of changes of a link. Calls of `update_link` that need no question have an effect named like their field, so a
 * decline must cover it too: an expiry needs none once the link has a later one.
 */
export function getLinkEffects(id: string, changes: readonly FieldChange[]): readonly string[] {
  return changes.flatMap(({ path, name, to }) => {
    const target = isReference(path, 'document') ? 'document_id' : isReference(path, 'room') ? ROOM_FIELD : name;
    // A decline to remove the gate does not cover adding it.
    const isAddedGate = to === true && includesName(assumed.GATE_SWITCH_FIELDS, name);
    // The usual spelling of the same field, or another value, may need no question.
    const isPossiblyUnasked = isAddedGate || includesName([...assumed.EXPIRY_FIELDS, ...assumed.SAFE_FIELDS], name);
    return [...(isAddedGate ? [] : [toEffectName(target)]), ...(isPossiblyUnasked ? [normalizeName(name)] : [])].map(
      (effect) => `links.update ${id} ${effect}`,
    );
  });
}

const HOUR_MS = 3_600_000;

/** Returns whether a field only moves the object's expiry to an earlier time, at least an hour from now. */
export function isEarlierExpiry(name: string, value: unknown, object: JsonObject): boolean {
  if (!includesName(assumed.EXPIRY_FIELDS, name)) return false;
  const requestedTime = parseTimeRange(value);
  // A requested number is not compared: in another unit than the service's, it may be a later time.
  const currentTime = parseTimeRange(fromUnixTime(getField(object, name)));
  if (requestedTime === undefined || currentTime === undefined) return false;
  // A time that has come ends the link at once.
  return requestedTime.latest <= currentTime.earliest && requestedTime.earliest > Date.now() + HOUR_MS;
}

/** Returns whether a field is an expiry that has passed, also as Unix time. */
export function isPastExpiry(name: string, value: unknown): boolean {
  const isExpiry = includesName(assumed.EXPIRY_FIELDS, name);
  return isExpiry && (parseTimeRange(fromUnixTime(value))?.latest ?? Number.POSITIVE_INFINITY) <= Date.now();
}

function fromUnixTime(value: unknown): unknown {
  return typeof value === 'number' ? toIsoTime(value) : value;
}

/** Earliest and latest time that a date may mean: without a time zone it may be anywhere on earth. */
function parseTimeRange(value: unknown): { earliest: number; latest: number } | undefined {
  if (typeof value !== 'string') return undefined;
  const [, time, zone] = value.match(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/) ?? [];
  const at = Date.parse(zone === undefined ? `${value}${time === undefined ? 'T00:00' : ''}Z` : value);
  if (Number.isNaN(at)) return undefined;
  if (zone !== undefined) return { earliest: at, latest: at };
  return { earliest: at - 14 * HOUR_MS, latest: at + (time === undefined ? 36 : 12) * HOUR_MS };
}
