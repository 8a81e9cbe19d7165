import { isObject, type JsonObject } from '../answer/fields.ts';
import { fieldsOf } from '../answer/parsed-fields.ts';
import {
  EVENT_BATCH_FIELDS,
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_TIME_FIELDS,
} from '../assumptions/index.ts';
import { kindOf } from './event-kind.ts';

/** The events of a batch: a bare array, or an object around one array of events. */
export function batchOf(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (!isObject(raw) || kindOf(raw) !== undefined) return undefined;
  for (const field of EVENT_BATCH_FIELDS) {
    const value = fieldsOf(raw).valueOf(field);
    if (Array.isArray(value) && value.slice(0, 100).some((one) => kindOf(envelopeOf(one)) !== undefined))
      return value;
  }
  return undefined;
}

/** The object that holds kind, id and time: the body itself, or what it has under `event` or, without a kind of its own, `data`. */
export function envelopeOf(body: unknown): unknown {
  if (!isObject(body)) return body;
  const event = fieldsOf(body).valueOf('event');
  if (isObject(event)) return { ...body, ...event };
  if (kindOf(body) !== undefined) return body;
  const inner = EVENT_DATA_FIELDS.map((field) => fieldsOf(body).valueOf(field)).find(
    (value) => kindOf(value) !== undefined,
  );
  if (!isObject(inner)) return body;
  const outer = [...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS].filter((field) => Object.hasOwn(body, field));
  return { ...inner, ...Object.fromEntries(outer.map((field) => [field, body[field]])) };
}

/** The data object of an event, else the whole event. */
export function dataOf(envelope: unknown): JsonObject {
  if (!isObject(envelope)) return { value: envelope };
  for (const field of EVENT_DATA_FIELDS) {
    const value = fieldsOf(envelope).valueOf(field);
    if (!isObject(value)) continue;
    const inner = fieldsOf(value).valueOf('object');
    // One level down, alone or beside what changed.
    const alone = Object.keys(value).every((key) => /^(object|previous_?attributes)$/i.test(key));
    return isObject(inner) && alone ? inner : value;
  }
  return envelope;
}

const SAYING_ID_FIELDS = EVENT_ID_FIELDS.filter((name) => name !== 'id' && name !== 'uuid');

/** A flat event's `id` may be the id of the link itself: then it would swallow later events, so it has to say more. */
export function eventIdOf(envelope: unknown, data: JsonObject): string | undefined {
  const id = fieldsOf(envelope).textOf(EVENT_ID_FIELDS);
  if (envelope !== data || /^(?:evt|event|msg|dlv|delivery)[_-]/i.test(id ?? '')) return id;
  return fieldsOf(envelope).textOf(SAYING_ID_FIELDS);
}
