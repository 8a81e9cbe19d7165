import type { PlainInputField } from 'zapier-platform-core';
import type { RecordKind } from './record.ts';

/** Kinds of records with a search of their own, which the editor offers beside the drop-down. */
const FINDABLE: readonly string[] = ['document'];

/** A drop-down of the workspace's records: nobody types an id. */
export function recordField(
  kind: RecordKind,
  field: { key?: string; label?: string; required?: boolean; helpText: string },
): PlainInputField {
  return {
    key: field.key ?? kind.resource,
    label: field.label ?? kind.noun,
    type: 'string',
    required: field.required ?? true,
    dynamic: `${kind.resource}_list.id.name`,
    ...(FINDABLE.includes(kind.resource) ? { search: `find_${kind.resource}.id` } : {}),
    helpText: field.helpText,
  };
}

/** Sends what the API takes and this form does not name. */
export const additionalFields: PlainInputField = {
  key: 'fields',
  label: 'Additional Fields',
  dict: true,
  required: false,
  helpText:
    'Anything else that Docshare should set: the name of the field in the API on the left, its value on the right. A field given here wins over the same field above.',
};

/** Field names whose values are text even where they look like a number. */
const TEXT_NAMES = /pass|code|pin|phone|name|title|text|note|message|subject/i;

/**
 * The values of the Additional Fields, which a form gives as text: true and false, numbers, lists and objects become
 * what they look like, except where the field's name says that it is text.
 */
export function readAdditionalFields(fields: unknown): Record<string, unknown> {
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? typed(name, value) : value,
    ]),
  );
}

function typed(name: string, text: string): unknown {
  if (!/^\s*(true|false|null|-?\d+(\.\d+)?|\[.*\]|\{.*\})\s*$/s.test(text)) return text;
  if (/^\s*-?\d/.test(text) && (TEXT_NAMES.test(name) || /^\s*-?0\d/.test(text) || text.trim().length > 15))
    return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
