import { normalizeName } from '../../src/answer/fields.ts';
import type { RejectionKind, ServiceProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import type { Finding } from './question.ts';

export const unseen = (why: string): Finding => ({ verdict: 'unseen', seen: why });
export const confirmed = (seen: string): Finding => ({ verdict: 'confirmed', seen });
export const other = (seen: string): Finding => ({ verdict: 'other', seen });
export const judged = (isAsAssumed: boolean, seen: string): Finding =>
  isAsAssumed ? confirmed(seen) : other(seen);

/** The field of a form at a dotted name, each part in any case and with any separator, with its names as the service writes them. */
export function fieldIn(
  schema: Schema | undefined,
  name: string,
): { path: string; schema: Schema } | undefined {
  let at = schema;
  const path: string[] = [];
  for (const part of name.split('.')) {
    const found = Object.entries(at?.properties ?? {}).find(
      ([key]) => normalizeName(key) === normalizeName(part),
    );
    if (!found) return undefined;
    path.push(found[0]);
    at = found[1];
  }
  return at && { path: path.join('.'), schema: at };
}

/** Of a list of guessed names those that the forms have, as the service writes them. */
export function namesIn(schemas: readonly (Schema | undefined)[], names: readonly string[]): string[] {
  const found = schemas.flatMap((schema) => names.flatMap((name) => fieldIn(schema, name)?.path ?? []));
  return [...new Set(found)];
}

export function hasFields(schema: Schema | undefined): boolean {
  return Object.keys(schema?.properties ?? {}).length > 0;
}

/** Whether any of the guessed names stands in forms that were seen. */
export function judgeNames(
  schemas: readonly (Schema | undefined)[],
  { names, what }: { names: readonly string[]; what: string },
): Finding {
  const seen = schemas.filter(hasFields);
  if (seen.length === 0) return unseen('No such object was seen.');
  const found = namesIn(seen, names);
  if (found.length > 0) return confirmed(`${what}: ${codes(found)}.`);
  return other(`${what} stands under none of the assumed names; there are ${codes(fieldNames(seen))}.`);
}

/** The same of a table of names: how many of its entries were found. */
export function judgeTable(
  schemas: readonly (Schema | undefined)[],
  { table, what }: { table: Readonly<Record<string, readonly string[]>>; what: string },
): Finding {
  const seen = schemas.filter(hasFields);
  if (seen.length === 0) return unseen('No such object was seen.');
  const found = Object.values(table).map((names) => namesIn(seen, names));
  const names = found.flatMap(([first]) => first ?? []);
  const count = found.filter((one) => one.length > 0).length;
  const words = `${what}: ${count} of ${found.length} found`;
  return count > 0
    ? confirmed(`${words}, as ${codes([...new Set(names)])}.`)
    : other(`${words}; there are ${codes(fieldNames(seen))}.`);
}

export function fieldNames(schemas: readonly (Schema | undefined)[]): string[] {
  return [...new Set(schemas.flatMap((schema) => Object.keys(schema?.properties ?? {})))];
}

/** Where things stand in answers, as code. */
export function places(paths: readonly (readonly string[])[]): string {
  return codes([...new Set(paths.map((path) => path.join('.') || 'the answer itself'))]);
}

/** Names as code, not more than people read. */
export function codes(names: readonly string[]): string {
  const shown = names.slice(0, 16).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

export function resources(learned: ServiceProfile, ...names: readonly string[]): (Schema | undefined)[] {
  return names.map((name) => (Object.hasOwn(learned.resources, name) ? learned.resources[name] : undefined));
}

export function allResources({ resources: all }: ServiceProfile): Schema[] {
  return Object.values(all);
}

/** Whether a refusal came with one of the assumed statuses. */
export function judgeStatus(
  learned: ServiceProfile,
  kinds: readonly RejectionKind[],
  fits: (status: number) => boolean,
): Finding {
  const seen = kinds.flatMap((kind) => {
    const answer = learned.refusals[kind];
    return answer ? [{ kind, status: answer.status }] : [];
  });
  if (seen.length === 0) return unseen('No such refusal was met.');
  const words = seen.map(({ kind, status }) => `${WORDS[kind]}: ${status}`).join(', ');
  return judged(
    seen.every(({ status }) => fits(status)),
    `${words}.`,
  );
}

const WORDS: Readonly<Record<RejectionKind, string>> = {
  noKey: 'no key',
  wrongKey: 'wrong key',
  missingScope: 'missing scope',
  unknownId: 'unknown id',
  badBody: 'bad input',
  conflict: 'conflict',
  noRoute: 'unknown route',
  wrongMethod: 'wrong method',
  limited: 'limit exceeded',
};
