import { operations } from '../../src/operations/index.ts';
import { getResourceName, getResponseItemSchema } from '../../src/profile/profile-fields.ts';
import type { Schema, ServiceProfile } from '../../src/profile/service-profile.ts';
import { getDocumentedFields } from './documented-fields.ts';
import { EXTENSION, getExtension, type Json, known, toJsonSchema } from './json-schema.ts';

/** Converts `analytics.link` to `AnalyticsLink`; undefined if the result is not a valid name. */
export function getComponentName(resource: string): string | undefined {
  const name = resource
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  if (!/^[A-Z][A-Za-z0-9]{0,63}$/.test(name)) return undefined;
  return RESERVED_NAMES.has(name) ? `${name}Resource` : name;
}

/** Names that the generated file or TypeScript already uses. */
const RESERVED_NAMES = new Set(['Operations', 'Events', 'ReadonlyArray', 'Blob']);

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
    const name = getComponentName(getResourceName(operation)) ?? '';
    documented.set(name, { ...documented.get(name), ...getDocumentedFields(entry.output).properties });
    const item = profile && getResponseItemSchema(profile, operation);
    if (item && !seen.has(name)) seen.set(name, item);
  }
  const names = [...new Set([...documented.keys(), ...seen.keys()])].toSorted();
  return Object.fromEntries(names.map((name) => [name, mergeDocumented(documented.get(name) ?? {}, seen.get(name))]));
}

/** Merges documented and observed fields; the documented description wins. */
function mergeDocumented(documented: Record<string, Json>, schema: Schema | undefined): Json {
  const jsonSchema = schema ? toJsonSchema(schema) : {};
  const seenFields = (jsonSchema['properties'] ?? {}) as Record<string, Json>;
  const documentedFields = Object.entries(documented).map(([name, field]): [string, Json] => {
    const seen = Object.hasOwn(seenFields, name) ? seenFields[name] : undefined;
    return [name, seen ? { ...seen, ...field, [EXTENSION]: { ...getExtension(seen), ...getExtension(field) } } : field];
  });
  const others = Object.entries(seenFields).filter(([name]) => !Object.hasOwn(documented, name));
  return {
    ...jsonSchema,
    type: 'object',
    properties: Object.fromEntries([...documentedFields, ...others]),
    ...known(schema ? 'observed' : documentedFields.length > 0 ? 'documented' : 'unknown', { others: 'unknown' }),
  };
}
