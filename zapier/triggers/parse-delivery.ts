import type { Bundle } from 'zapier-platform-core';
import { EVENT_KIND_FIELDS, PROBE_EVENT_PATTERN } from '../../src/assumptions/index.ts';
import { InputError, isObject, type JsonObject, parseEvents, type ServiceEvent } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { DEDUPE_TTL_S } from './dedupe.ts';

/** Zapier may run a delivery again hours later, for example after a reconnect; within this time, dedupe stops a repeated one. */
const TOLERANCE_MS = DEDUPE_TTL_S * 1000;

/** Parses the events of a delivery. Reports anything else to `onUnreadable`. */
export function parseDelivery(
  { bundle }: StepContext<JsonObject>,
  secret: string | undefined,
  onUnreadable: (reason: string) => void,
): readonly ServiceEvent[] {
  const headers = bundle.rawRequest?.headers ?? {};
  const signature = secret === undefined ? undefined : { secret, toleranceMs: TOLERANCE_MS };
  try {
    return parseEvents(getRawBody(bundle), headers, signature).filter((event) => {
      const isEvent = isEventPayload(event);
      if (!isEvent) onUnreadable('it contains no event');
      return isEvent;
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    onUnreadable(error.message);
    return [];
  }
}

/** False for an empty body and for a test message. */
function isEventPayload({ raw, kind }: ServiceEvent): boolean {
  if (kind !== undefined) return true;
  if (!isObject(raw) || Object.keys(raw).length === 0) return false;
  return !isTestMessage(raw);
}

export function isTestMessage(raw: unknown): boolean {
  return isObject(raw) && EVENT_KIND_FIELDS.some((name) => PROBE_EVENT_PATTERN.test(String(raw[name] ?? '').trim()));
}

function getRawBody(bundle: Bundle): string {
  const { rawRequest, cleanedRequest } = bundle;
  if (typeof rawRequest?.content === 'string') return rawRequest.content;
  // Zapier adds the URL's query to the parsed body.
  const { querystring: _, ...body } = (cleanedRequest ?? {}) as JsonObject;
  return JSON.stringify(body);
}
