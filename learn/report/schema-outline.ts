import type { Schema } from '../../src/profile/json-schema.ts';
import { getTypes } from '../infer/merge-schemas.ts';

const MAX_DEPTH = 6;
const MAX_LINES = 60;

/** Formats a schema, one line per field: `{ "id": <prefixed-id doc_…>, "name": <text> }`. Shows only `names`, if set. */
export function formatSchemaOutline(schema: Schema, names?: ReadonlySet<string>): string {
  const lines = formatSchema(schema, { indent: '', depth: 0, names }).split('\n');
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`].join('\n')
    : lines.join('\n');
}

interface OutlineContext {
  readonly indent: string;
  readonly depth: number;
  readonly names: ReadonlySet<string> | undefined;
}

function formatSchema(schema: Schema, { indent, depth, names }: OutlineContext): string {
  const types = getTypes(schema);
  const orNull = types.includes('null') && types.length > 1 ? ' or null' : '';
  if (types.includes('object')) {
    const fields = Object.entries(schema.properties ?? {});
    const rest = schema.additionalProperties;
    if (fields.length === 0 && !rest) return `{}${orNull}`;
    if (depth >= MAX_DEPTH) return `{ … }${orNull}`;
    const inner = `${indent}  `;
    const child = { indent: inner, depth: depth + 1, names };
    const formatName = (name: string) => (names && !names.has(name) ? '<name>' : JSON.stringify(name));
    const required = new Set(schema.required ?? []);
    const lines = fields.map(
      ([name, field]) => `${inner}${formatName(name)}${required.has(name) ? '' : '?'}: ${formatSchema(field, child)}`,
    );
    if (rest) lines.push(`${inner}<name>: ${formatSchema(rest, child)}`);
    return `{\n${lines.join(',\n')}\n${indent}}${orNull}`;
  }
  if (types.includes('array')) {
    if (!schema.items) return `[]${orNull}`;
    return depth >= MAX_DEPTH
      ? `[ … ]${orNull}`
      : `[${formatSchema(schema.items, { indent, depth: depth + 1, names })}, …]${orNull}`;
  }
  return formatScalar(schema, types);
}

function formatScalar(schema: Schema, types: readonly string[]): string {
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  const typeNames = types.map((type) => (type === 'string' ? 'text' : type));
  const [first = 'anything', ...rest] = typeNames;
  const prefix = schema['x-prefix'] ? ` ${schema['x-prefix']}…` : '';
  const formatted = schema.format ? `${schema.format}${prefix}${first === 'text' ? '' : ` as ${first}`}` : first;
  return `<${[formatted, ...rest].join(' or ')}>`;
}
