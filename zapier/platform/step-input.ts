import type { PlainInputField } from 'zapier-platform-core';
import { InputError, isObject, parseJsonExact } from './client-core.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the input of a step without blank values: `{{First}} {{Last}}` with both empty is not a name. Converts the rest
 * to the form of its field: "2024" may come as a number, and one line of a list as a text.
 * @throws InputError for a missing required value, a name or URL instead of an ID, and a value of another form.
 */
export function readStepInput<Input extends Record<string, unknown>>(
  input: Input,
  fields: readonly unknown[] = [],
): Input {
  return readValues(
    input,
    fields.filter((field): field is PlainInputField => isObject(field)),
  ) as Input;
}

function readValues(values: Values, fields: readonly PlainInputField[]): Values {
  const fieldsByKey = new Map(fields.map((field) => [field.key, field]));
  const entries = Object.entries(values ?? {}).flatMap(([key, value]) => {
    const read = readValue(key, value, fieldsByKey.get(key));
    return read === undefined ? [] : [[key, read] as const];
  });
  const result = Object.fromEntries(entries);
  const missing = fields.find(({ key, required, type }) => required && type !== 'file' && result[key] === undefined);
  if (missing) throw new InputError(`The field "${missing.label}" is empty. Enter a value in this step.`);
  return result;
}

function readValue(key: string, value: unknown, field: PlainInputField | undefined): unknown {
  if (value === undefined || value === null) return undefined;
  if (field?.children) return readRows(value, field);
  if (field?.list) return readLines(value, field);
  const isText = field?.type === 'string' || field?.type === 'text';
  if (Array.isArray(value)) {
    const entries = value.filter((entry) => !isEmptyEntry(entry, field));
    // A list of numbers would be read as one: 10 and 20 as 10,20.
    if (!field?.type || /^(file|json|code)$/.test(field.type)) return entries;
    if (entries.length > 1)
      throw new InputError(
        `The field "${field.label}" needs one value and got ${entries.length}. Map one of them, or add a Looping step before this one.`,
      );
    return readValue(key, entries[0], field);
  }
  if (field?.dict && isObject(value))
    return Object.fromEntries(Object.entries(value).filter(([, entry]) => !isBlank(entry)));
  if (isText && isObject(value))
    throw new InputError(`The field "${field?.label}" needs a text. Correct it in this step.`);
  const text = isText && typeof value !== 'string' ? String(value) : value;
  // A password of spaces must not become a link without a password.
  if (typeof text !== 'string' || key.endsWith('password')) return text === '' ? undefined : text;
  if (isEmptyEntry(text, field)) return undefined;
  const trimmed = field?.type === 'string' ? text.trim() : text;
  if (field !== undefined && isIdField(field)) requireId(trimmed, field);
  return trimmed;
}

function readRows(value: unknown, field: PlainInputField): unknown {
  const rows = [value]
    .flat()
    .flatMap((row) => parseJson(row, JSON_ROWS))
    .filter((row) => !isEmptyEntry(row, field));
  if (!rows.every(isObject))
    throw new InputError(`The field "${field.label}" needs line items, one per row. Correct it in this step.`);
  const children = (field.children ?? []).map((child) => ({ ...(child as PlainInputField), required: false }));
  const keys = children.map(({ key }) => key);
  const unknown = rows.flatMap(Object.entries).find(([key, value]) => !keys.includes(key) && !isBlank(value));
  if (unknown)
    throw new InputError(
      `A row of the field "${field.label}" has "${unknown[0].slice(0, 40)}", which this step does not know. Use ${keys.join(', ')}.`,
    );
  return rows.map((row) => readValues(row, children)).filter((row) => Object.keys(row).length > 0);
}

function readLines(value: unknown, field: PlainInputField): unknown {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const lines = entries
    .flatMap((entry) => parseJson(entry, JSON_TEXTS))
    .flatMap((entry) => (typeof entry === 'string' ? entry.split(/[\r\n]+/) : entry))
    .filter((line) => !isEmptyEntry(line, field));
  if (lines.some((line) => typeof line === 'object'))
    throw new InputError(`The field "${field.label}" needs one text per line. Correct it in this step.`);
  return lines.length === 0 ? undefined : lines.map(String);
}

/** Texts that mean "no value": from programs, and from AI agents that fill in every field. */
export const NO_VALUE = /^(?:null|undefined|NaN|[Nn]one|[Nn]\/[Aa])$/;

/** True for a blank, and for a text that means "no value" in a field that may be empty and has no fixed choices. */
function isEmptyEntry(entry: unknown, field: PlainInputField | undefined): boolean {
  // A dynamic field is not among the known ones, and is always optional.
  const isOptional = !field?.required && field?.type !== 'boolean' && (!field?.choices || isIdField(field));
  return isBlank(entry) || (isOptional && NO_VALUE.test(String(entry).trim()));
}

const JSON_ROWS = /^\s*[[{]/;
const JSON_TEXTS = /^\s*\[\s*["\]]/;

/** Parses a JSON text that an AI agent writes into a field for several values. */
function parseJson(value: unknown, pattern: RegExp): unknown {
  if (typeof value !== 'string' || !pattern.test(value)) return value;
  try {
    return parseJsonExact(value);
  } catch {
    return value;
  }
}

/** True for an empty value, and for a text of spaces and invisible characters. */
export function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(value))
  );
}

function isIdField({ dynamic, choices }: PlainInputField): boolean {
  return dynamic !== undefined || (isObject(choices) && typeof choices['perform'] === 'function');
}

function requireId(text: string, { label }: PlainInputField): void {
  if (!/[\s/@]|\{\{/.test(text)) return;
  throw new InputError(
    `"${text.slice(0, 60)}" is not an ID. In the field "${label}", choose from the list, or map the ID from an earlier step (not a name or URL).`,
  );
}
