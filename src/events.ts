import { createHash } from 'node:crypto';
import {
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_ID_HEADERS,
  EVENT_KIND_FIELDS,
  EVENT_KIND_HEADERS,
  EVENT_TIME_FIELDS,
} from './assumptions.ts';
import { InputError } from './errors.ts';
import { isObject, type JsonObject, textField, toIsoTime } from './fields.ts';
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

/**
 * Reads a delivered event in any usual shape (§6 shows none).
 * @param rawBody exactly as it was delivered: a signature covers its bytes.
 * @param headers in any case; `Http-X-Foo` and `HTTP_X_FOO` read as `x-foo`.
 * @throws InputError where the body is not JSON.
 */
export function parseEvent(
  rawBody: string | Uint8Array,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  secret?: string,
): ServiceEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const known = normalizeHeaders(headers);
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new InputError('The delivered event is not JSON.');
  }
  // Some services deliver events in batches of one.
  const body = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
  const envelope = isObject(body) && isObject(body['event']) ? { ...body, ...body['event'] } : body;
  const kind = kindOf(envelope) ?? fromHeaders(known, EVENT_KIND_HEADERS);
  const data = dataOf(envelope);
  return {
    id: fromHeaders(known, EVENT_ID_HEADERS) ?? eventIdOf(envelope, data) ?? hashOf(text),
    kind,
    time: toIsoTime(textField(envelope, EVENT_TIME_FIELDS)),
    data,
    raw,
    signature:
      secret === undefined || secret === ''
        ? 'unchecked'
        : checkSignature({ text, headers: known, secret, now: Date.now() }),
  };
}

/** Kinds read `noun.verb`; other separators and cases are brought to that. */
function kindOf(envelope: unknown): string | undefined {
  for (const field of EVENT_KIND_FIELDS) {
    const value = textField(envelope, [field]);
    if (value === undefined) continue;
    const kind = value
      .trim()
      .replace(/([a-z])([A-Z])/g, '$1.$2')
      .toLowerCase()
      .replace(/[\s:/_-]+/g, '.');
    if (/^[a-z]+(\.[a-z]+)+$/.test(kind)) return kind;
  }
  return undefined;
}

function dataOf(envelope: unknown): JsonObject {
  if (!isObject(envelope)) return { value: envelope };
  for (const field of EVENT_DATA_FIELDS) {
    const value = Object.hasOwn(envelope, field) ? envelope[field] : undefined;
    if (!isObject(value)) continue;
    // Stripe-like: the object stands one level down, alone or beside what changed.
    const inner = value['object'];
    return isObject(inner) ? inner : value;
  }
  return envelope;
}

/** A flat event's `id` may be the id of the link itself: then it would swallow later events, so it is not used. */
function eventIdOf(envelope: unknown, data: JsonObject): string | undefined {
  if (envelope === data)
    return textField(
      envelope,
      EVENT_ID_FIELDS.filter((name) => name !== 'id'),
    );
  return textField(envelope, EVENT_ID_FIELDS);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('hex')}`;
}

function fromHeaders(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): string | undefined {
  return names.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
}

function normalizeHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^http-/, '');
    known[key] = typeof value === 'string' ? value : value.join(', ');
  }
  return known;
}
