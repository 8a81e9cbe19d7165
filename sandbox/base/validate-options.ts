import { inspect } from 'node:util';
import { z } from 'zod';

/** Formats any value for an error message. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 80)}"`;
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false }).slice(0, 80);
}

export function createOptionalField<Schema extends z.ZodType>(schema: Schema, description = schema.description ?? '') {
  return schema.optional().describe(description);
}

/**
 * Validates a method's input.
 *
 * @throws RangeError that names the field and its allowed values, or the known fields
 */
export function validateOptions<Schema extends z.ZodType>(
  method: string,
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
    const fieldValue = Object(value)[name];
    throw new RangeError(
      fieldValue === undefined
        ? `${method} needs ${name}: ${field.description ?? issue?.message}`
        : `${method}: ${name} must be ${field.description ?? issue?.message}, not ${formatValue(fieldValue)}`,
    );
  }
  if (issue?.code === 'unrecognized_keys') {
    const names = Object.keys(fields).join(', ');
    throw new RangeError(
      `${method} has no field "${issue.keys[0]?.slice(0, 40)}"${names === '' ? '' : `. Known fields: ${names}`}`,
    );
  }
  throw new RangeError(`${method} needs ${schema.description ?? 'an object'}, not ${formatValue(value)}`);
}
