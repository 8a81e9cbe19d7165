import { fieldOf, isObject, type JsonObject, textField } from '../answer/fields.ts';
import {
  EVENT_BATCH_FIELDS,
  EVENT_DATA_FIELDS,
  EVENT_ID_FIELDS,
  EVENT_KIND_FIELDS,
  EVENT_KINDS,
  EVENT_SUBJECT_FIELDS,
  EVENT_TIME_FIELDS,
} from '../assumptions/index.ts';

/** The events of a batch: a bare array, or an object around one array of events. */
export function batchOf(raw: unknown): readonly unknown[] | undefined {
  if (Array.isArray(raw)) return raw;
  if (!isObject(raw) || kindOf(raw) !== undefined) return undefined;
  for (const field of EVENT_BATCH_FIELDS) {
    const value = fieldOf(raw, field);
    if (Array.isArray(value) && value.some((one) => kindOf(envelopeOf(one)) !== undefined)) return value;
  }
  return undefined;
}

/** The object that holds kind, id and time: the body itself, or what it has under `event` or, without a kind of its own, `data`. */
export function envelopeOf(body: unknown): unknown {
  if (!isObject(body)) return body;
  const event = fieldOf(body, 'event');
  if (isObject(event)) return { ...body, ...event };
  if (kindOf(body) !== undefined) return body;
  const inner = EVENT_DATA_FIELDS.map((field) => fieldOf(body, field)).find(
    (value) => kindOf(value) !== undefined,
  );
  if (!isObject(inner)) return body;
  const outer = [...EVENT_ID_FIELDS, ...EVENT_TIME_FIELDS].filter((field) => Object.hasOwn(body, field));
  return { ...inner, ...Object.fromEntries(outer.map((field) => [field, body[field]])) };
}

/** Kinds read `noun.verb`; other separators and cases are brought to that. */
export function kindOf(envelope: unknown): string | undefined {
  const words = EVENT_KIND_FIELDS.flatMap((field) => textField(envelope, [field]) ?? []);
  const kinds = words.flatMap((word) => normalizeKind(word) ?? []);
  const kind = kinds.find((one) => EVENT_KINDS.includes(one)) ?? kinds[0];
  if (kind !== undefined) return kind;
  // Told in two fields: a link, and that it was viewed.
  const subject = textField(envelope, EVENT_SUBJECT_FIELDS)?.toLowerCase();
  return EVENT_KINDS.find((known) => words.some((word) => known === `${subject}.${word.toLowerCase()}`));
}

/** `LinkViewed`, `link_viewed` and `Link viewed` are `link.viewed`; a text without two words is no kind. */
export function normalizeKind(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const kind = text.includes('.')
    ? text.toLowerCase()
    : text
        .replace(/([a-z0-9])([A-Z])/g, '$1.$2')
        .toLowerCase()
        .replace(/[\s:/_-]+/g, '.');
  if (!/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/.test(kind)) return undefined;
  // A name space before it or a version behind it, as in `com.example.link.viewed.v1`.
  return EVENT_KINDS.find((known) => `.${kind}.`.includes(`.${known}.`)) ?? kind;
}

/** The data object of an event, else the whole event. */
export function dataOf(envelope: unknown): JsonObject {
  if (!isObject(envelope)) return { value: envelope };
  for (const field of EVENT_DATA_FIELDS) {
    const value = fieldOf(envelope, field);
    if (!isObject(value)) continue;
    const inner = fieldOf(value, 'object');
    // One level down, alone or beside what changed.
    const alone = Object.keys(value).every((key) => /^(object|previous_?attributes)$/i.test(key));
    return isObject(inner) && alone ? inner : value;
  }
  return envelope;
}

/** A flat event's `id` may be the id of the link itself: then it would swallow later events, so it has to say more. */
export function eventIdOf(envelope: unknown, data: JsonObject): string | undefined {
  const id = textField(envelope, EVENT_ID_FIELDS);
  if (envelope !== data || /^(?:evt|event|msg|dlv|delivery)[_-]/i.test(id ?? '')) return id;
  return textField(
    envelope,
    EVENT_ID_FIELDS.filter((name) => name !== 'id' && name !== 'uuid'),
  );
}
