import type { Schema } from '../../src/profile/json-schema.ts';

/** Normalizes a name for comparison: `NextCursor`, `next_cursor` and `next-cursor` are equal. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

/** The type of a value or form for comparison: integers are numbers, null has none. */
type ObjectKind = 'text' | 'number' | 'boolean' | 'object' | 'list' | 'nothing';

/** Paths with their type: `meta.nextcursor:text`. */
export type FormPaths = ReadonlySet<string>;

export function pathsOfSchema(schema: Schema, at = ''): FormPaths {
  const found = new Set<string>();
  const types = schema.type === undefined ? [] : [schema.type].flat();
  for (const type of types) found.add(`${at}:${KINDS[type]}`);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    for (const path of pathsOfSchema(field, `${at}.${plainName(name)}`)) found.add(path);
  if (schema.additionalProperties)
    for (const path of pathsOfSchema(schema.additionalProperties, `${at}.*`)) found.add(path);
  if (schema.items) for (const path of pathsOfSchema(schema.items, `${at}[]`)) found.add(path);
  return found;
}

export function pathsOfValue(value: unknown, at = ''): FormPaths {
  if (Array.isArray(value))
    return new Set([`${at}:list`, ...value.flatMap((entry) => [...pathsOfValue(entry, `${at}[]`)])]);
  if (typeof value !== 'object' || value === null) return new Set([`${at}:${getKind(value)}`]);
  return new Set([
    `${at}:object`,
    ...Object.entries(value).flatMap(([name, field]) => [...pathsOfValue(field, `${at}.${plainName(name)}`)]),
  ]);
}

const KINDS: Readonly<Record<string, ObjectKind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  array: 'list',
  null: 'nothing',
};

function getKind(value: unknown): ObjectKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'nothing';
}

/** Compares a learned form with that of a setting: 1 if all paths match, less for each unmatched one. Null matches any type. */
export function similarity(seen: FormPaths, input: FormPaths): number {
  const isNothing = (path: string) => path.endsWith(':nothing');
  const has = (paths: FormPaths, path: string) =>
    paths.has(path) || [...paths].some((other) => isSamePlace(other, path));
  const reported = [...seen].filter((path) => !isNothing(path));
  const common = reported.filter((path) => has(input, path)).length;
  const places = new Set([...seen].filter(isNothing).map((path) => path.slice(0, path.lastIndexOf(':'))));
  const missing = [...input].filter(
    (path) => !isNothing(path) && !has(seen, path) && !places.has(path.slice(0, path.lastIndexOf(':'))),
  ).length;
  const all = reported.length + missing;
  return all === 0 ? 1 : common / all;
}

/** `*` matches a name that callers choose. */
function isSamePlace(a: string, b: string): boolean {
  if (!a.includes('*') && !b.includes('*')) return false;
  const [first, second] = [a.split(/(?=[.[:])/), b.split(/(?=[.[:])/)];
  return (
    first.length === second.length &&
    first.every((part, index) => part === second[index] || part === '.*' || second[index] === '.*')
  );
}
