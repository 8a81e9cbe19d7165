import { operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName, getResponseItemSchema } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { getTypes, mergeSchemas } from './merge-schemas.ts';

/** Infers the fields of each resource from all responses that contain it. */
export function inferResources(operationProfiles: ServiceProfile['operations']): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  // Reads first: they have the most fields.
  const reads = operations.filter(({ operation }) => operation.effect === 'read');
  for (const named of [...reads, ...operations.filter((one) => !reads.includes(one))]) {
    const resource = getResourceName(named.name);
    const schema = getResponseItemSchema({ operations: operationProfiles }, named.name);
    if (
      named.operation.responseKind === 'file' ||
      !schema ||
      !getTypes(schema).includes('object') ||
      !schema.properties
    )
      continue;
    // The response of a delete has only a few fields of the resource.
    if (named.operation.effect === 'delete') continue;
    const known = found[resource];
    if (named.operation.effect !== 'read' && known && !hasMostFields(schema, known)) continue;
    found[resource] = known ? mergeSchemas(known, schema) : schema;
  }
  return found;
}

/** Returns whether a schema has at least half of the known fields: a write may return only an ID or `ok`. */
function hasMostFields(schema: Schema, known: Schema): boolean {
  const names = Object.keys(known.properties ?? {});
  const fields = schema.properties ?? {};
  return names.filter((name) => Object.hasOwn(fields, name)).length * 2 >= names.length;
}
