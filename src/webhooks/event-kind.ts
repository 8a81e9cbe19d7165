import { EVENT_KIND_FIELDS, EVENT_KINDS, EVENT_SUBJECT_FIELDS } from '../assumptions/index.ts';
import { isObject } from '../records/fields.ts';
import { getNormalizedFields } from '../records/normalized-fields.ts';

/** Returns an event's kind as `noun.verb`, whatever its separators and case. */
export function getEventKind(envelope: unknown): string | undefined {
  const fields = getNormalizedFields(envelope);
  const kindValues = EVENT_KIND_FIELDS.map(fields.getValue).filter((value) => typeof value === 'string');
  const isCloudEvent = isObject(envelope) && Object.hasOwn(envelope, 'specversion');
  const kinds = kindValues
    .map(normalizeKind)
    .flatMap((kind) => (isCloudEvent ? normalizeCloudEventType(kind) : kind) ?? []);
  const kind = kinds.find((knownKind) => EVENT_KINDS.includes(knownKind)) ?? kinds[0];
  if (kind !== undefined) return kind;
  // In two fields: `link` and `viewed`.
  const subject = fields.getText(EVENT_SUBJECT_FIELDS)?.toLowerCase();
  return EVENT_KINDS.find((eventKind) =>
    kindValues.some((kindValue) => eventKind === `${subject}.${kindValue.toLowerCase()}`),
  );
}

/**
 * Normalizes `LinkViewed`, `LINK_VIEWED` and `Link viewed` to `link.viewed`, but neither `link.viewed.test`
 * nor `room.link.viewed`. A single word is not a kind.
 */
export function normalizeKind(value: string | undefined): string | undefined {
  const text = value?.trim();
  if (text === undefined || text.length > MAX_KIND_LENGTH) return undefined;
  const kind = text.includes('.')
    ? text.toLowerCase()
    : text
        .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3.$2')
        .toLowerCase()
        .replace(/[\s:/_-]+/g, '.');
  return /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/.test(kind) ? kind : undefined;
}

const MAX_KIND_LENGTH = 200;

/** A CloudEvents type has a reversed domain and maybe a version: `com.example.link.viewed.v1`. */
function normalizeCloudEventType(type: string | undefined): string | undefined {
  const kind = type?.replace(/\.v\d+$/, '').replace(/^[^.]+\.[^.]+\./, '');
  return kind !== undefined && EVENT_KINDS.includes(kind) ? kind : type;
}
