import type { Schema } from '../../src/profile/json-schema.ts';

/** The form of a field, in whatever case a name stands; own names only. */
export function findSchemaField(schema: Schema | undefined, name: string): Schema | undefined {
  const fields = schema?.properties;
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The form of what stands at a place in an answer. */
export function schemaAt(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((at, name) => findSchemaField(at, name), schema);
}
