import { EVENT_KIND_FIELDS, EVENT_KINDS, EVENT_SUBJECT_FIELDS } from '../assumptions/index.ts';
import { isObject } from '../records/fields.ts';
import { getParsedFields } from '../records/parsed-fields.ts';

/** Kinds read `noun.verb`; other separators and cases are brought to that. */
export function getEventKind(envelope: unknown): string | undefined {
  const fields = getParsedFields(envelope);
  const kindValues = EVENT_KIND_FIELDS.map(fields.getValue).filter((value) => typeof value === 'string');
  const isCloudEvent = isObject(envelope) && Object.hasOwn(envelope, 'specversion');
  const kinds = kindValues
    .map(normalizeKind)
    .flatMap((kind) => (isCloudEvent ? normalizeCloudEventType(kind) : kind) ?? []);
  const kind = kinds.find((knownKind) => EVENT_KINDS.includes(knownKind)) ?? kinds[0];
  if (kind !== undefined) return kind;
  // Told in two fields: a link, and that it was viewed.
  const subject = fields.getText(EVENT_SUBJECT_FIELDS)?.toLowerCase();
  return EVENT_KINDS.find((eventKind) =>
    kindValues.some((kindValue) => eventKind === `${subject}.${kindValue.toLowerCase()}`),
  );
}

/**
 * `LinkViewed`, `LINK_VIEWED` and `Link viewed` are `link.viewed`, and nothing else is: neither `link.viewed.test` nor
 * `room.link.viewed`. A text without two words is no kind.
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

/** A CloudEvents type begins with its owner's domain, reversed, and may end in a version: `com.example.link.viewed.v1`. */
function normalizeCloudEventType(type: string | undefined): string | undefined {
  const kind = type?.replace(/\.v\d+$/, '').replace(/^[^.]+\.[^.]+\./, '');
  return kind !== undefined && EVENT_KINDS.includes(kind) ? kind : type;
}
