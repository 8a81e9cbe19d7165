import * as assumed from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceFacts } from '../../src/profile/service-profile.ts';
import { toIsoTime } from '../../src/records/fields.ts';
import { parseEvents } from '../../src/webhooks/parse-event.ts';
import type { ServiceEvent } from '../../src/webhooks/webhook-delivery.ts';
import { findNamedPath } from '../probes/json-path.ts';
import type { ReceivedDelivery } from '../probes/webhook-receiver.ts';
import { isFieldName } from './field-names.ts';
import { inferStringSchema } from './infer-scalar-schema.ts';
import { inferSchema } from './infer-schema.ts';
import { mergeAllSchemas } from './merge-schemas.ts';

type EventFacts = NonNullable<ServiceFacts['event']>;

/** Headers that every HTTP request has. */
const COMMON_HTTP_HEADERS =
  /^(?:host|connection|content-length|content-type|accept|accept-encoding|accept-language|user-agent|transfer-encoding|sec-.*|date)$/;
const KNOWN_KINDS: readonly string[] = [...assumed.EVENT_KINDS, ...assumed.AGREEMENT_END_EVENTS];

/** Infers format, field paths and signature scheme of the deliveries; undefined if none can be parsed. */
export function inferEvent(
  deliveries: readonly ReceivedDelivery[],
  secret: string | undefined,
): EventFacts | undefined {
  const parsedEvents = deliveries.flatMap((delivery) => {
    try {
      const [event] = parseEvents(delivery.body, delivery.headers, secret);
      return event ? [{ delivery, event, json: JSON.parse(delivery.body.toString()) as unknown }] : [];
    } catch {
      return [];
    }
  });
  const [first] = parsedEvents;
  const body = mergeAllSchemas(parsedEvents.map(({ json }) => inferSchema(json)));
  if (!first || !body) return undefined;
  const { event, json } = first;
  const locate = (
    part: 'kind' | 'id' | 'time' | 'data',
    names: readonly string[],
    matches: (value: unknown) => boolean,
  ) => {
    const at = findNamedPath(json, names, matches);
    return at ? { [part]: [...at] } : {};
  };
  return {
    body,
    headers: getHeaderSchemas(first.delivery),
    ...locate('kind', assumed.EVENT_KIND_FIELDS, (value) => typeof value === 'string' && value === event.kind),
    ...locate('id', assumed.EVENT_ID_FIELDS, (value) => typeof value === 'string' || typeof value === 'number'),
    ...locate('time', assumed.EVENT_TIME_FIELDS, (value) => isEventTime(value, event)),
    ...locate('data', assumed.EVENT_DATA_FIELDS, (value) => typeof value === 'object' && value !== null),
    ...inferSignature(first.delivery, event),
    kinds: [...new Set(parsedEvents.map(({ event: one }) => one.kind ?? ''))].filter((kind) =>
      KNOWN_KINDS.includes(kind),
    ),
  };
}

function isEventTime(value: unknown, { time }: ServiceEvent): boolean {
  return time !== undefined && (typeof value === 'string' || typeof value === 'number') && toIsoTime(value) === time;
}

function getHeaderSchemas({ headers }: ReceivedDelivery): Record<string, Schema> {
  const eventHeaders = Object.entries(headers).filter(([name]) => !COMMON_HTTP_HEADERS.test(name) && isFieldName(name));
  return Object.fromEntries(eventHeaders.slice(0, 64).map(([name, value]) => [name, inferStringSchema(value, name)]));
}

/** Infers the scheme from the header's format; `unknown` if the secret does not verify it. */
function inferSignature(
  { headers }: ReceivedDelivery,
  event: ServiceEvent,
): Pick<EventFacts, 'signature' | 'signatureHeader'> {
  const standard = assumed.STANDARD_WEBHOOK_HEADERS.find(({ signature }) => headers[signature] !== undefined);
  const name = standard?.signature ?? Object.keys(headers).find(assumed.isSignatureHeader);
  if (name === undefined) return { signature: 'none' };
  const isInvalid = event.signature === 'invalid';
  const signature = isInvalid ? 'unknown' : standard ? 'standard-webhooks' : inferSignatureScheme(headers[name] ?? '');
  return { signature, signatureHeader: name };
}

function inferSignatureScheme(value: string): EventFacts['signature'] {
  if (/(?:^|,)\s*t=/.test(value) && /v1=/.test(value)) return 't-v1';
  if (/^sha256=[\da-f]{64}$/i.test(value)) return 'sha256-hex';
  if (/^[\da-f]{64}$/i.test(value)) return 'hex';
  return /^[\w+/-]{43}=?$/.test(value) ? 'base64' : 'unknown';
}
