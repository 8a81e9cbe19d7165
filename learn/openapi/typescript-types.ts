import { formatCount } from '../format-count.ts';
import { getExtension, type Json } from './json-schema.ts';

/** Renders a JSON Schema as a TypeScript type, with open string unions. */
export function renderType(schema: Json, indent = ''): string {
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
  const { words = [] } = getExtension(schema);
  const texts = words.filter((word) => typeof word === 'string');
  return texts.length > 0 ? `${texts.map((word) => renderLiteral(word)).join(' | ')} | (string & {})` : 'string';
}

function renderObjectType(schema: Json, indent: string): string {
  const body = renderMembers(schema, indent);
  return body === '' ? '{ readonly [field: string]: unknown }' : `{\n${body}${indent}}`;
}

/**
 * Renders the members of an object, each with a sentence and its source. There is no index signature for unseen fields:
 * a misread field is a compile error.
 * @param whenOptional addition to the types of optional members
 */
export function renderMembers(schema: Json, indent = '', whenOptional = ''): string {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as { properties?: Record<string, Json>; required?: readonly string[]; additionalProperties?: Json };
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, field]) => {
    const [optionalMark, addition] = required.includes(name) ? ['', ''] : ['?', whenOptional];
    return `${renderComment(renderNote(field), inner)}${inner}readonly ${renderKey(name)}${optionalMark}: ${renderType(field, inner)}${addition};\n`;
  });
  if (lines.length === 0 && additionalProperties)
    return `${inner}readonly [field: string]: ${renderType(additionalProperties, inner)};\n`;
  return lines.join('');
}

/** Describes a field in sentences: its meaning, its source and its format. */
function renderNote(field: Json): string {
  const { known = 'unknown', seen } = getExtension(field);
  const { description, format } = field as { description?: string; format?: string };
  const values = seen === undefined ? '' : ` in ${formatCount(seen, 'value')}`;
  const source = {
    documented: values === '' ? 'Documented' : `Documented; observed${values}`,
    observed: `Observed${values}`,
    inferred: 'Inferred',
    unknown: 'Never observed with a value',
  };
  const sentences = [description?.replace(/\.$/, ''), source[known], format && `Format: ${format}`];
  return sentences.flatMap((sentence) => (sentence ? [`${sentence}.`] : [])).join(' ');
}

/** Renders a one-line comment that its text can't terminate. */
function renderComment(text: string, indent: string): string {
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
function renderLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
