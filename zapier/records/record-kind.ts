import { createHash } from 'node:crypto';
import type { PlainOutputField } from 'zapier-platform-core';
import { RECORD_FIELDS, SIGNED_STATES, SIGNER_CONTAINERS } from '../../src/assumptions/index.ts';
import {
  getCreatedAt,
  getPersonName,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  isObject,
  type JsonObject,
  normalizeName,
  toIsoTime,
} from '../platform/client-core.ts';
import { liftFields } from './lift-fields.ts';
import { getProfileOutputFields, getProfileSample } from './profile-samples.ts';

/** Output of a step, and the field names that the service may use for it. */
export interface OutputMapping {
  readonly key: string;
  /** Default: the key in title case. */
  readonly label?: string;
  readonly type?: 'string' | 'datetime' | 'integer' | 'number' | 'percent' | 'boolean' | 'texts' | 'first' | 'last';
  readonly from: readonly string[];
  /** Value in the step's sample. */
  readonly sample?: unknown;
}

/** List within a record, as line items of later steps. */
export interface LineItems {
  readonly key: string;
  readonly getEntries: (item: JsonObject) => readonly unknown[];
  /** A text in the list is the first output. */
  readonly outputs: readonly OutputMapping[];
}

/** One kind of record: names, list, outputs. */
export interface RecordKind {
  /** Singular, as in the API: `agreement`. */
  readonly resource: 'document' | 'link' | 'room' | 'agreement' | 'proposal' | 'template' | 'contact';
  readonly noun: string;
  readonly outputs: readonly OutputMapping[];
  readonly lineItems?: readonly LineItems[];
  /** Text in a drop-down list (default: the name). */
  readonly label?: (item: JsonObject) => string | undefined;
  /** Output record; `raw` is the original. */
  readonly sample: JsonObject & { readonly id: string };
}

/** Defines a kind of record. `sample` has what the outputs do not show; the profile's sample replaces all of it. */
export function defineRecordKind<const Resource extends RecordKind['resource']>(
  resource: Resource,
  spec: Omit<RecordKind, 'resource' | 'noun'> & { sample: { name: string; raw?: JsonObject } },
): RecordKind & { readonly resource: Resource } {
  const { id, name, raw = { id, name } } = spec.sample;
  const lists = (spec.lineItems ?? []).map(({ key, outputs }) => [key, [getSampleOutputs(outputs)]]);
  const sample = Object.assign({ id, name }, getSampleOutputs(spec.outputs), Object.fromEntries(lists), spec.sample, {
    raw,
  });
  const kind = { ...spec, resource, noun: toLabel(resource), sample };
  const toOutput = (raw: JsonObject) => toFlatRecord(kind, raw);
  return { ...kind, sample: getProfileSample(`${resource}s.list`, { sample, toOutput, resource }) };
}

/** Item of a trigger: Zapier deduplicates by ID. */
export type RecordWithId = JsonObject & { readonly id: string };

/** Flat record that always has the same keys. */
export type FlatRecord = JsonObject & { id: string; name: string | null; created_at: string | null };

/** Returns the ID, or a hash of a record without one. */
export function getRecordId({ resource }: RecordKind, item: JsonObject): string {
  return idOf(item, resource) ?? hashRecord(item);
}

export function toFlatRecord(kind: RecordKind, raw: JsonObject): FlatRecord {
  const item = liftFields(omitKind(kind, raw));
  const title = getTitle(item);
  return {
    id: getRecordId(kind, item),
    // The title of a contact without a name is its email.
    name: title === undefined || title === getTextField(item, RECORD_FIELDS.email) ? null : title,
    ...extractOutputs(kind.outputs, item),
    ...Object.fromEntries((kind.lineItems ?? []).map((list) => [list.key, extractLineItems(list, item)])),
    created_at: getCreatedAt(item) ?? null,
    raw,
  };
}

/** Leaves out a `type` that names the kind of the record, as in JSON:API: of a document, it may also be the file type. */
function omitKind({ resource }: RecordKind, item: JsonObject): JsonObject {
  const { type, ...fields } = item;
  return [resource, `${resource}s`].includes(String(type)) ? fields : item;
}

function extractLineItems({ getEntries, outputs }: LineItems, item: JsonObject): JsonObject[] {
  const [first] = outputs;
  return getEntries(item).map((entry) => {
    const fields = isObject(entry) ? entry : { [first?.key ?? '']: entry };
    const containers = SIGNER_CONTAINERS.map((path) => getValueAtPath(fields, path));
    return extractOutputs(outputs, fields, ...containers, { full_name: getPersonName(fields) });
  });
}

/** Creates the sample of a record in another state: later times are empty, and its signers have this status. */
export function createSampleInState({ sample }: RecordKind, status: string): RecordKind['sample'] {
  const { sent_at: sentAt, signed_at: signedAt, signers } = sample;
  const changes: JsonObject = {
    status,
    sent_at: status === 'draft' ? null : sentAt,
    signed_at: SIGNED_STATES.includes(status) ? signedAt : null,
    signers: Array.isArray(signers) ? signers.map((signer: unknown) => ({ ...Object(signer), status })) : signers,
    raw: withStatus(sample['raw'], status),
  };
  const fields = Object.keys(sample).map((key) => [key, key in changes ? changes[key] : sample[key]]);
  return { ...Object.fromEntries(fields), id: sample.id };
}

/** Sets the status of a sample's original record, in the field that it uses. */
function withStatus(raw: unknown, status: string): JsonObject {
  const record = raw as JsonObject;
  const names = RECORD_FIELDS.status.map(normalizeName);
  const statusField = Object.keys(record).find((name) => names.includes(normalizeName(name)));
  return { ...record, [statusField ?? 'status']: status };
}

/**
 * Output of a write: the response (§4 shows few), completed by the sent fields. What the response shows wins under any of
 * its names, also if it is empty: the service may have ignored a sent field. The ID is never generated.
 */
export function toWriteResult(kind: RecordKind, response: JsonObject, sentFields: JsonObject): JsonObject {
  const applied = Object.entries(sentFields).filter(([key]) => !isShownEmpty(kind, key, response));
  const item = { ...Object.fromEntries(applied), ...response };
  const shown = Object.entries(toFlatRecord(kind, response));
  const nonEmpty = shown.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
  // The response to a send may show the ID of the sending.
  const id = sentFields['id'] ?? idOf(item, kind.resource) ?? null;
  return { ...toFlatRecord(kind, item), ...Object.fromEntries(nonEmpty), id, raw: response };
}

/** True if a response has a field for this output, and all of its names are empty. */
export function isShownEmpty({ resource, outputs }: RecordKind, key: string, response: JsonObject): boolean {
  const { fullName, firstName, lastName } = RECORD_FIELDS;
  // The title of a contact is a job title.
  const titles = [...fullName, ...firstName, ...lastName, ...(resource === 'contact' ? [] : ['title'])];
  const names = key === 'name' ? titles : (outputs.find((output) => output.key === key)?.from ?? [key]);
  const values = names.map((name) => getValueAtPath(response, name)).filter((value) => value !== undefined);
  return values.length > 0 && values.every((value) => value === null || value === '');
}

export function getOutputFields(kind: RecordKind): PlainOutputField[] {
  return [
    { key: 'id', label: `${kind.noun} ID`, type: 'string', primary: true },
    { key: 'name', label: `${kind.noun} Name`, type: 'string' },
    ...kind.outputs.map(toOutputField),
    ...(kind.lineItems ?? []).flatMap(({ key, outputs }) => getLineItemFields(key, outputs)),
    { key: 'created_at', label: 'Created At', type: 'datetime' },
    { key: 'raw', label: 'Original Record' },
    ...getProfileOutputFields(`${kind.resource}s.list`),
  ];
}

/** Returns the output fields of a change: its ID is separate from that of its record. */
export function getChangeOutputFields(kind: RecordKind): PlainOutputField[] {
  const recordId: PlainOutputField = { key: `${kind.resource}_id`, label: `${kind.noun} ID`, type: 'string' };
  return getOutputFields(kind).map((field) => (field.key === 'id' ? recordId : field));
}

export function toOutputField({ key, label = toLabel(key), type = 'string' }: OutputMapping): PlainOutputField {
  if (type === 'texts') return { key, label, type: 'string', list: true };
  return { key, label, type: type === 'percent' ? 'number' : type === 'first' || type === 'last' ? 'string' : type };
}

export function getLineItemFields(list: string, outputs: readonly OutputMapping[]): PlainOutputField[] {
  return outputs.map((output) => {
    const field = toOutputField(output);
    return { ...field, key: `${list}[]${field.key}` };
  });
}

/** Defines outputs for first and last name: from fields of the service, or else from the words of the full name. */
export function defineNameOutputs(
  prefix: string,
  fullName: readonly string[],
  sample = 'Ann Northwind',
): OutputMapping[] {
  const [first, last] = sample.split(' ');
  const getNames = (part: string, names: readonly string[]) => {
    // An object with a full name, such as `visitor.name`, may have its parts instead.
    const nested = fullName.filter((name) => name.endsWith('.name')).map((name) => name.replace(/name$/, part));
    return [`${prefix}${part}`, ...names, ...nested, ...fullName];
  };
  const { firstName, lastName } = RECORD_FIELDS;
  return [
    { key: `${prefix}first_name`, type: 'first', from: getNames('first_name', firstName), sample: first },
    { key: `${prefix}last_name`, type: 'last', from: getNames('last_name', lastName), sample: last },
  ];
}

/** `expiresAt` and `expires_at` as "Expires At". */
export function toLabel(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[_-]+/)
    .filter((part) => part !== '')
    .map((part) =>
      /^(id|url|cc|bcc)$/i.test(part) ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join(' ')
    .slice(0, 64);
}

export function getSampleOutputs(outputs: readonly OutputMapping[]): JsonObject {
  const shown = outputs.filter(({ sample }) => sample !== undefined);
  return Object.fromEntries(shown.map(({ key, sample }) => [key, sample]));
}

/** Returns the outputs by key, each from the first item that has the field; null if none has. */
export function extractOutputs(outputs: readonly OutputMapping[], ...items: readonly unknown[]): JsonObject {
  const values: JsonObject = Object.fromEntries(outputs.map((output) => [output.key, extractOutput(output, items)]));
  for (const { key } of outputs.filter(({ type }) => type === 'first')) {
    const [fullName, lastName] = [key.replace('first_name', 'name'), key.replace('first_name', 'last_name')];
    if (values[fullName] === null)
      values[fullName] = getPersonName({ first_name: values[key], last_name: values[lastName] }) ?? null;
  }
  return values;
}

function extractOutput({ from, type }: OutputMapping, items: readonly unknown[]): unknown {
  for (const item of items) {
    for (const name of from) {
      const value = convertValue(getValueAtPath(item, name), type);
      if (value === undefined) continue;
      if ((type === 'first' || type === 'last') && !NAME_PART.test(name)) return splitName(String(value))[type] ?? null;
      return type === 'percent' && !name.includes('percent') ? toPercent(Number(value)) : value;
    }
  }
  return null;
}

const NAME_SUFFIX = /^(?:[js]r|i{1,3}|iv|esq|ph\.?d|m\.?d|mba|cpa|inc|ltd|llc|gmbh)\.?$/i;
const NAME_PART = /first|last|given|family|surname/;

/** "Ann van Lee" and "van Lee, Ann" are Ann, van Lee; an email address is not a name. */
function splitName(name: string): { first?: string; last?: string } {
  const [, lastName, firstName] = /^\s*([^,]*[^,\s])\s*,\s*([^,\s]+)\s*$/.exec(name) ?? [];
  if (firstName && lastName && !NAME_SUFFIX.test(firstName)) return { first: firstName, last: lastName };
  const [first, ...rest] = name.includes('@') ? [] : name.trim().split(/\s+/);
  return { ...(first ? { first } : {}), ...(rest.length > 0 ? { last: rest.join(' ') } : {}) };
}

function convertValue(value: unknown, type: OutputMapping['type'] = 'string'): unknown {
  if (type === 'texts') return toTexts(value);
  if (typeof value === 'boolean') return type === 'boolean' || type === 'string' ? value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (value === '') return undefined;
  if (type === 'string' || type === 'first' || type === 'last') return String(value);
  if (type === 'datetime') return toIsoTime(value);
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return type === 'integer' ? Math.round(number) : number;
}

/** Tags are texts, or objects with a name. Undefined if one is neither, such as a number: the others are not the whole list. */
function toTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((entry: unknown) => (typeof entry === 'string' ? entry : getTitle(entry)));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Services give a share as 0.61 or as 61. */
function toPercent(value: number): number {
  return value <= 1 ? Math.round(value * 1000) / 10 : value;
}

/** Replaces a missing ID, so polls can still distinguish records. */
function hashRecord(item: JsonObject): string {
  return `sha256-${createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 32)}`;
}
