import { getExtension, type Json } from './json-schema.ts';

/** Renders a JSON Schema as a TypeScript type, with open objects and open string unions. */
export function renderType(schema: Json, indent = ''): string {
  const { $ref, allOf, anyOf } = schema as { $ref?: string; allOf?: Json[]; anyOf?: Json[] };
  if ($ref !== undefined) return $ref.slice('#/components/schemas/'.length);
  if (allOf) return allOf.map((one) => renderRequired(one) ?? renderType(one, indent)).join(' & ');
  if (anyOf) return anyOf.map((one) => renderType(one, indent)).join(' | ');
  const { type } = schema as { type?: string | readonly string[] };
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  if (types.length === 0) return 'unknown';
  const texts = types.map((one) => renderSingleType(one, schema, indent));
  return [...new Set(texts)].join(' | ');
}

function renderSingleType(type: string, schema: Json, indent: string): string {
  switch (type) {
    case 'string':
      return renderStringType(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `ReadonlyArray<${schema['items'] ? renderType(schema['items'] as Json, indent) : 'unknown'}>`;
    default:
      return renderObjectType(schema, indent);
  }
}

/** Renders observed values for completion; other strings remain allowed. */
function renderStringType(schema: Json): string {
  if (schema['format'] === 'binary') return 'Blob';
  const { words = [] } = getExtension(schema);
  const texts = words.filter((word) => typeof word === 'string');
  return texts.length > 0 ? `${texts.map((word) => renderLiteral(word)).join(' | ')} | (string & {})` : 'string';
}

function renderObjectType(schema: Json, indent: string): string {
  const body = renderMembers(schema, indent);
  return body === '' ? '{ readonly [field: string]: unknown }' : `{\n${body}${indent}}`;
}

/** Renders the members of an object, each with its source, and an index signature for unseen fields. */
export function renderMembers(schema: Json, indent = ''): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as { properties?: Record<string, Json>; required?: readonly string[]; additionalProperties?: Json };
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const optionalMark = required.includes(name) ? '' : '?';
    return `${renderComment(renderNote(field), inner)}${inner}readonly ${renderKey(name)}${optionalMark}: ${renderType(field, inner)};\n`;
  });
  if (lines.length === 0 && additionalProperties)
    return `${inner}readonly [field: string]: ${renderType(additionalProperties, inner)};\n`;
  if (lines.length === 0) return '';
  return `${lines.join('')}${inner}readonly [field: string]: unknown;\n`;
}

function renderRequired(schema: Json): string | undefined {
  const { required, properties, type } = schema as { required?: readonly string[]; properties?: Json; type?: string };
  if (!required || properties || type) return undefined;
  return `{ ${required.map((name) => `readonly ${renderKey(name)}: {}`).join('; ')} }`;
}

function renderNote(field: Json): string {
  const { known = 'unknown', seen } = getExtension(field);
  const { description, format } = field as { description?: string; format?: string };
  return [
    ...(description === undefined ? [] : [description]),
    known + (seen === undefined ? '' : ` (${seen})`),
    ...(format === undefined ? [] : [format]),
  ].join(' · ');
}

/** Renders a one-line comment that its text can't terminate. */
export function renderComment(text: string, indent: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]+/gu, ' ')
    .replaceAll('*/', '*\\/')
    .slice(0, 200);
  return `${indent}/** ${plain} */\n`;
}

export function renderKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : renderLiteral(name);
}

/** Renders a string literal in ASCII, without bidirectional or line-ending characters. */
export function renderLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
