import { InputError, SignatureError } from '../errors.ts';
import type { SignatureResult } from './check-signature.ts';
import type { EventHeaders } from './event-headers.ts';
import { type EventSecret, parseWebhookDelivery, type RawBody, type ServiceEvent } from './webhook-delivery.ts';

/**
 * Parses a delivered event of any usual shape (§6 shows none), with the status of its signature.
 * @param rawBody exactly as delivered, since the signature covers its bytes.
 * @param headers `Headers`, an object, pairs or Node's; names in any case.
 * @param secret one or, during a rotation, several; without it the signature is `unchecked`.
 * @throws InputError if the body is not JSON or not raw, the secret is empty, or there are several events:
 * see `parseEvents`.
 */
export function parseEvent(rawBody: RawBody, headers: EventHeaders = {}, secret?: EventSecret): ServiceEvent {
  return getSingleEvent(parseEvents(rawBody, headers, secret), 'parseEvents');
}

/** Parses a delivery that may hold several events; see `parseEvent`. */
export function parseEvents(
  rawBody: RawBody,
  headers: EventHeaders = {},
  secret?: EventSecret,
): readonly ServiceEvent[] {
  return parseWebhookDelivery(rawBody, headers, secret).events;
}

/**
 * Parses a delivered event and requires a valid signature; see `parseEvent`.
 * @throws SignatureError if the signature is missing, invalid, or too old.
 */
export function verifyEvent(rawBody: RawBody, headers: EventHeaders, secret: EventSecret): ServiceEvent {
  return getSingleEvent(verifyEvents(rawBody, headers, secret), 'verifyEvents');
}

/** Parses a delivery that may hold several events and requires a valid signature; see `verifyEvent`. */
export function verifyEvents(rawBody: RawBody, headers: EventHeaders, secret: EventSecret): readonly ServiceEvent[] {
  const { events, signature } = parseWebhookDelivery(rawBody, headers, secret);
  // Such as an unset environment variable: continuing would accept any sender.
  if (!signature) throw new InputError('The signing secret is missing, so the event was not verified.');
  if (signature.status !== 'valid') throw toSignatureError(signature);
  return events;
}

function toSignatureError({ status, clockOffsetMs }: SignatureResult): SignatureError {
  if (status === 'missing')
    return new SignatureError('The delivery has no signature header, so it was rejected.', 'missing');
  if (clockOffsetMs === undefined)
    return new SignatureError(
      'The signature does not match. Check the secret, and pass the body exactly as delivered, before any JSON parsing.',
      'mismatch',
    );
  const offsetText = Number.isNaN(clockOffsetMs)
    ? 'has no valid time'
    : `was made ${Math.round(Math.abs(clockOffsetMs) / 1000)} s ${clockOffsetMs > 0 ? 'ago' : 'in the future'}`;
  return new SignatureError(
    `The signature matches but ${offsetText}: the delivery may be replayed, or this machine's clock is wrong.`,
    'timestamp',
  );
}

function getSingleEvent(events: readonly ServiceEvent[], batchFunction: string): ServiceEvent {
  const [event, ...others] = events;
  if (!event || others.length > 0)
    throw new InputError(`The delivery contains ${events.length} events. Parse it with ${batchFunction}.`);
  return event;
}
