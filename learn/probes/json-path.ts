import { includesName, isObject } from '../../src/records/fields.ts';

/** Field names from the top level of a response inward. */
export type JsonPath = readonly string[];

const MAX_DEPTH = 5;

/** Finds the path nearest to the top level that matches. Does not search inside arrays. */
export function findJsonPath(raw: unknown, matches: (value: unknown, name: string) => boolean): JsonPath | undefined {
  let level: { value: unknown; path: JsonPath }[] = [{ value: raw, path: [] }];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    for (const { value, path } of level) if (path.length > 0 && matches(value, path.at(-1) ?? '')) return path;
    level = level.flatMap(({ value, path }) =>
      isObject(value)
        ? Object.entries(value)
            .slice(0, 200)
            .map(([name, inner]) => ({ value: inner, path: [...path, name] }))
        : [],
    );
  }
  return undefined;
}

/** Finds the field nearest to the top level that has one of these names, in any case, and a matching value. */
export function findNamedPath(
  raw: unknown,
  names: readonly string[],
  matches: (value: unknown) => boolean,
): JsonPath | undefined {
  return findJsonPath(raw, (value, name) => includesName(names, name) && matches(value));
}

/** Finds the path of this very object or array; empty for the response itself. */
export function findPathToValue(raw: unknown, target: unknown): JsonPath | undefined {
  return raw === target ? [] : findJsonPath(raw, (value) => value === target);
}
