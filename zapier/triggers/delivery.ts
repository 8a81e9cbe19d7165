import type { Bundle } from 'zapier-platform-core';
import type { Step } from '../platform/client.ts';
import { InputError, type JsonObject, parseEvents, type ServiceEvent } from '../platform/core.ts';

/** The events of what Zapier handed over. What is no event gives none, and `unreadable` hears why. */
export function readDelivery(
  { bundle }: Step<JsonObject>,
  secret: string | undefined,
  unreadable: (reason: string) => void,
): readonly ServiceEvent[] {
  const headers = bundle.rawRequest?.headers ?? {};
  try {
    return parseEvents(rawBodyOf(bundle), headers, secret);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    unreadable(error.message);
    return [];
  }
}

function rawBodyOf(bundle: Bundle): string {
  const { rawRequest, cleanedRequest } = bundle;
  if (typeof rawRequest?.content === 'string') return rawRequest.content;
  // The platform adds the query of the address to the parsed body.
  const { querystring: _, ...body } = (cleanedRequest ?? {}) as JsonObject;
  return JSON.stringify(body);
}
