import { REMAINING_HEADERS, REQUEST_ID_HEADERS } from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceFacts } from '../../src/profile/service-profile.ts';
import { RATE_LIMIT_HEADER_PATTERN, RATE_LIMIT_HINTS, REQUEST_ID_HEADER_PATTERN } from '../assumptions.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { getTypes } from './merge-schemas.ts';

interface SchemaField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

function flattenFields(schema: Schema): SchemaField[] {
  const { properties = {}, required = [] } = schema;
  const direct = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
  const inner = [...Object.values(properties), ...(schema.items ? [schema.items] : [])].flatMap(flattenFields);
  return [...direct, ...inner];
}

function findMostCommon<T extends string>(votes: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const vote of votes) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Infers conventions that apply to all objects. */
export function inferConventions(resources: Readonly<Record<string, Schema>>): ServiceFacts {
  const fields = Object.values(resources).flatMap(flattenFields);
  return omitUndefined({
    naming: findMostCommon(fields.flatMap(({ name }) => getNamingCase(name) ?? [])),
    ids: inferIdFormat(resources),
    times: findMostCommon(fields.flatMap(({ schema }) => getTimeFormat(schema) ?? [])),
    nulls: inferNullStyle(fields),
  });
}

/** Returns the case of a name; undefined for a single lower-case word. */
function getNamingCase(name: string): NonNullable<ServiceFacts['naming']> | undefined {
  if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(name)) return 'snake';
  if (/^[a-z\d]+(?:-[a-z\d]+)+$/.test(name)) return 'kebab';
  if (/^[a-z]+[\da-z]*[A-Z]/.test(name)) return 'camel';
  if (/^[A-Z][\da-z]+(?:[A-Z][\da-z]*)*$/.test(name)) return 'pascal';
  return undefined;
}

function inferIdFormat(resources: Readonly<Record<string, Schema>>): ServiceFacts['ids'] {
  const ids = Object.values(resources)
    .flatMap((schema) => Object.entries(schema.properties ?? {}))
    .filter(([name]) => /^_?id$/i.test(name) || /^(?:uuid|guid|uid)$/i.test(name))
    .map(([, field]) => field);
  // Document IDs are always strings (§2), so one numeric ID shows that the others are numeric.
  if (ids.some((field) => getTypes(field).includes('integer'))) return 'numbers';
  return findMostCommon(ids.flatMap(({ format = '' }) => ID_FORMATS.get(format) ?? []));
}

type IdFormat = NonNullable<ServiceFacts['ids']>;
const ID_FORMATS = new Map<string, IdFormat>(
  Object.entries({ 'prefixed-id': 'prefixed', uuid: 'uuid', digits: 'digits', 'opaque-id': 'opaque' } as const),
);

function getTimeFormat({ format }: Schema): NonNullable<ServiceFacts['times']> | undefined {
  if (format === 'date-time') return 'iso';
  return format === 'epoch-seconds' || format === 'epoch-ms' || format === 'date' ? format : undefined;
}

/** Infers whether empty fields are null or omitted. */
function inferNullStyle(fields: readonly SchemaField[]): ServiceFacts['nulls'] {
  if (fields.some(({ schema }) => getTypes(schema).includes('null'))) return 'given';
  return fields.some(({ isRequired }) => !isRequired) ? 'omitted' : undefined;
}

/** Returns the header with the request ID; null if no response has one. */
export function inferRequestIdHeader(responses: readonly RecordedResponse[]): ServiceFacts['requestId'] {
  if (responses.length === 0) return undefined;
  const names = responses.flatMap(({ headers }) => Object.keys(headers));
  return (
    REQUEST_ID_HEADERS.find((name) => names.includes(name)) ??
    names.find((name) => REQUEST_ID_HEADER_PATTERN.test(name)) ??
    null
  );
}

/** Infers the rate limit from response headers. */
export function inferLimitFromHeaders(responses: readonly RecordedResponse[]): ServiceFacts['limit'] {
  if (responses.length === 0) return undefined;
  const ownKeyResponses = responses.filter(({ request }) => (request.key ?? 'own') === 'own');
  const headerEntries = ownKeyResponses.flatMap(({ headers }) => Object.entries(headers));
  const allNames = new Set(headerEntries.map(([name]) => name));
  const names = [...allNames].filter((name) => RATE_LIMIT_HEADER_PATTERN.test(name));
  const rejected = responses.find(({ status }) => status === 429);
  const getHeaderValue = (pattern: RegExp) => headerEntries.find(([name]) => pattern.test(name))?.[1];
  const calls = Number(
    /q=(\d+)/.exec(getHeaderValue(/^(?:x-)?ratelimit-policy$/) ?? '')?.[1] ??
      getHeaderValue(/ratelimit-limit$|rate-limit-limit$/) ??
      Number.NaN,
  );
  return omitUndefined({
    headers: names.sort(),
    hint: inferLimitHint(names, rejected),
    calls: Number.isSafeInteger(calls) && calls > 0 ? calls : undefined,
    kind: isBurstLimit(ownKeyResponses) ? ('burst' as const) : undefined,
  });
}

function inferLimitHint(
  names: readonly string[],
  rejected: RecordedResponse | undefined,
): NonNullable<ServiceFacts['limit']>['hint'] {
  const declared = RATE_LIMIT_HINTS.find(({ header }) => names.some((name) => header.test(name)));
  if (declared) return declared.hint;
  const retry = rejected?.headers['retry-after'];
  if (retry !== undefined) return /^\d+$/.test(retry.trim()) ? 'seconds' : 'date';
  return rejected ? 'none' : undefined;
}

/** Returns whether few calls remain from the start, which means a burst limit. */
function isBurstLimit(responses: readonly RecordedResponse[]): boolean {
  const remaining = responses.flatMap(({ headers }) => {
    const plain = REMAINING_HEADERS.map((name) => headers[name]).find((remainingCount) => remainingCount !== undefined);
    const structured = /\br=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1];
    const remainingCount = Number(plain ?? structured ?? Number.NaN);
    return Number.isFinite(remainingCount) ? [remainingCount] : [];
  });
  return remaining.length > 0 && Math.max(...remaining) < 30;
}
