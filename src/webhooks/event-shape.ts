import { EVENT_BATCH_FIELDS, EVENT_DATA_FIELDS, EVENT_ID_FIELDS, EVENT_TIME_FIELDS } from '../assumptions/index.ts';
import { isObject, type JsonObject } from '../records/fields.ts';
import { getNormalizedFields } from '../records/normalized-fields.ts';
import { getEventKind } from './event-kind.ts';

/** Returns the events of a batch: an array, or an object with one array of events. */
export function getBatchEvents(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (!isObject(raw) || getEventKind(raw) !== undefined) return undefined;
  for (const field of EVENT_BATCH_FIELDS) {
    const value = getNormalizedFields(raw).getValue(field);
    if (Array.isArray(value) && value.slice(0, 100).some((one) => getEventKind(unwrapEvent(one)) !== undefined))
      return value;
  }
  return undefined;
}

/** Returns the object with kind, id and time: the body, its `event`, or its `data` if only that has a kind. */
export function unwrapEvent(body: unknown): unknown {
  if (!isObject(body)) return body;
  const event = getNormalizedFields(body).getValue('event');
  if (isObject(event)) return { ...body, ...event };
  if (getEventKind(body) !== undefined) return body;
  const inner = EVENT_DATA_FIELDS.map((field) => getNormalizedFields(body).getValue(field)).find(
    (value) => getEventKind(value) !== undefined,
  );
  if (!isObject(inner)) return body;
  const outerFields = [...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS].filter((field) => Object.hasOwn(body, field));
  return { ...inner, ...Object.fromEntries(outerFields.map((field) => [field, body[field]])) };
}

/** Returns an event's data object, otherwise the whole event. */
export function getEventData(envelope: unknown): JsonObject {
  if (!isObject(envelope)) return { value: envelope };
  for (const field of EVENT_DATA_FIELDS) {
    const value = getNormalizedFields(envelope).getValue(field);
    if (!isObject(value)) continue;
    const inner = getNormalizedFields(value).getValue('object');
    // One level down, alone or beside previous attributes.
    const isWrapper = Object.keys(value).every((key) => /^(object|previous_?attributes)$/i.test(key));
    return isObject(inner) && isWrapper ? inner : value;
  }
  return envelope;
}

const SPECIFIC_ID_FIELDS = EVENT_ID_FIELDS.filter((name) => name !== 'id' && name !== 'uuid');

/** Returns the event's ID. A flat event's `id` may be the link's, which repeats, so it must look like an event ID. */
export function getEventId(envelope: unknown, data: JsonObject): string | undefined {
  const id = getNormalizedFields(envelope).getText(EVENT_ID_FIELDS);
  if (envelope !== data || /^(?:evt|event|msg|dlv|delivery)[_-]/i.test(id ?? '')) return id;
  return getNormalizedFields(envelope).getText(SPECIFIC_ID_FIELDS);
}
