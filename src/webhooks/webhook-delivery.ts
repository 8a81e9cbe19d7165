import { createHash } from 'node:crypto';
import {
  DELIVERY_ID_HEADERS,
  EVENT_KIND_HEADERS,
  EVENT_TIME_FIELDS,
  MAX_BATCH_EVENTS,
  SIGNATURE_TOLERANCE_MS,
} from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import { type JsonObject, toIsoTime } from '../records/fields.ts';
import { getParsedFields } from '../records/parsed-fields.ts';
import {
  checkSignature,
  getSignedId,
  type SignatureResult,
  type SignatureStatus,
} from './check-signature.ts';
import { type EventHeaders, normalizeHeaders } from './event-headers.ts';
import { getEventKind, normalizeKind } from './event-kind.ts';
import { getBatch, getEventData, getEventId, unwrapEnvelope } from './event-shape.ts';
import { parseSecrets } from './signing-secrets.ts';

/** The two kinds that the document names (§6); others exist. */
export type EventKind = 'link.viewed' | 'envelope.signed' | (string & {});

export interface ServiceEvent {
  /**
   * The same in each delivery of the event, and covered by its signature: the id that the scheme signs, else the body's
   * own, else a hash of the body.
   */
  readonly id: string;
  /** Id that an unsigned header gives: good for logs, and for nothing else. */
  readonly deliveryId: string | undefined;
  readonly kind: EventKind | undefined;
  /** ISO 8601, where the event gives a time. */
  readonly time: string | undefined;
  /** What happened: the event's data object, else its whole body. */
  readonly data: JsonObject;
  readonly raw: unknown;
  /** `valid`, `invalid`, `missing` (a secret is known but no signature came) or `unchecked` (no secret given). */
  readonly signature: SignatureStatus;
  /** Which of the given secrets signed it, counted from 0; set where the signature is valid. */
  readonly secretIndex: number | undefined;
}

/** A body exactly as it was delivered: a signature covers its bytes. */
export type RawBody = string | Uint8Array | ArrayBufferLike | DataView;

export interface SignatureOptions {
  /** Several while one replaces another. */
  readonly secret?: string | readonly string[];
  /** How far a signed time may be from now; 5 minutes unless told. */
  readonly toleranceMs?: number;
}

/** A secret, or several, or options. */
export type EventSecret = string | readonly string[] | SignatureOptions;

export interface WebhookDelivery {
  readonly events: readonly ServiceEvent[];
  /** Undefined where no secret was given. */
  readonly signature: SignatureResult | undefined;
}

/**
 * Reads a delivery in any usual shape (§6 shows none); it may hold a batch of events.
 * @throws InputError where the body is not JSON or not raw, or a secret is empty.
 */
export function parseWebhookDelivery(
  rawBody: RawBody,
  headers: EventHeaders,
  secret?: EventSecret,
): WebhookDelivery {
  const body = toBytes(rawBody);
  const headerMap = normalizeHeaders(headers);
  const { secret: configuredSecret, toleranceMs = SIGNATURE_TOLERANCE_MS } = toSignatureOptions(secret);
  if (!(toleranceMs >= 0)) throw new InputError('toleranceMs must be 0 milliseconds or more.');
  const secrets = configuredSecret === undefined ? undefined : parseSecrets(configuredSecret);
  const raw = parseBody(body);
  const signature =
    secrets && checkSignature({ body, headers: headerMap, secrets, now: Date.now(), toleranceMs });
  const headerKind = normalizeKind(getFirstHeader(headerMap, EVENT_KIND_HEADERS));
  const deliveryId = getFirstHeader(headerMap, DELIVERY_ID_HEADERS);
  const signedId = getSignedId(headerMap);
  const batch = getBatch(raw) ?? [raw];
  if (batch.length > MAX_BATCH_EVENTS)
    throw new InputError(
      `The delivery holds ${batch.length} events; at most ${MAX_BATCH_EVENTS} are read at once.`,
    );
  let hash: string | undefined;
  const getBodyHash = () => (hash ??= `sha256-${createHash('sha256').update(body).digest('hex')}`);
  const events = batch.map((item, index): ServiceEvent => {
    const envelope = unwrapEnvelope(item);
    const data = getEventData(envelope);
    const fields = getParsedFields(envelope);
    const ownId = getEventId(envelope, data);
    return {
      // Of several events in one delivery, its id is only where each one's begins.
      id:
        batch.length > 1
          ? (ownId ?? `${signedId ?? getBodyHash()}.${index}`)
          : (signedId ?? ownId ?? getBodyHash()),
      deliveryId,
      // A `name` comes last: it may be a file's.
      kind: getEventKind(envelope) ?? headerKind ?? normalizeKind(fields.getText(['name'])),
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
  return typeof secret === 'string' || isList(secret) ? { secret } : secret;
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
    "The event's body must be the text or bytes exactly as they were delivered, before any JSON parsing: a signature covers these bytes.",
  );
}

/** What is checked must be what is read, and decoders refuse shared memory. */
function copyIfShared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes;
}

function parseBody(body: Uint8Array): unknown {
  try {
    // Decoding drops a byte order mark, which JSON.parse refuses.
    return parseJsonExact(new TextDecoder().decode(body));
  } catch {
    throw new InputError('The delivered event is not JSON.');
  }
}

function getFirstHeader(headers: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => headers.get(name)).find((value) => value !== undefined && value !== '');
}
