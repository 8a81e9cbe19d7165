import type { Schema } from '../../src/profile/json-schema.ts';
import { fillObject, type Source } from './fit.ts';
import { findSchemaField } from './schema-at.ts';

/** Something that stands at a place of its own in an answer, whatever fills the rest. */
export interface Put {
  readonly path: readonly string[];
  /** Gives what stands there, from the form of the place; `undefined` leaves it out. */
  readonly value: (form: Schema | undefined, isRequired: boolean) => unknown;
}

/** An answer of a learned form with what has its place in it; the rest is filled from the source. */
export function fillPlaces(
  schema: Schema | undefined,
  puts: readonly Put[],
  source: Source & { readonly isRequired?: boolean },
): unknown {
  const whole = puts.find(({ path }) => path.length === 0);
  if (whole) return whole.value(schema, source.isRequired ?? true);
  const names = new Set(puts.map(({ path }) => path[0] ?? ''));
  const { properties = {}, ...form } = schema ?? {};
  const rest = Object.entries(properties).filter(([name]) => !names.has(name));
  const filled = Object.entries(fillObject({ ...form, properties: Object.fromEntries(rest) }, source));
  const isOptional = (name: string) => !schema?.required?.includes(name);
  const placed = [...names].map((name): [string, unknown] => {
    const within = puts
      .filter(({ path }) => path[0] === name)
      .map(({ path, value }) => ({ path: path.slice(1), value }));
    return [
      name,
      fillPlaces(findSchemaField(schema, name), within, {
        ...source,
        seed: `${source.seed}.${name}`,
        isRequired: !isOptional(name),
      }),
    ];
  });
  const order = Object.keys(properties);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(
    [...filled, ...placed]
      // An object of which nothing is left, such as the link to no further page, goes as well.
      .filter(([name, value]) => value !== undefined && !(isOptional(name) && isEmptyObject(value)))
      .sort(([a], [b]) => rank(a) - rank(b)),
  );
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
