import { REMAINING_HEADERS, REQUEST_ID_HEADERS } from '../../src/assumptions/index.ts';
import type { ServiceFacts } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { LIMIT_HEADER, LIMIT_HINTS, REQUEST_ID_HEADER } from '../assumptions.ts';
import { getTypes } from '../form/merge-schemas.ts';
import { isIdName } from '../form/text-form.ts';
import type { Answer } from '../wire/session.ts';

/** A field of a form, with its name and whether each of its holders has it. */
interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly always: boolean;
}

function flattenFields(schema: Schema): Field[] {
  const { properties = {}, required = [] } = schema;
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    always: required.includes(name),
  }));
  const inner = [...Object.values(properties), ...(schema.items ? [schema.items] : [])].flatMap(
    flattenFields,
  );
  return [...own, ...inner];
}

function most<T extends string>(votes: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const vote of votes) counts.set(vote, (counts.get(vote) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** What holds for all objects, from the forms of those that were seen. */
export function concludeForms(resources: Readonly<Record<string, Schema>>): ServiceFacts {
  const fields = Object.values(resources).flatMap(flattenFields);
  const naming = most(fields.flatMap(({ name }) => getNamingCase(name) ?? []));
  const ids = inferIdFormat(resources);
  const times = most(fields.flatMap(({ schema }) => getTimeFormat(schema) ?? []));
  const nulls = inferNullStyle(Object.values(resources));
  return {
    ...(naming ? { naming } : {}),
    ...(ids ? { ids } : {}),
    ...(times ? { times } : {}),
    ...(nulls ? { nulls } : {}),
  };
}

/** Only names of two words tell their case; one that begins with a capital tells it alone. */
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
  // A document's id is a text in any case (§2), so that one number among them tells the others.
  if (ids.some((field) => getTypes(field).includes('integer'))) return 'numbers';
  return most(
    ids.flatMap(({ format }): NonNullable<ServiceFacts['ids']>[] => {
      if (format === 'prefixed-id') return ['prefixed'];
      if (format === 'uuid' || format === 'digits') return [format];
      return format === 'opaque-id' ? ['opaque'] : [];
    }),
  );
}

function getTimeFormat({ format }: Schema): NonNullable<ServiceFacts['times']> | undefined {
  if (format === 'date-time') return 'iso';
  return format === 'epoch-seconds' || format === 'epoch-ms' || format === 'date' ? format : undefined;
}

/** Fields without a value are given as null where one was; left out where some are missing and none is null. */
function inferNullStyle(schemas: readonly Schema[]): ServiceFacts['nulls'] {
  const fields = schemas.flatMap(flattenFields);
  if (fields.some(({ schema, name }) => getTypes(schema).includes('null') && !isIdName(name))) return 'given';
  if (fields.some(({ schema }) => getTypes(schema).includes('null'))) return 'given';
  return fields.some(({ always }) => !always) ? 'omitted' : undefined;
}

/** The header that names a request; null where none of several answers has one. */
export function concludeRequestId(answers: readonly Answer[]): ServiceFacts['requestId'] {
  if (answers.length === 0) return undefined;
  const names = answers.flatMap(({ headers }) => Object.keys(headers));
  return (
    REQUEST_ID_HEADERS.find((name) => names.includes(name)) ??
    names.find((name) => REQUEST_ID_HEADER.test(name)) ??
    null
  );
}

/** What headers say of the limit, on answers and on refusals. */
export function concludeLimit(answers: readonly Answer[]): ServiceFacts['limit'] {
  if (answers.length === 0) return undefined;
  const spoken = answers.filter(({ asked }) => (asked.key ?? 'own') === 'own');
  const names = [
    ...new Set(
      spoken.flatMap(({ headers }) => Object.keys(headers).filter((name) => LIMIT_HEADER.test(name))),
    ),
  ];
  const refused = answers.find(({ status }) => status === 429);
  const value = (pattern: RegExp) =>
    spoken.flatMap(({ headers }) => Object.entries(headers).filter(([name]) => pattern.test(name)))[0]?.[1];
  const hint = inferLimitHint(names, refused);
  const calls = Number(
    /q=(\d+)/.exec(value(/^(?:x-)?ratelimit-policy$/) ?? '')?.[1] ??
      value(/ratelimit-limit$|rate-limit-limit$/) ??
      Number.NaN,
  );
  return {
    headers: names.sort(),
    ...(hint ? { hint } : {}),
    ...(Number.isSafeInteger(calls) && calls > 0 ? { calls } : {}),
    ...(isBurst(spoken) ? { kind: 'burst' as const } : {}),
  };
}

function inferLimitHint(
  names: readonly string[],
  refused: Answer | undefined,
): NonNullable<ServiceFacts['limit']>['hint'] {
  const said = LIMIT_HINTS.find(({ header }) => names.some((name) => header.test(name)));
  if (said) return said.hint;
  const retry = refused?.headers['retry-after'];
  if (retry !== undefined) return /^\d+$/.test(retry.trim()) ? 'seconds' : 'date';
  return refused ? 'none' : undefined;
}

/** A service that says at once that but few calls are left lets only small bursts through. */
function isBurst(answers: readonly Answer[]): boolean {
  const left = answers.flatMap(({ headers }) => {
    const plain = REMAINING_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
    const structured = /\br=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1];
    const value = Number(plain ?? structured ?? Number.NaN);
    return Number.isFinite(value) ? [value] : [];
  });
  return left.length > 0 && Math.max(...left) < 30;
}
