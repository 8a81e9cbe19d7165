import {
  EVENT_BATCH_FIELDS,
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_TIME_FIELDS,
} from '../assumptions/index.ts';
import { isObject, type JsonObject } from '../records/fields.ts';
import { getParsedFields } from '../records/parsed-fields.ts';
import { getEventKind } from './event-kind.ts';

/** The events of a batch: a bare array, or an object around one array of events. */
export function getBatch(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (!isObject(raw) || getEventKind(raw) !== undefined) return undefined;
  for (const field of EVENT_BATCH_FIELDS) {
    const value = getParsedFields(raw).getValue(field);
    if (
      Array.isArray(value) &&
      value.slice(0, 100).some((one) => getEventKind(unwrapEnvelope(one)) !== undefined)
    )
      return value;
  }
  return undefined;
}

/** The object that holds kind, id and time: the body itself, or what it has under `event` or, without a kind of its own, `data`. */
export function unwrapEnvelope(body: unknown): unknown {
  if (!isObject(body)) return body;
  const event = getParsedFields(body).getValue('event');
  if (isObject(event)) return { ...body, ...event };
  if (getEventKind(body) !== undefined) return body;
  const inner = EVENT_DATA_FIELDS.map((field) => getParsedFields(body).getValue(field)).find(
    (value) => getEventKind(value) !== undefined,
  );
  if (!isObject(inner)) return body;
  const outerFields = [...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS].filter((field) =>
    Object.hasOwn(body, field),
  );
  return { ...inner, ...Object.fromEntries(outerFields.map((field) => [field, body[field]])) };
}

/** The data object of an event, else the whole event. */
export function getEventData(envelope: unknown): JsonObject {
  if (!isObject(envelope)) return { value: envelope };
  for (const field of EVENT_DATA_FIELDS) {
    const value = getParsedFields(envelope).getValue(field);
    if (!isObject(value)) continue;
    const inner = getParsedFields(value).getValue('object');
    // One level down, alone or beside what changed.
    const isWrapper = Object.keys(value).every((key) => /^(object|previous_?attributes)$/i.test(key));
    return isObject(inner) && isWrapper ? inner : value;
  }
  return envelope;
}

const SPECIFIC_ID_FIELDS = EVENT_ID_FIELDS.filter((name) => name !== 'id' && name !== 'uuid');

/** A flat event's `id` may be the id of the link itself: then it would swallow later events, so it has to say more. */
export function getEventId(envelope: unknown, data: JsonObject): string | undefined {
  const id = getParsedFields(envelope).getText(EVENT_ID_FIELDS);
  if (envelope !== data || /^(?:evt|event|msg|dlv|delivery)[_-]/i.test(id ?? '')) return id;
  return getParsedFields(envelope).getText(SPECIFIC_ID_FIELDS);
}
