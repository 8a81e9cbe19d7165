import { isObject } from '../../src/answer/fields.ts';

/** Names from the answer inwards. */
export type Path = readonly string[];

const DEEPEST = 5;

/** Where in an answer something stands; arrays are not entered. */
export function findPath(raw: unknown, fits: (value: unknown, name: string) => boolean): Path | undefined {
  let level: { value: unknown; path: Path }[] = [{ value: raw, path: [] }];
  // Level by level: what stands nearest to the top is meant.
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    for (const { value, path } of level) if (path.length > 0 && fits(value, path.at(-1) ?? '')) return path;
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
export function pathTo(raw: unknown, target: unknown): Path | undefined {
  return raw === target ? [] : findPath(raw, (value) => value === target);
}

/** The value at a path; undefined where nothing stands. */
export function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}
