import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import type { Client, JsonObject, ServiceEvent } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';

/** A flat event with the same keys in every sample, list and delivery. */
export type FlatEvent = JsonObject & { readonly id: string };

/**
 * Whether the service itself says that an event is true: `confirmed`, `denied` (it was asked and knows nothing of its
 * subject), or `open` (it can't say, or not yet).
 */
export interface EventVerification {
  readonly outcome: 'confirmed' | 'denied' | 'open';
  readonly event: FlatEvent;
  /** Whether the record itself was read: what it does not say then, it does not have. */
  readonly isRecordRead: boolean;
}

export interface WebhookTrigger {
  readonly key: string;
  readonly noun: string;
  readonly label: string;
  readonly description: string;
  /** Event kind of the API (§6). */
  readonly event: string;
  readonly inputFields: PlainInputField[];
  readonly outputFields: PlainOutputField[];
  readonly sample: FlatEvent;
  /** The flat form of a delivery, from the delivery alone. */
  readonly flatten: (event: ServiceEvent, step: StepContext<JsonObject>) => FlatEvent;
  /** The trigger's filters, each by its input: whether the event's own value fits what was asked for. */
  readonly filters: Readonly<Record<string, (expected: unknown, event: FlatEvent) => boolean | 'unknown'>>;
  /** Whether a delivery says all that the service would be asked for. */
  readonly isComplete: (event: FlatEvent) => boolean;
  /** Reads the event's subject again with the key, in two requests at most, and fills in what the delivery left out. */
  readonly verify: (
    client: Client,
    event: FlatEvent,
    step: StepContext<JsonObject> & { readonly signed: boolean },
  ) => Promise<EventVerification>;
  /** Real events of the past, newest first, in three requests at most. */
  readonly listPastEvents: (client: Client, step: StepContext<JsonObject>) => Promise<FlatEvent[]>;
}

/** False where a filter excludes the event, `unknown` where the event does not say enough yet. */
export function matchesFilters(
  kind: WebhookTrigger,
  event: FlatEvent,
  input: JsonObject,
): boolean | 'unknown' {
  const results = Object.entries(kind.filters)
    .filter(([key]) => input[key] !== undefined && input[key] !== '')
    .map(([key, filter]) => filter(input[key], event));
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

/** A filter for one value of the event. */
export function fieldEquals(key: string) {
  return (expected: unknown, event: FlatEvent) =>
    event[key] === null || event[key] === undefined ? 'unknown' : event[key] === String(expected);
}

/** Whether the event has all of these. */
export function hasAllFields(event: FlatEvent, keys: readonly string[]): boolean {
  return keys.every((key) => event[key] !== null && event[key] !== undefined && event[key] !== '');
}

export interface VerificationNote {
  /** Signed, or found in the service. */
  readonly verified: boolean;
  /** In one sentence. */
  readonly check: string;
}

/** Outputs of every instant trigger besides its own. */
export const VERIFICATION_FIELDS: PlainOutputField[] = [
  { key: 'verified', label: 'Verified', type: 'boolean' },
  { key: 'check', label: 'How It Was Checked', type: 'string' },
];

export function withVerification(event: FlatEvent, { verified, check }: VerificationNote): FlatEvent {
  const { raw = null, ...fields } = event;
  return { ...fields, verified, check, raw };
}
