import { z } from 'zod';
import type { Operation } from '../../src/operations/operation.ts';
import { createProvenance, type Json } from './json-schema.ts';
import type { OpenApiParameter } from './openapi-document.ts';

/** Returns the fields in the API document as JSON Schema. */
export function getDocumentedFields(schema: z.ZodType): { properties: Record<string, Json>; required: string[] } {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const properties = Object.entries(shape).map(([name, field]): [string, Json] => [
    name,
    { ...toPlainSchema(field), ...createProvenance('documented') },
  ]);
  const required = Object.entries(shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? [] : [name]));
  return { properties: Object.fromEntries(properties), required };
}

function toPlainSchema(field: z.ZodType): Json {
  const { $schema: _, anyOf, ...json } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Json;
  const { description } = json as { description?: string };
  const descriptionField = description === undefined ? {} : { description };
  // The client also accepts a number as an ID; the API document says string (§2).
  if (anyOf) return { type: 'string', ...descriptionField };
  // The bytes of a file have no type in the schema.
  if (json['type'] === undefined) return { type: 'string', format: 'binary', ...descriptionField };
  return json;
}

export function getPathParameters({ route, input }: Operation): OpenApiParameter[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description } = z.globalRegistry.get(input.shape[name] as z.ZodType) ?? {};
    return {
      name,
      in: 'path',
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: { type: 'string' },
      ...createProvenance('documented'),
    };
  });
}
