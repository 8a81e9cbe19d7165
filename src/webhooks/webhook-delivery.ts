import { createHash } from 'node:crypto';
import {
  DELIVERY_ID_HEADERS,
  EVENT_KIND_FIELDS,
  EVENT_KIND_HEADERS,
  EVENT_TIME_FIELDS,
  MAX_BATCH_EVENTS,
  SIGNATURE_TOLERANCE_MS,
} from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import { checkOptionNames } from '../option-names.ts';
import { type JsonObject, toIsoTime } from '../records/fields.ts';
import { getNormalizedFields } from '../records/normalized-fields.ts';
import { checkSignature, getSignedId, type SignatureResult, type SignatureStatus } from './check-signature.ts';
import { type EventHeaders, normalizeHeaders } from './event-headers.ts';
import { getEventKind, normalizeKind } from './event-kind.ts';
import { getBatchEvents, getEventData, getEventId, unwrapEvent } from './event-shape.ts';
import { parseSecrets } from './signing-secrets.ts';

/** The two documented kinds (§6); others exist. */
export type EventKind = 'link.viewed' | 'envelope.signed' | (string & {});

export interface ServiceEvent {
  /** Equal in each delivery, and signed: the scheme's signed ID, the body's own, or a hash of the body. */
  readonly id: string;
  /** ID from an unsigned header; use it only for logs. */
  readonly deliveryId: string | undefined;
  readonly kind: EventKind | undefined;
  /** The kind as the service writes it, also if `kind` is undefined. */
  readonly type: string | undefined;
  /** ISO 8601, if the event has a time. */
  readonly time: string | undefined;
  /** The event's data object, otherwise its whole body. */
  readonly data: JsonObject;
  readonly raw: unknown;
  /** `valid`, `invalid`, `missing` (no signature although a secret is set) or `unchecked` (no secret). */
  readonly signature: SignatureStatus;
  /** Index of the secret that signed it, from 0; set if the signature is valid. */
  readonly secretIndex: number | undefined;
}

/** A body exactly as delivered, since the signature covers its bytes. */
export type RawBody = string | Uint8Array | ArrayBufferLike | DataView;

export interface SignatureOptions {
  /** Several during a rotation. */
  readonly secret?: string | readonly string[];
  /** Maximum difference between the signed time and now. Default: 5 minutes. */
  readonly toleranceMs?: number;
}

export type EventSecret = string | readonly string[] | SignatureOptions;

interface WebhookDelivery {
  readonly events: readonly ServiceEvent[];
  /** Undefined without a secret. */
  readonly signature: SignatureResult | undefined;
}

/**
 * Parses a delivery of any usual shape (§6 shows none); it may hold several events.
 * @throws InputError if the body is not JSON or not raw, or a secret is empty.
 */
export function parseWebhookDelivery(rawBody: RawBody, headers: EventHeaders, secret?: EventSecret): WebhookDelivery {
  const body = toBytes(rawBody);
  const headerMap = normalizeHeaders(headers);
  const { secret: configuredSecret, toleranceMs = SIGNATURE_TOLERANCE_MS } = toSignatureOptions(secret);
  if (!(toleranceMs >= 0)) throw new InputError('toleranceMs must be 0 milliseconds or more.');
  const secrets = configuredSecret === undefined ? undefined : parseSecrets(configuredSecret);
  const raw = parseBody(body);
  const signature = secrets && checkSignature({ body, headers: headerMap, secrets, now: Date.now(), toleranceMs });
  const headerType = getFirstHeader(headerMap, EVENT_KIND_HEADERS);
  const deliveryId = getFirstHeader(headerMap, DELIVERY_ID_HEADERS);
  const signedId = getSignedId(headerMap);
  const batch = getBatchEvents(raw) ?? [raw];
  if (batch.length > MAX_BATCH_EVENTS)
    throw new InputError(
      `The delivery contains ${batch.length} events; the maximum is ${MAX_BATCH_EVENTS}. It was not parsed.`,
    );
  let hash: string | undefined;
  const getBodyHash = () => (hash ??= `sha256-${createHash('sha256').update(body).digest('hex')}`);
  const events = batch.map((item, index): ServiceEvent => {
    const envelope = unwrapEvent(item);
    const data = getEventData(envelope);
    const fields = getNormalizedFields(envelope);
    const ownId = getEventId(envelope, data);
    return {
      // With several events in a delivery, its ID is only the prefix of theirs.
      id: batch.length > 1 ? (ownId ?? `${signedId ?? getBodyHash()}.${index}`) : (signedId ?? ownId ?? getBodyHash()),
      deliveryId,
      // `name` comes last: it may be a file's name.
      kind: getEventKind(envelope) ?? normalizeKind(headerType) ?? normalizeKind(fields.getText(['name'])),
      type: fields.getText(EVENT_KIND_FIELDS) ?? headerType,
      time: toIsoTime(fields.getText(EVENT_TIME_FIELDS)?.slice(0, 100)),
      data,
      raw: item,
      signature: signature?.status ?? 'unchecked',
      secretIndex: signature?.secretIndex,
    };
  });
  return { events, signature };
}

function toSignatureOptions(secret: EventSecret | undefined): SignatureOptions {
  if (secret === undefined) return {};
  if (typeof secret === 'string' || isList(secret)) return { secret };
  checkOptionNames('Signature options', secret, { secret: true, toleranceMs: true });
  return secret;
}

function isList(secret: Exclude<EventSecret, string>): secret is readonly string[] {
  return Array.isArray(secret);
}

function toBytes(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return copyIfShared(new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength));
  if (rawBody instanceof ArrayBuffer || rawBody instanceof SharedArrayBuffer)
    return copyIfShared(new Uint8Array(rawBody));
  throw new InputError(
    'Pass the event body as the text or bytes exactly as delivered, before any JSON parsing: the signature covers these bytes.',
  );
}

/** The checked bytes must be the parsed ones, and decoders reject shared memory. */
function copyIfShared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes;
}

function parseBody(body: Uint8Array): unknown {
  try {
    // Decoding drops a byte order mark, which JSON.parse rejects.
    return parseJsonExact(new TextDecoder().decode(body));
  } catch {
    throw new InputError('The delivered event is not JSON.');
  }
}

function getFirstHeader(headers: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => headers.get(name)).find((value) => value !== undefined && value !== '');
}
