import type { Schema } from '../../src/profile/json-schema.ts';
import { mergeAllSchemas } from './merge-schemas.ts';

/** Changes all inner schemas, and moves the fields that are not visible into `additionalProperties`. */
export function hideFields(
  { properties, required, items, additionalProperties, ...plain }: Schema,
  { isVisible, change }: { isVisible: (name: string) => boolean; change: (inner: Schema) => Schema },
): Schema {
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, change(field)] as const);
  const visible = fields.filter(([name]) => isVisible(name));
  const moved = fields.filter(([name]) => !isVisible(name)).map(([, field]) => field);
  const rest = mergeAllSchemas([...(additionalProperties ? [change(additionalProperties)] : []), ...moved]);
  return {
    ...plain,
    ...(items ? { items: change(items) } : {}),
    ...(properties && (visible.length > 0 || moved.length === 0) ? { properties: Object.fromEntries(visible) } : {}),
    ...(required ? { required: required.filter(isVisible) } : {}),
    ...(rest ? { additionalProperties: rest } : {}),
  };
}

/** Changes the part of a schema at a path; a path that does not exist changes nothing. */
export function updateAtPath<Node extends object>(
  schema: Node,
  path: readonly string[],
  change: (at: Node) => Node,
): Node {
  const [name, ...rest] = path;
  if (name === undefined) return change(schema);
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Node>> };
  const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return inner ? { ...schema, properties: { ...properties, [name]: updateAtPath(inner, rest, change) } } : schema;
}

/** Returns all field names in a schema. */
export function collectNames({ properties = {}, items, additionalProperties }: Schema): string[] {
  const inner = [...Object.values(properties), items, additionalProperties];
  return [...Object.keys(properties), ...inner.flatMap((one) => (one ? collectNames(one) : []))];
}
