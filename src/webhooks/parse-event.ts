import { InputError, SignatureError } from '../errors.ts';
import type { SignatureResult } from './check-signature.ts';
import type { EventHeaders } from './event-headers.ts';
import {
  type EventSecret,
  parseWebhookDelivery,
  type RawBody,
  type ServiceEvent,
} from './webhook-delivery.ts';

/**
 * Reads a delivered event in any usual shape (§6 shows none), and says what its signature is worth.
 * @param rawBody exactly as it was delivered: a signature covers its bytes.
 * @param headers in any case; `Headers`, an object, pairs or Node's.
 * @param secret several while one replaces another; unchecked without.
 * @throws InputError where the body is not JSON or not raw, the secret is empty, or there are several events: see `parseEvents`.
 */
export function parseEvent(rawBody: RawBody, headers: EventHeaders = {}, secret?: EventSecret): ServiceEvent {
  return getSingleEvent(parseEvents(rawBody, headers, secret), 'parseEvents');
}

/** Reads a delivery that may hold a batch of events; see `parseEvent`. */
export function parseEvents(
  rawBody: RawBody,
  headers: EventHeaders = {},
  secret?: EventSecret,
): readonly ServiceEvent[] {
  return parseWebhookDelivery(rawBody, headers, secret).events;
}

/**
 * Reads a delivered event only where its signature is valid; see `parseEvent`.
 * @throws SignatureError where it is missing, made with another secret or over other bytes, or too old.
 */
export function verifyEvent(rawBody: RawBody, headers: EventHeaders, secret: EventSecret): ServiceEvent {
  return getSingleEvent(verifyEvents(rawBody, headers, secret), 'verifyEvents');
}

/** Reads a delivery that may hold a batch of events only where its signature is valid; see `verifyEvent`. */
export function verifyEvents(
  rawBody: RawBody,
  headers: EventHeaders,
  secret: EventSecret,
): readonly ServiceEvent[] {
  const { events, signature } = parseWebhookDelivery(rawBody, headers, secret);
  // Such as an environment variable that is not set: to go on would believe everybody.
  if (!signature) throw new InputError('No signing secret was given, so no event can be verified.');
  if (signature.status !== 'valid') throw toSignatureError(signature);
  return events;
}

function toSignatureError({ status, clockOffsetMs }: SignatureResult): SignatureError {
  if (status === 'missing')
    return new SignatureError('The delivery carries no signature: none of its headers holds one.', 'missing');
  if (clockOffsetMs === undefined)
    return new SignatureError(
      'The signature does not fit: it was made with another secret, or over other bytes than these (pass the body as it was delivered, before any JSON parsing).',
      'mismatch',
    );
  const offsetText = Number.isNaN(clockOffsetMs)
    ? 'at no readable time'
    : `${Math.round(Math.abs(clockOffsetMs) / 1000)} s ${clockOffsetMs > 0 ? 'ago' : 'ahead'}`;
  return new SignatureError(
    `The signature fits, but was made ${offsetText}: the delivery may be a recorded one, or this machine's clock is wrong.`,
    'time',
  );
}

function getSingleEvent(events: readonly ServiceEvent[], batchFunction: string): ServiceEvent {
  const [event, ...others] = events;
  if (!event || others.length > 0)
    throw new InputError(`The delivery holds ${events.length} events: read it with ${batchFunction}.`);
  return event;
}
