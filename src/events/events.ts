import { createHash } from 'node:crypto';
import { type JsonObject, textField, toIsoTime } from '../answer/fields.ts';
import { EVENT_ID_HEADERS, EVENT_KIND_HEADERS, EVENT_TIME_FIELDS } from '../assumptions/index.ts';
import { InputError } from '../errors.ts';
import { batchOf, dataOf, envelopeOf, eventIdOf, kindOf, normalizeKind } from './event-shape.ts';
import { checkSignature, type SignatureCheck } from './signature.ts';

/** The two kinds that the document names (§6); others exist. */
export type EventKind = 'link.viewed' | 'envelope.signed' | (string & {});

export interface ServiceEvent {
  /** The service's id of the event; else a hash of the body, so that a repeated delivery has the same id. */
  readonly id: string;
  readonly kind: EventKind | undefined;
  /** ISO 8601, where the event gives a time. */
  readonly time: string | undefined;
  /** What happened: the event's data object, else its whole body. */
  readonly data: JsonObject;
  readonly raw: unknown;
  /** `valid`, `invalid`, `missing` (a secret is known but no known header came) or `unchecked` (no secret given). */
  readonly signature: SignatureCheck;
}

export type EventHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads a delivered event in any usual shape (§6 shows none).
 * @param rawBody exactly as it was delivered: a signature covers its bytes.
 * @param headers in any case; `Http-X-Foo` and `HTTP_X_FOO` read as `x-foo`.
 * @param secret several while one replaces another.
 * @throws InputError where the body is not JSON, or holds several events: see `parseEvents`.
 */
export function parseEvent(
  rawBody: string | Uint8Array,
  headers: EventHeaders = {},
  secret?: string | readonly string[],
): ServiceEvent {
  const [event, ...more] = parseEvents(rawBody, headers, secret);
  if (!event || more.length > 0)
    throw new InputError(
      `The delivery holds ${more.length + (event ? 1 : 0)} events: read it with parseEvents.`,
    );
  return event;
}

/**
 * Reads a delivery that may hold a batch of events.
 * @throws InputError where the body is not JSON.
 */
export function parseEvents(
  rawBody: string | Uint8Array,
  headers: EventHeaders = {},
  secret?: string | readonly string[],
): ServiceEvent[] {
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
  const known = normalizeHeaders(headers);
  let raw: unknown;
  try {
    // Decoding drops a byte order mark, which JSON.parse refuses.
    raw = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new InputError('The delivered event is not JSON.');
  }
  const secrets = [secret ?? []].flat().filter((one) => one.trim() !== '');
  const signature =
    secrets.length === 0 ? 'unchecked' : checkSignature({ body, headers: known, secrets, now: Date.now() });
  const batch = batchOf(raw) ?? [raw];
  const delivery = fromHeaders(known, EVENT_ID_HEADERS);
  return batch.map((one, index) => {
    const envelope = envelopeOf(one);
    const data = dataOf(envelope);
    const own = eventIdOf(envelope, data);
    // A delivery's id names the event as long as it brings one; a retry brings the same.
    const id =
      batch.length > 1
        ? (own ?? (delivery === undefined ? hashOf(JSON.stringify(one)) : `${delivery}.${index}`))
        : (delivery ?? own ?? hashOf(body));
    return {
      id,
      // A `name` comes last: it may be a file's.
      kind:
        kindOf(envelope) ??
        normalizeKind(fromHeaders(known, EVENT_KIND_HEADERS)) ??
        normalizeKind(textField(envelope, ['name'])),
      time: toIsoTime(textField(envelope, EVENT_TIME_FIELDS)),
      data,
      raw: one,
      signature,
    };
  });
}

function hashOf(content: string | Uint8Array): string {
  return `sha256-${createHash('sha256').update(content).digest('hex')}`;
}

function fromHeaders(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): string | undefined {
  return names.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
}

function normalizeHeaders(headers: EventHeaders): Record<string, string> {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^http-/, '');
    known[key] = typeof value === 'string' ? value.trim() : value.join(', ');
  }
  return known;
}
