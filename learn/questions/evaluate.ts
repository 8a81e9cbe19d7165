import type { Schema } from '../../src/profile/json-schema.ts';
import type { RejectionKind, ServiceProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import type { EvaluationResult } from './question.ts';

export const notObserved = (why: string): EvaluationResult => ({ outcome: 'not observed', observation: why });
export const confirmed = (observation: string): EvaluationResult => ({ outcome: 'confirmed', observation });
export const different = (observation: string): EvaluationResult => ({ outcome: 'different', observation });
/** For assumed names of which the service has none. */
export const notFound = (observation: string): EvaluationResult => ({ outcome: 'not found', observation });
export const confirmedIf = (isAsAssumed: boolean, observation: string): EvaluationResult =>
  isAsAssumed ? confirmed(observation) : different(observation);

/** Adds a sentence to the observation; undefined adds nothing. */
export const addObservation = (result: EvaluationResult, sentence: string | undefined): EvaluationResult =>
  sentence === undefined ? result : { ...result, observation: `${result.observation} ${sentence}` };

/** Finds a field by its dotted name, in any case and with any separator. The path has the service's own spelling. */
export function findField(schema: Schema | undefined, name: string): { path: string; schema: Schema } | undefined {
  let at = schema;
  const path: string[] = [];
  for (const part of name.split('.')) {
    const found = Object.entries(at?.properties ?? {}).find(([key]) => normalizeName(key) === normalizeName(part));
    if (!found) return undefined;
    path.push(found[0]);
    at = found[1];
  }
  return at && { path: path.join('.'), schema: at };
}

/** Returns the assumed names that the schemas contain, in the service's own spelling. */
export function findNames(schemas: readonly (Schema | undefined)[], names: readonly string[]): string[] {
  const found = schemas.flatMap((schema) => names.flatMap((name) => findField(schema, name)?.path ?? []));
  return [...new Set(found)];
}

function hasFields(schema: Schema | undefined): boolean {
  return Object.keys(schema?.properties ?? {}).length > 0;
}

/** Evaluates whether the observed schemas contain any of the assumed names. */
export function evaluateNames(
  schemas: readonly (Schema | undefined)[],
  { names, label }: { names: readonly string[]; label: string },
): EvaluationResult {
  const observed = schemas.filter(hasFields);
  if (observed.length === 0) return notObserved('No such object was observed.');
  const found = findNames(observed, names);
  if (found.length > 0) return confirmed(`${label}: ${formatAsCode(found)}.`);
  return notFound(`${label} has none of the assumed names. Fields: ${formatAsCode(getFieldNames(observed))}.`);
}

/** Evaluates how many entries of a table of assumed names the observed schemas contain. */
export function evaluateTable(
  schemas: readonly (Schema | undefined)[],
  { table, label }: { table: Readonly<Record<string, readonly string[]>>; label: string },
): EvaluationResult {
  const observed = schemas.filter(hasFields);
  if (observed.length === 0) return notObserved('No such object was observed.');
  const found = Object.values(table).map((names) => findNames(observed, names));
  const names = found.flatMap(([first]) => first ?? []);
  const count = found.filter((one) => one.length > 0).length;
  const text = `${label}: ${count} of ${found.length} found`;
  return count > 0
    ? confirmed(`${text}, as ${formatAsCode([...new Set(names)])}.`)
    : notFound(`${text}. Fields: ${formatAsCode(getFieldNames(observed))}.`);
}

export function getFieldNames(schemas: readonly (Schema | undefined)[]): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys(schema?.properties ?? {})))];
}

export function formatPaths(paths: readonly (readonly string[])[]): string {
  return formatAsCode([...new Set(paths.map((path) => path.join('.') || 'the top level'))]);
}

/** Formats up to 16 names as code. */
export function formatAsCode(names: readonly string[]): string {
  const visible = names.slice(0, 16).map((name) => `\`${name}\``);
  const more = names.length - visible.length;
  return more > 0 ? `${visible.join(', ')} and ${more} more` : visible.join(', ');
}

export function getResourceSchemasByName(profile: ServiceProfile, ...names: readonly string[]): (Schema | undefined)[] {
  return names.map((name) => (Object.hasOwn(profile.resources, name) ? profile.resources[name] : undefined));
}

/** Evaluates whether all observed errors of these kinds have an assumed status. */
export function evaluateStatus(
  profile: ServiceProfile,
  kinds: readonly RejectionKind[],
  matches: (status: number) => boolean,
): EvaluationResult {
  const observed = kinds.flatMap((kind) => {
    const response = profile.rejections[kind];
    return response ? [{ kind, status: response.status }] : [];
  });
  if (observed.length === 0) return notObserved('No such error was observed.');
  const text = observed.map(({ kind, status }) => `${REJECTION_LABELS[kind]}: ${status}`).join(', ');
  return confirmedIf(
    observed.every(({ status }) => matches(status)),
    `${text}.`,
  );
}

export const REJECTION_LABELS: Readonly<Record<RejectionKind, string>> = {
  noKey: 'no API key',
  wrongKey: 'invalid API key',
  missingScope: 'missing scope',
  unknownId: 'unknown ID',
  badBody: 'invalid body',
  badQuery: 'invalid query',
  conflict: 'conflict with the current state',
  noRoute: 'unknown route',
  wrongMethod: 'method not allowed',
  limited: 'rate limit exceeded',
};
