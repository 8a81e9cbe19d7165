/** Assumptions about delivered events: the document names two kinds and shows nothing else (§6). */
import { splitWords } from '../split-words.ts';

/** §6 "Payload shape: not shown": an event's kind, ID, time and data, in the body or its envelope. */
export const EVENT_KIND_FIELDS = splitWords(`type event event_type eventType kind topic action`);
/** §6: the documented kinds; others exist. */
export const EVENT_KINDS = ['link.viewed', 'envelope.signed'];
/** §6: kinds by which a service tests a URL: nothing has happened. */
export const PROBE_EVENT_PATTERN = /^(?:ping|test|hello|challenge|handshake|verif(?:y|ication)|url_verification)$/i;
/** Fields for the subject of a one-word kind, as in `{"resource": "link", "action": "viewed"}`. */
export const EVENT_SUBJECT_FIELDS = splitWords(`resource resource_type resourceType object object_type entity subject`);
export const EVENT_BATCH_FIELDS = ['events', 'data', 'items', 'deliveries'];
/** §6: maximum events of a delivery; larger ones are rejected before they cost anything. */
export const MAX_BATCH_EVENTS = 10_000;
export const EVENT_ID_FIELDS = splitWords(`
  id event_id eventId delivery_id deliveryId uuid message_id messageId
`);
export const EVENT_TIME_FIELDS = splitWords(`
  created_at createdAt timestamp occurred_at occurredAt created time sent_at date
`);
export const EVENT_DATA_FIELDS = ['data', 'payload', 'object', 'resource', 'body', 'attributes'];

/** §6 "delivery headers: not shown": headers that may hold an event's kind, or its delivery ID. */
export const EVENT_KIND_HEADERS = splitWords(`
  x-webhook-event x-event-type x-event webhook-event x-docshare-event x-webhook-topic
`);
export const DELIVERY_ID_HEADERS = splitWords(`
  webhook-id svix-id x-webhook-id x-event-id x-delivery-id x-webhook-delivery x-docshare-delivery
`);

/** §6 "signature scheme: not shown": headers of the schemes that sign ID and time along with the body. */
export const STANDARD_WEBHOOK_HEADERS = [
  { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
  { id: 'svix-id', timestamp: 'svix-timestamp', signature: 'svix-signature' },
] as const;
/** §6: other headers with `t=…,v1=…`, or the body's HMAC-SHA256 in hex or base64, under any name. */
export function isSignatureHeader(name: string): boolean {
  return /signature|hmac/.test(name) && !/[-_](?:timestamp|time|input|version|algorithm|method|key-?id)$/.test(name);
}
/** §6: default headers of `signEvent` for such signatures. */
export const DEFAULT_SIGNATURE_HEADERS = { timed: 'x-webhook-signature', plain: 'x-signature' } as const;
/** §6: maximum difference between a signed time and now. */
export const SIGNATURE_TOLERANCE_MS = 5 * 60_000;
