import { getExtension, type Json } from './form.ts';

/** The types of a JSON Schema in TypeScript: open objects, and texts that may be more than their words. */
export function typeText(schema: Json, indent = ''): string {
  const { $ref, allOf, anyOf } = schema as { $ref?: string; allOf?: Json[]; anyOf?: Json[] };
  if ($ref !== undefined) return $ref.slice('#/components/schemas/'.length);
  if (allOf) return allOf.map((one) => requiredText(one) ?? typeText(one, indent)).join(' & ');
  if (anyOf) return anyOf.map((one) => typeText(one, indent)).join(' | ');
  const { type } = schema as { type?: string | readonly string[] };
  const types = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  if (types.length === 0) return 'unknown';
  const texts = types.map((one) => oneType(one, schema, indent));
  return [...new Set(texts)].join(' | ');
}

function oneType(type: string, schema: Json, indent: string): string {
  switch (type) {
    case 'string':
      return stringType(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `ReadonlyArray<${schema['items'] ? typeText(schema['items'] as Json, indent) : 'unknown'}>`;
    default:
      return objectType(schema, indent);
  }
}

/** Words that were seen, for completion; a service may have others. */
function stringType(schema: Json): string {
  if (schema['format'] === 'binary') return 'Blob';
  const { words = [] } = getExtension(schema);
  const texts = words.filter((word) => typeof word === 'string');
  return texts.length > 0 ? `${texts.map((word) => literal(word)).join(' | ')} | (string & {})` : 'string';
}

function objectType(schema: Json, indent: string): string {
  const body = membersText(schema, indent);
  return body === '' ? '{ readonly [field: string]: unknown }' : `{\n${body}${indent}}`;
}

/** The members of an object, each with how it is known; it stays open for what was never seen. */
export function membersText(schema: Json, indent = ''): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Json>;
    required?: readonly string[];
    additionalProperties?: Json;
  };
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(renderNote(field), inner)}${inner}readonly ${key(name)}${mark}: ${typeText(field, inner)};\n`;
  });
  if (lines.length === 0 && additionalProperties)
    return `${inner}readonly [field: string]: ${typeText(additionalProperties, inner)};\n`;
  if (lines.length === 0) return '';
  return `${lines.join('')}${inner}readonly [field: string]: unknown;\n`;
}

function requiredText(schema: Json): string | undefined {
  const { required, properties, type } = schema as {
    required?: readonly string[];
    properties?: Json;
    type?: string;
  };
  if (!required || properties || type) return undefined;
  return `{ ${required.map((name) => `readonly ${key(name)}: {}`).join('; ')} }`;
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

/** A comment that nothing in it can end, in one line. */
export function comment(text: string, indent: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]+/gu, ' ')
    .replaceAll('*/', '*\\/')
    .slice(0, 200);
  return `${indent}/** ${plain} */\n`;
}

export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** A text as TypeScript writes it, in ASCII: no sign of another direction or end of line stands in the source. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
