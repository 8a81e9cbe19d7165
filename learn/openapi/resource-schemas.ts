import { operations } from '../../src/operations/index.ts';
import { getObjectTypeName, getResourceName, getResponseItemSchema } from '../../src/profile/profile-fields.ts';
import type { Schema, ServiceProfile } from '../../src/profile/service-profile.ts';
import { getDocumentedFields } from './documented-fields.ts';
import { createProvenance, getExtension, type Json, PROVENANCE_EXTENSION, toJsonSchema } from './json-schema.ts';

/** Names of the client's object types, by resource. */
const TYPE_NAMES = new Map(operations.map(({ name }) => [getResourceName(name), getObjectTypeName(name)]));

/** Converts the name of a resource to one that OpenAPI and TypeScript allow; undefined if that is impossible. */
function getComponentName(resource: string): string | undefined {
  const typeName = TYPE_NAMES.get(resource);
  if (typeName !== undefined) return typeName;
  const name = resource
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Z][A-Za-z0-9]{0,63}$/.test(name) ? name : undefined;
}

/** Returns the schemas of all resources, as documented and as observed. */
export function getResourceSchemas(profile: ServiceProfile | undefined): Record<string, Json> {
  const seen = new Map<string, Schema>();
  for (const [resource, schema] of Object.entries(profile?.resources ?? {})) {
    const name = getComponentName(resource);
    if (name !== undefined && !seen.has(name)) seen.set(name, schema);
  }
  const documented = new Map<string, Record<string, Json>>();
  for (const { name: operation, operation: entry } of operations) {
    if (entry.responseKind === 'file' || entry.effect === 'delete') continue;
    const name = getObjectTypeName(operation);
    documented.set(name, { ...documented.get(name), ...getDocumentedFields(entry.output).properties });
    const item = profile && getResponseItemSchema(profile, operation);
    if (item && !seen.has(name)) seen.set(name, item);
  }
  const names = [...new Set([...documented.keys(), ...seen.keys()])].toSorted();
  return Object.fromEntries(names.map((name) => [name, mergeDocumented(documented.get(name) ?? {}, seen.get(name))]));
}

/** Merges documented and observed fields: the documented description, and the types of both. */
function mergeDocumented(documented: Record<string, Json>, schema: Schema | undefined): Json {
  const jsonSchema = schema ? toJsonSchema(schema) : {};
  const seenFields = (jsonSchema['properties'] ?? {}) as Record<string, Json>;
  const documentedFields = Object.entries(documented).map(([name, field]): [string, Json] => {
    const seen = Object.hasOwn(seenFields, name) ? seenFields[name] : undefined;
    if (!seen) return [name, field];
    // A service may number the IDs that the document calls strings.
    const types = [...new Set([field['type'], seen['type'] ?? []].flat())];
    const type = types.length > 1 ? types : types[0];
    return [
      name,
      { ...seen, ...field, type, [PROVENANCE_EXTENSION]: { ...getExtension(seen), ...getExtension(field) } },
    ];
  });
  const others = Object.entries(seenFields).filter(([name]) => !Object.hasOwn(documented, name));
  return {
    ...jsonSchema,
    type: 'object',
    properties: Object.fromEntries([...documentedFields, ...others]),
    ...createProvenance(schema ? 'observed' : documentedFields.length > 0 ? 'documented' : 'unknown', {
      others: 'unknown',
    }),
  };
}
