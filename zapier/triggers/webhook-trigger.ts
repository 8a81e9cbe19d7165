import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import type { JsonObject, ServiceEvent } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { extractOutputs, type OutputMapping, toOutputField } from '../records/record-kind.ts';
import type { LookupResult } from './event-lookup.ts';

export type FlatEvent = JsonObject & { readonly id: string };

/**
 * Result of asking the service about an event; `denied`: the record does not exist, `open`: unknown, or not yet known.
 */
interface EventVerification {
  readonly outcome: 'confirmed' | 'denied' | 'open';
  readonly event: FlatEvent;
  /** True if the record was read: then its missing fields are empty. */
  readonly isRecordRead: boolean;
}

export interface WebhookTrigger {
  readonly key: string;
  readonly noun: string;
  readonly label: string;
  readonly description: string;
  readonly event: string;
  readonly inputFields: PlainInputField[];
  readonly outputFields: PlainOutputField[];
  readonly sample: FlatEvent;
  readonly flatten: (event: ServiceEvent, step: StepContext<JsonObject>) => FlatEvent;
  /** A name for what happened, if several events may report it: only the first of them runs the Zap. */
  readonly getOccasion?: (event: FlatEvent, input: JsonObject) => string | undefined;
  /** Values of empty filter fields. */
  readonly defaults?: JsonObject;
  readonly filters: Readonly<Record<string, (expected: unknown, event: FlatEvent) => boolean | 'unknown'>>;
  /** True if a lookup would add nothing. */
  readonly isComplete: (event: FlatEvent) => boolean;
  /** Looks up the event's records, usually in at most two requests, and fills in missing fields. */
  readonly verify: (
    event: FlatEvent,
    step: StepContext<JsonObject> & { readonly signed: boolean },
  ) => Promise<EventVerification>;
  /** Past events, newest first, in at most four requests. */
  readonly listPastEvents: (step: StepContext<JsonObject>) => Promise<readonly FlatEvent[]>;
}

/** False if a filter excludes the event, `unknown` if the event lacks the value. */
export function matchesFilters(
  kind: Pick<WebhookTrigger, 'filters' | 'defaults'>,
  event: FlatEvent,
  input: JsonObject,
): boolean | 'unknown' {
  const values = { ...kind.defaults, ...input };
  const results = Object.entries(kind.filters)
    .filter(([key]) => values[key] !== undefined)
    .map(([key, filter]) => filter(values[key], event));
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

/** True if the record is not on the first page of its list, and a filter needs a value that the event does not have. */
export function needsLaterPage(
  filters: WebhookTrigger['filters'],
  { event, input, onFirstPage }: { event: FlatEvent; input: JsonObject; onFirstPage: LookupResult | undefined },
): boolean {
  const wasPageRead = onFirstPage?.kind === 'not-fully-searched' && onFirstPage.read > 0;
  return wasPageRead && matchesFilters({ filters }, event, input) === 'unknown';
}

export function createFieldFilter(key: string) {
  return (expected: unknown, event: FlatEvent) =>
    event[key] === null || event[key] === undefined ? 'unknown' : event[key] === String(expected);
}

export function hasAllFields(event: FlatEvent, keys: readonly string[]): boolean {
  return keys.every((key) => event[key] !== null && event[key] !== undefined && event[key] !== '');
}

/** Output fields of an event: its own, then the values of its records, other fields, and how it was verified. */
export function createEventOutputFields(outputs: readonly OutputMapping[], otherFields: PlainOutputField[] = []) {
  const fields: PlainOutputField[] = [
    { key: 'id', label: 'Event ID', type: 'string', primary: true },
    { key: 'event', label: 'Event', type: 'string' },
    ...outputs.map(toOutputField),
    ...otherFields,
    { key: 'verified', label: 'Came From Docshare', type: 'boolean' },
    { key: 'check', label: 'How It Was Checked', type: 'string' },
    { key: 'raw', label: 'Original Event' },
  ];
  return fields;
}

/** Flat event with all outputs, from the first of its sources that has each; `timeKey` is the output with its time. */
export function flattenEvent(
  spec: { text: string; outputs: readonly OutputMapping[]; timeKey: string },
  event: { id: string; raw?: unknown; time?: string | undefined; sources: readonly unknown[] },
): FlatEvent {
  const { text, outputs, timeKey } = spec;
  const values = extractOutputs(outputs, ...event.sources);
  const time = values[timeKey] ?? event.time ?? null;
  return { id: event.id, event: text, ...values, [timeKey]: time, raw: event.raw ?? null };
}

export const VALID_SIGNATURE_TEXT = 'This event came from Docshare (its webhook signature is valid).';

export function withVerification(
  event: FlatEvent,
  { verified, check }: { verified: boolean; check: string },
): FlatEvent {
  const { raw = null, ...fields } = event;
  return { ...fields, verified, check, raw };
}
