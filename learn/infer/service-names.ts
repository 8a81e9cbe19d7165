import { ERROR_CODE_FIELDS, ERROR_MESSAGE_FIELDS } from '../../src/assumptions/index.ts';
import { getExtension, toBaseMediaType } from '../../src/media-type.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type {
  ListProfile,
  OperationProfile,
  ResponseShape,
  ServiceFacts,
  ServiceProfile,
} from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { collectNames, hideFields } from './edit-schema.ts';
import { isFieldName } from './field-names.ts';
import { isKnownName } from './known-names.ts';

/** Returns whether a name belongs to the service and was not chosen by users of the account. */
export type ServiceNamePredicate = (name: string) => boolean;

/** Creates the predicate. With `keepNames`, every name that is written like a field name belongs to the service. */
export function createServiceNamePredicate(
  { operations, resources }: Pick<ServiceProfile, 'operations' | 'resources'>,
  keepNames: boolean,
): ServiceNamePredicate {
  const bodies = Object.values(operations).flatMap((one) => one?.response?.body ?? []);
  const known = [...bodies, ...Object.values(resources)].flatMap(collectNames).filter(isKnownName);
  const capitalizedCount = known.filter(isCapitalized).length;
  // In a service with lower-case names, a capitalized name such as `Page` is a person's.
  const isLowerCase = capitalizedCount * 4 < known.length;
  return (name) => {
    const isPersonal = isLowerCase && isCapitalized(name) && !ERROR_FIELDS.has(normalizeName(name));
    const isKnown = isKnownName(name);
    if (!isFieldName(name)) return false;
    return keepNames ? isKnown || !(isPersonal && CAPITALIZED_WORD.test(name)) : isKnown && !isPersonal;
  };
}

/** Looks like a person's name. */
const CAPITALIZED_WORD = /^[A-Z][a-z]+$/;
const isCapitalized = (name: string) => /^[A-Z]/.test(name);
export const isServiceHeader = (name: string, isServiceName: ServiceNamePredicate) => isServiceName(name.toLowerCase());
/** Errors may come from a gateway, which may use another case than the service. */
const ERROR_FIELDS = new Set([...ERROR_MESSAGE_FIELDS, ...ERROR_CODE_FIELDS].map(normalizeName));

/**
 * Restricts a profile to names of the service before it is written. Values under other names become
 * `additionalProperties`; a fact whose path has such a name is left out.
 */
export function restrictToServiceNames(profile: ServiceProfile, isServiceName: ServiceNamePredicate): ServiceProfile {
  const { facts, operations, resources, rejections } = profile;
  return {
    ...profile,
    facts: restrictFacts(facts, isServiceName),
    operations: mapValues(operations, (one) => restrictOperation(one, isServiceName)),
    resources: mapValues(resources, (one) => restrictSchema(one, isServiceName)),
    rejections: mapValues(rejections, (one) => restrictResponse(one, isServiceName)),
  };
}

/** Changes each value of a record, without the undefined ones. */
function mapValues<T extends object>(record: T, change: (value: NonNullable<T[keyof T]>) => T[keyof T]): T {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value)])) as T;
}

/** Moves fields with other names into `additionalProperties`. */
export function restrictSchema(schema: Schema, isServiceName: ServiceNamePredicate): Schema {
  return hideFields(schema, { isVisible: isServiceName, change: (inner) => restrictSchema(inner, isServiceName) });
}

/** Restricts headers, media type and body of a response. */
export function restrictResponse(response: ResponseShape, isServiceName: ServiceNamePredicate): ResponseShape {
  const { media, contentType, headers, body } = response;
  const isKnownType = (type: string) => {
    const parts = type.toLowerCase().split(/[^a-z]+/);
    return !/\d{5}/.test(type) && parts.every((word) => word === '' || isServiceName(word));
  };
  const isStandard = media === null || isKnownType(media) || getExtension(media) !== undefined;
  return omitUndefined({
    ...response,
    media: isStandard ? media : toBaseMediaType(media),
    contentType: contentType !== undefined && isKnownType(contentType) ? contentType : undefined,
    headers: restrictHeaders(headers, isServiceName),
    body: body && restrictSchema(body, isServiceName),
  });
}

function restrictHeaders(headers: ResponseShape['headers'], isServiceName: ServiceNamePredicate) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isServiceHeader(name, isServiceName)));
}

/** Returns a path if all its names belong to the service. */
function restrictPath<Path extends readonly string[] | null>(
  path: Path | undefined,
  isServiceName: ServiceNamePredicate,
): Path | undefined {
  return path?.every(isServiceName) === false ? undefined : path;
}

function restrictOperation(
  { response, list, item, ...rest }: OperationProfile,
  isServiceName: ServiceNamePredicate,
): OperationProfile {
  const restricted = response && restrictResponse(response, isServiceName);
  if (restrictPath(list?.at ?? item ?? [], isServiceName))
    return omitUndefined({ ...rest, response: restricted, list: list && restrictList(list, isServiceName), item });
  // Without the path, the envelope would be mistaken for the object.
  return omitUndefined({ ...rest, response: restricted && omitUndefined({ ...restricted, body: undefined }) });
}

function restrictList(list: ListProfile, isServiceName: ServiceNamePredicate): ListProfile {
  const { next, more, total, size } = list;
  const isKnownParam = size.param !== undefined && isServiceParam(size.param, isServiceName);
  return omitUndefined({
    ...list,
    next: next && restrictNextPage(next, isServiceName),
    more: more && restrictPath(more.at, isServiceName) && more,
    total: restrictPath(total, isServiceName),
    size: omitUndefined({ ...size, param: isKnownParam ? size.param : undefined }),
  });
}

/** Keeps the next page only if the names of its path and parameters belong to the service. */
function restrictNextPage(
  next: NonNullable<ListProfile['next']>,
  isServiceName: ServiceNamePredicate,
): ListProfile['next'] {
  const params = next.params.filter((name) => isServiceParam(name, isServiceName));
  const hasKnownLocation =
    restrictPath(next.at ?? [], isServiceName) &&
    (next.header === undefined || isServiceHeader(next.header, isServiceName));
  const hasKnownParams = params.length > 0 || next.params.length === 0 || next.by === 'url';
  return hasKnownLocation && hasKnownParams ? { ...next, params } : undefined;
}

/** Returns whether a parameter belongs to the service; it may name a field in brackets (`page[size]`). */
export function isServiceParam(name: string, isServiceName: ServiceNamePredicate): boolean {
  const [, outer = '', inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
  return isServiceName(outer) && (inner === undefined || inner === '' || isServiceName(inner));
}

function restrictFacts(facts: ServiceFacts, isServiceName: ServiceNamePredicate): ServiceFacts {
  const { download, upload, webhookSecret, requestId, limit, event } = facts;
  const isHeader = (name: string) => isServiceHeader(name, isServiceName);
  return omitUndefined({
    ...facts,
    download: download && omitUndefined({ ...download, at: restrictPath(download.at, isServiceName) }),
    upload: upload && { ...upload, headers: upload.headers.filter(isHeader) },
    webhookSecret: restrictPath(webhookSecret, isServiceName),
    requestId: requestId === null || (requestId !== undefined && isHeader(requestId)) ? requestId : undefined,
    limit: limit && { ...limit, headers: limit.headers.filter(isHeader) },
    event: event && restrictEvent(event, isServiceName),
  });
}

function restrictEvent(event: NonNullable<ServiceFacts['event']>, isServiceName: ServiceNamePredicate) {
  const { kind, id, time, data, signatureHeader = '', headers, body } = event;
  return omitUndefined({
    ...event,
    body: restrictSchema(body, isServiceName),
    headers: restrictHeaders(headers, isServiceName),
    kind: restrictPath(kind, isServiceName),
    id: restrictPath(id, isServiceName),
    time: restrictPath(time, isServiceName),
    data: restrictPath(data, isServiceName),
    signatureHeader: isServiceHeader(signatureHeader, isServiceName) ? event.signatureHeader : undefined,
  });
}
