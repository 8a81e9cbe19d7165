import { createHash } from 'node:crypto';
import type { PlainOutputField } from 'zapier-platform-core';
import { getCreatedAt, getTitle, getValueAtPath, idOf, type JsonObject, toIsoTime } from '../platform/client-core.ts';
import { outputFieldsFromProfile, sampleFromProfile } from './profile-samples.ts';

/** Output of a step, and the field names that the service may use for it. */
export interface OutputMapping {
  readonly key: string;
  /** Default: the key in title case. */
  readonly label?: string;
  readonly type?: 'string' | 'datetime' | 'integer' | 'number' | 'percent' | 'boolean';
  readonly from: readonly string[];
  /** Value in the step's sample. */
  readonly sample?: unknown;
}

/** One kind of record: names, list, outputs. */
export interface RecordKind {
  /** Singular, as in the API: `agreement`. */
  readonly resource: 'document' | 'link' | 'room' | 'agreement' | 'proposal' | 'template' | 'contact';
  readonly noun: string;
  readonly outputs: readonly OutputMapping[];
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
  const sample = Object.assign({ id, name }, getSampleOutputs(spec.outputs), spec.sample, { raw });
  const kind = { ...spec, resource, noun: toLabel(resource), sample };
  const toOutput = (raw: JsonObject) => toFlatRecord(kind, raw);
  return { ...kind, sample: sampleFromProfile(`${resource}s.list`, { sample, toOutput, resource }) };
}

/** Item of a trigger: Zapier deduplicates by ID. */
export type RecordWithId = JsonObject & { readonly id: string };

/** Flat record that always has the same keys. */
export type FlatRecord = JsonObject & { id: string; name: string | null; created_at: string | null };

export function toFlatRecord(kind: RecordKind, item: JsonObject): FlatRecord {
  return {
    id: idOf(item, kind.resource) ?? hashRecord(item),
    name: getTitle(item) ?? null,
    ...extractOutputs(kind.outputs, item),
    created_at: getCreatedAt(item) ?? null,
    raw: item,
  };
}

/** Output of a write: the response (§4 shows few), completed by the sent fields. The ID is never generated. */
export function toWriteResult(kind: RecordKind, response: JsonObject, sentFields: JsonObject): JsonObject {
  const item = { ...sentFields, ...response };
  return { ...toFlatRecord(kind, item), id: idOf(item, kind.resource) ?? null, raw: response };
}

export function outputFieldsFor(kind: RecordKind): PlainOutputField[] {
  return [
    { key: 'id', label: `${kind.noun} ID`, type: 'string', primary: true },
    { key: 'name', label: `${kind.noun} Name`, type: 'string' },
    ...kind.outputs.map(toOutputField),
    { key: 'created_at', label: 'Created At', type: 'datetime' },
    { key: 'raw', label: 'Original Record' },
    ...outputFieldsFromProfile(`${kind.resource}s.list`),
  ];
}

/** Output fields of a change of a record, which has its own ID. */
export function outputFieldsForChange(kind: RecordKind): PlainOutputField[] {
  const recordId: PlainOutputField = { key: `${kind.resource}_id`, label: `${kind.noun} ID`, type: 'string' };
  return outputFieldsFor(kind).map((field) => (field.key === 'id' ? recordId : field));
}

export function toOutputField({ key, label = toLabel(key), type = 'string' }: OutputMapping): PlainOutputField {
  return { key, label, type: type === 'percent' ? 'number' : type };
}

/** `expiresAt` and `expires_at` as "Expires At". */
export function toLabel(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[_-]+/)
    .filter((part) => part !== '')
    .map((part) => (/^(id|url)$/i.test(part) ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1)))
    .join(' ')
    .slice(0, 64);
}

export function getSampleOutputs(outputs: readonly OutputMapping[]): JsonObject {
  const shown = outputs.filter(({ sample }) => sample !== undefined);
  return Object.fromEntries(shown.map(({ key, sample }) => [key, sample]));
}

/** Outputs by key; null if no item has the field. */
export function extractOutputs(outputs: readonly OutputMapping[], ...items: readonly unknown[]): JsonObject {
  return Object.fromEntries(outputs.map((output) => [output.key, extractOutput(output, items)]));
}

function extractOutput({ from, type }: OutputMapping, items: readonly unknown[]): unknown {
  for (const item of items) {
    for (const name of from) {
      const value = convertValue(getValueAtPath(item, name), type);
      if (value === undefined) continue;
      return type === 'percent' && !name.includes('percent') ? toPercent(Number(value)) : value;
    }
  }
  return null;
}

function convertValue(value: unknown, type: OutputMapping['type'] = 'string'): unknown {
  if (typeof value === 'boolean') return type === 'boolean' || type === 'string' ? value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (value === '') return undefined;
  if (type === 'string') return String(value);
  if (type === 'datetime') return toIsoTime(value);
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return type === 'integer' ? Math.round(number) : number;
}

/** Services give a share as 0.61 or as 61. */
function toPercent(value: number): number {
  return value <= 1 ? Math.round(value * 1000) / 10 : value;
}

/** Replaces a missing ID, so polls can still distinguish records. */
function hashRecord(item: JsonObject): string {
  return `sha256-${createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 32)}`;
}
