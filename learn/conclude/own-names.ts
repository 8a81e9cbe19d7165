import { normalizeName } from '../../src/answer/fields.ts';
import { ERROR_CODE_FIELDS, ERROR_MESSAGE_FIELDS } from '../../src/assumptions/index.ts';
import { getExtension, toBaseMediaType } from '../../src/media-type.ts';
import type {
  ListProfile,
  OperationProfile,
  ResponseShape,
  ServiceFacts,
  ServiceProfile,
} from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isFieldName } from '../form/field-names.ts';
import { namesIn } from '../form/fold-names.ts';
import { isKnownName } from '../form/known-names.ts';
import { mergeSchemas } from '../form/merge-schemas.ts';

/** Whether a name is the service's own, and not one that people of the account may have given. */
export type IsOwn = (name: string) => boolean;

/** `keepNames`: a name of whatever words is taken for the service's, if it is written as one. */
export function ownNames(
  { operations, resources }: Pick<ServiceProfile, 'operations' | 'resources'>,
  keepNames: boolean,
): IsOwn {
  const bodies = Object.values(operations).flatMap((one) => one?.answer?.body ?? []);
  const known = [...bodies, ...Object.values(resources)].flatMap(namesIn).filter(isKnownName);
  const capital = known.filter(isCapital).length;
  // A service that writes small letters first does so everywhere: `Page` and `Price` are people there.
  const isSmall = capital * 4 < known.length;
  return (name) =>
    isFieldName(name) &&
    (keepNames ||
      (isKnownName(name) && !(isSmall && isCapital(name) && !OF_REFUSALS.has(normalizeName(name)))));
}

const isCapital = (name: string) => /^[A-Z]/.test(name);
/** Headers are written in any case. */
export const isOwnHeader = (name: string, isOwn: IsOwn) => isOwn(name.toLowerCase());
/** Refusals may be written by another program than all else: by what stands before the service. */
const OF_REFUSALS = new Set([...ERROR_MESSAGE_FIELDS, ...ERROR_CODE_FIELDS].map(normalizeName));

/**
 * The one gate before everything that is written: a profile in which no name stands but the service's own. What stood under
 * others counts as `<name>`, and a fact whose place has such a name is left out.
 */
export function withOwnNames(profile: ServiceProfile, isOwn: IsOwn): ServiceProfile {
  const { facts, operations, resources, refusals } = profile;
  return {
    ...profile,
    facts: ownFacts(facts, isOwn),
    operations: mapValues(operations, (one) => ownOperation(one, isOwn)),
    resources: mapValues(resources, (one) => ownForm(one, isOwn)),
    refusals: mapValues(refusals, (one) => ownAnswer(one, isOwn)),
  };
}

function mapValues<T extends object>(record: T, change: (value: NonNullable<T[keyof T]>) => T[keyof T]): T {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)])) as T;
}

/** A form without the names that are not the service's: what they hold becomes the form of a map. */
export function ownForm(schema: Schema, isOwn: IsOwn): Schema {
  const { properties, required, items, additionalProperties, ...plain } = schema;
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, ownForm(field, isOwn)] as const,
  );
  const own = fields.filter(([name]) => isOwn(name));
  const others = fields.filter(([name]) => !isOwn(name)).map(([, field]) => field);
  const [first, ...more] = [
    ...(additionalProperties ? [ownForm(additionalProperties, isOwn)] : []),
    ...others,
  ];
  return {
    ...plain,
    ...(items ? { items: ownForm(items, isOwn) } : {}),
    ...(properties && (own.length > 0 || others.length === 0) ? { properties: Object.fromEntries(own) } : {}),
    ...(required ? { required: required.filter(isOwn) } : {}),
    ...(first ? { additionalProperties: more.reduce(mergeSchemas, first) } : {}),
  };
}

/** The same of an answer: its headers, its media type, its body. */
export function ownAnswer({ media, contentType, ...answer }: ResponseShape, isOwn: IsOwn): ResponseShape {
  const headers = Object.entries(answer.headers).filter(([name]) => isOwnHeader(name, isOwn));
  const isPlain = (type: string) => {
    const words = type.toLowerCase().split(/[^a-z]+/);
    return !/\d{5}/.test(type) && words.every((word) => word === '' || isOwn(word));
  };
  const isUsual = media === null || isPlain(media) || getExtension(media) !== undefined;
  return {
    ...answer,
    media: isUsual ? media : toBaseMediaType(media),
    ...(contentType !== undefined && isPlain(contentType) ? { contentType } : {}),
    headers: Object.fromEntries(headers),
    ...(answer.body ? { body: ownForm(answer.body, isOwn) } : {}),
  };
}

function ownOperation({ answer, list, item, ...rest }: OperationProfile, isOwn: IsOwn): OperationProfile {
  const isPlaced = (list?.at ?? item ?? []).every(isOwn);
  const own = answer && ownAnswer(answer, isOwn);
  // Without its place, the envelope would be taken for the object.
  if (!isPlaced) {
    const { body: _, ...bare } = own ?? {};
    return { ...rest, ...(own ? { answer: bare as ResponseShape } : {}) };
  }
  return {
    ...rest,
    ...(own ? { answer: own } : {}),
    ...(list ? { list: ownList(list, isOwn) } : {}),
    ...(item ? { item } : {}),
  };
}

function ownList(
  { next, more, total, size: { param, ...size }, ...list }: ListProfile,
  isOwn: IsOwn,
): ListProfile {
  const way = next && ownWay(next, isOwn);
  return {
    ...list,
    ...(way ? { next: way } : {}),
    ...(more?.at.every(isOwn) ? { more } : {}),
    ...(total?.every(isOwn) ? { total } : {}),
    size: { ...size, ...(param !== undefined && isOwnParam(param, isOwn) ? { param } : {}) },
  };
}

/** A way on is known where its place and what asks for it are. */
function ownWay(next: NonNullable<ListProfile['next']>, isOwn: IsOwn): ListProfile['next'] {
  const params = next.params.filter((name) => isOwnParam(name, isOwn));
  const isPlaced =
    (next.at ?? []).every(isOwn) && (next.header === undefined || isOwnHeader(next.header, isOwn));
  const isAsked = params.length > 0 || next.params.length === 0 || next.by === 'address';
  return isPlaced && isAsked ? { ...next, params } : undefined;
}

/** `page[size]`, `$top`: a parameter may name a field in brackets. */
export function isOwnParam(name: string, isOwn: IsOwn): boolean {
  const [, outer = '', inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  return isOwn(outer) && (inner === undefined || inner === '' || isOwn(inner));
}

function ownFacts(facts: ServiceFacts, isOwn: IsOwn): ServiceFacts {
  const { download, upload, webhookSecret, requestId, limit, event, ...rest } = facts;
  const { at, ...file } = download ?? {};
  const isHeader = (name: string) => isOwnHeader(name, isOwn);
  return {
    ...rest,
    ...(download ? { download: at?.every(isOwn) ? download : (file as typeof download) } : {}),
    ...(upload ? { upload: { ...upload, headers: upload.headers.filter(isHeader) } } : {}),
    ...(webhookSecret === null || webhookSecret?.every(isOwn) ? { webhookSecret } : {}),
    ...(requestId === null || (requestId !== undefined && isHeader(requestId)) ? { requestId } : {}),
    ...(limit ? { limit: { ...limit, headers: limit.headers.filter(isHeader) } } : {}),
    ...(event ? { event: ownEvent(event, isOwn) } : {}),
  };
}

function ownEvent(
  event: NonNullable<ServiceFacts['event']>,
  isOwn: IsOwn,
): NonNullable<ServiceFacts['event']> {
  const { kind, id, time, data, signatureHeader, headers, body, ...rest } = event;
  const places = Object.entries({ kind, id, time, data }).filter(([, at]) => at?.every(isOwn));
  return {
    ...rest,
    body: ownForm(body, isOwn),
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isOwnHeader(name, isOwn))),
    ...Object.fromEntries(places),
    ...(signatureHeader !== undefined && isOwnHeader(signatureHeader, isOwn) ? { signatureHeader } : {}),
  };
}
