import { normalizeName, toIsoTime } from '../../src/answer/fields.ts';
import {
  AGREEMENT_END_EVENTS,
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_KIND_FIELDS,
  EVENT_KINDS,
  EVENT_TIME_FIELDS,
  isSignatureHeader,
  STANDARD_WEBHOOK_HEADERS,
} from '../../src/assumptions/index.ts';
import type { ServiceEvent } from '../../src/events/delivery.ts';
import { parseEvents } from '../../src/events/parse-event.ts';
import type { ServiceFacts } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isFieldName } from '../form/field-names.ts';
import { mergeAll } from '../form/merge-schemas.ts';
import { findPath, type Path } from '../form/paths.ts';
import { inferSchema } from '../form/schema-of.ts';
import { textForm } from '../form/text-form.ts';
import type { Delivered } from './receiver.ts';

type EventFact = NonNullable<ServiceFacts['event']>;

/** Headers that every HTTP request has. */
const OF_HTTP =
  /^(?:host|connection|content-length|content-type|accept|accept-encoding|accept-language|user-agent|transfer-encoding|sec-.*|date)$/;
const KINDS: readonly string[] = [...EVENT_KINDS, ...AGREEMENT_END_EVENTS];

/** The form of what was delivered, where its parts stand, and how it is signed; undefined where nothing can be read. */
export function concludeEvent(came: readonly Delivered[], secret: string | undefined): EventFact | undefined {
  const read = came.flatMap((delivered) => {
    try {
      const [event] = parseEvents(delivered.body, delivered.headers, secret);
      return event ? [{ delivered, event, json: JSON.parse(delivered.body.toString()) as unknown }] : [];
    } catch {
      return [];
    }
  });
  const [first] = read;
  const body = mergeAll(read.map(({ json }) => inferSchema(json)));
  if (!first || !body) return undefined;
  const { event, json } = first;
  const place = (name: 'kind' | 'id' | 'time' | 'data', at: Path | undefined) =>
    at ? { [name]: [...at] } : {};
  return {
    body,
    headers: headerForms(first.delivered),
    ...place(
      'kind',
      named(json, EVENT_KIND_FIELDS, (value) => typeof value === 'string' && value === event.kind),
    ),
    ...place(
      'id',
      named(json, EVENT_ID_FIELDS, (value) => typeof value === 'string' || typeof value === 'number'),
    ),
    ...place(
      'time',
      named(json, EVENT_TIME_FIELDS, (value) => isTime(value, event)),
    ),
    ...place(
      'data',
      named(json, EVENT_DATA_FIELDS, (value) => typeof value === 'object' && value !== null),
    ),
    ...inferSignature(first.delivered, event),
    kinds: [...new Set(read.map(({ event: one }) => one.kind ?? ''))].filter((kind) => KINDS.includes(kind)),
  };
}

function named(json: unknown, names: readonly string[], fits: (value: unknown) => boolean): Path | undefined {
  const plain = names.map(normalizeName);
  return findPath(json, (value, name) => plain.includes(normalizeName(name)) && fits(value));
}

function isTime(value: unknown, { time }: ServiceEvent): boolean {
  return (
    time !== undefined &&
    (typeof value === 'string' || typeof value === 'number') &&
    toIsoTime(value) === time
  );
}

function headerForms({ headers }: Delivered): Record<string, Schema> {
  const own = Object.entries(headers).filter(([name]) => !OF_HTTP.test(name) && isFieldName(name));
  return Object.fromEntries(own.slice(0, 64).map(([name, value]) => [name, textForm(value, name)]));
}

/** The scheme by its header's form; one that the secret does not fit is unknown. */
function inferSignature(
  { headers }: Delivered,
  event: ServiceEvent,
): Pick<EventFact, 'signature' | 'signatureHeader'> {
  const standard = STANDARD_WEBHOOK_HEADERS.find(({ signature }) => headers[signature] !== undefined);
  const name = standard?.signature ?? Object.keys(headers).find(isSignatureHeader);
  if (name === undefined) return { signature: 'none' };
  const isWrong = event.signature === 'invalid';
  const signature = isWrong
    ? 'unknown'
    : standard
      ? 'standard-webhooks'
      : inferSignatureScheme(headers[name] ?? '');
  return { signature, signatureHeader: name };
}

function inferSignatureScheme(value: string): EventFact['signature'] {
  if (/(?:^|,)\s*t=/.test(value) && /v1=/.test(value)) return 't-v1';
  if (/^sha256=[\da-f]{64}$/i.test(value)) return 'sha256-hex';
  if (/^[\da-f]{64}$/i.test(value)) return 'hex';
  return /^[\w+/-]{43}=?$/.test(value) ? 'base64' : 'unknown';
}
