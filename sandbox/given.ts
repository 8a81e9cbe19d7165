import { inspect } from 'node:util';
import { z } from 'zod';

/** A value in a sentence that refuses it: of any kind, also one that no text can be made of. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 80)}"`;
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false }).slice(
    0,
    80,
  );
}

/** A schema that knows each field of what it stands for. */
export type SchemaFor<Given> = z.ZodObject<Record<keyof Given, z.ZodType>>;

/** A field that may be left out; `words` say what it takes. */
export function takes<Schema extends z.ZodType>(schema: Schema, words = schema.description ?? '') {
  return schema.optional().describe(words);
}

/**
 * What was given to an act, where that can be meant.
 *
 * @throws RangeError with one sentence that names the field and what it takes, or the fields that there are
 */
export function expectGiven<Schema extends z.ZodType>(
  act: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Readonly<Record<string, z.ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  const field = fields[name];
  if (field) {
    const given = Object(value)[name];
    throw new RangeError(
      given === undefined
        ? `${act} needs ${name}: ${field.description ?? issue?.message}`
        : `${act}: ${name} takes ${field.description ?? issue?.message}, not ${shown(given)}`,
    );
  }
  if (issue?.code === 'unrecognized_keys') {
    const names = Object.keys(fields).join(', ');
    throw new RangeError(
      `${act} has no field "${issue.keys[0]?.slice(0, 40)}"${names === '' ? '' : `; it takes ${names}`}`,
    );
  }
  throw new RangeError(`${act} takes ${schema.description ?? 'an object'}, not ${shown(value)}`);
}
