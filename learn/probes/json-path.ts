import { isObject } from '../../src/records/fields.ts';

/** Names from the answer inwards. */
export type JsonPath = readonly string[];

const MAX_DEPTH = 5;

/** Where in an answer something stands; arrays are not entered. */
export function findJsonPath(
  raw: unknown,
  matches: (value: unknown, name: string) => boolean,
): JsonPath | undefined {
  let level: { value: unknown; path: JsonPath }[] = [{ value: raw, path: [] }];
  // Level by level: what stands nearest to the top is meant.
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    for (const { value, path } of level)
      if (path.length > 0 && matches(value, path.at(-1) ?? '')) return path;
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

/** Where exactly this object or array stands; empty for the answer itself. */
export function findPathToValue(raw: unknown, target: unknown): JsonPath | undefined {
  return raw === target ? [] : findJsonPath(raw, (value) => value === target);
}

/** The value at a path; undefined where nothing stands. */
export function getValueAt(raw: unknown, path: JsonPath): unknown {
  let value = raw;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
