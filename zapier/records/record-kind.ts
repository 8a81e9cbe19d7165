import { createHash } from 'node:crypto';
import type { PlainOutputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import {
  type Client,
  createdAtOf,
  getTitle,
  getValueAtPath,
  idOf,
  type JsonObject,
  type ListOptions,
  type ListPromise,
  toIsoTime,
} from '../platform/client-core.ts';
import { outputFieldsFromProfile, sampleFromProfile } from './profile-samples.ts';

/** One output of a step: its key and label, and the names under which the service may give it. */
export interface OutputMapping {
  readonly key: string;
  readonly label: string;
  readonly type?: 'string' | 'datetime' | 'integer' | 'number' | 'boolean';
  readonly from: readonly string[];
}

/** What people call one kind of record, how it is listed, and what a step shows of it. */
export interface RecordKind {
  /** Singular word of the API: `agreement`. */
  readonly resource: string;
  /** Word of the product, in Title Case. */
  readonly noun: string;
  readonly list: (
    client: Client,
    query: Readonly<Record<string, string>>,
    options?: ListOptions,
  ) => ListPromise<JsonObject>;
  readonly outputs: readonly OutputMapping[];
  /** What a drop-down shows; the name unless told. */
  readonly label?: (item: JsonObject) => string | undefined;
  /** A record as steps show it; `raw` holds the original. */
  readonly sample: JsonObject & { readonly id: string };
}

/** The same kind, shown by what was learned of it. */
export function withProfileSample(kind: RecordKind): RecordKind {
  const { resource, sample } = kind;
  const toOutput = (raw: JsonObject) => toFlatRecord(kind, raw);
  return { ...kind, sample: sampleFromProfile(listOperationFor(kind), { sample, toOutput, resource }) };
}

function listOperationFor({ resource }: RecordKind): OperationName {
  // Each kind is a group of the API, which lists them.
  return `${resource}s.list` as OperationName;
}

/** What a trigger gives: Zapier tells items apart by their id. */
export type RecordWithId = JsonObject & { readonly id: string };

/** A flat record with the same keys whatever the service leaves out, the original under `raw`. */
export type FlatRecord = JsonObject & { id: string; name: string | null; created_at: string | null };

export function toFlatRecord(kind: RecordKind, item: JsonObject): FlatRecord {
  return {
    id: idOf(item, kind.resource) ?? hashRecord(item),
    name: getTitle(item) ?? null,
    ...extractOutputs(kind.outputs, item),
    created_at: createdAtOf(item) ?? null,
    raw: item,
  };
}

/**
 * What a write shows: the answer (§4 shows few), and where it is silent what the form is known to have sent. An answer
 * without an id gives none: a made-up one would lead later steps astray.
 */
export function toWriteResult(kind: RecordKind, response: JsonObject, sentFields: JsonObject): JsonObject {
  const item = { ...sentFields, ...response };
  return { ...toFlatRecord(kind, item), id: idOf(item, kind.resource) ?? null, raw: response };
}

/** Labelled output fields of a record kind, its id the primary key. */
export function outputFieldsFor(kind: RecordKind): PlainOutputField[] {
  return [
    { key: 'id', label: `${kind.noun} ID`, type: 'string', primary: true },
    { key: 'name', label: `${kind.noun} Name`, type: 'string' },
    ...kind.outputs.map(toOutputField),
    { key: 'created_at', label: 'Created At', type: 'datetime' },
    { key: 'raw', label: 'Original Record' },
    ...outputFieldsFromProfile(listOperationFor(kind)),
  ];
}

export function toOutputField({ key, label, type = 'string' }: OutputMapping): PlainOutputField {
  return { key, label, type };
}

/** Every output by its key; null where no known name holds it. */
export function extractOutputs(outputs: readonly OutputMapping[], ...items: readonly unknown[]): JsonObject {
  return Object.fromEntries(outputs.map((output) => [output.key, extractOutput(output, items)]));
}

function extractOutput({ from, type }: OutputMapping, items: readonly unknown[]): unknown {
  for (const item of items) {
    for (const name of from) {
      const value = convertValue(getValueAtPath(item, name), type);
      if (value !== undefined) return value;
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

/** Stands in for an id where the service gives none, so that polls still tell records apart. */
function hashRecord(item: JsonObject): string {
  return `sha256-${createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 32)}`;
}
