import type { PlainInputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import {
  ApiError,
  InputError,
  isObject,
  parseJsonExact,
  toSnakeCase,
  tryRequestBodies,
} from '../platform/client-core.ts';
import { type RecordKind, toLabel } from '../records/record-kind.ts';
import { parseJsonObject } from './json-input.ts';
import { LEARNED_KEY_PREFIX } from './learned-key.ts';
import { formatTime, isDateFieldName, normalizeDateText, parseDateTime, requireFuture } from './parse-date.ts';
import { parseRecipients } from './parse-email.ts';

/** Drop-down list of the workspace's records. */
export function createRecordField(
  kind: RecordKind,
  field: { key?: string; label?: string; required?: boolean; altersDynamicFields?: boolean; helpText: string },
): PlainInputField {
  const { key = kind.resource, label = kind.noun, required = true, altersDynamicFields, helpText } = field;
  return {
    key,
    label,
    type: 'string',
    required,
    dynamic: `${kind.resource}_list.id.name`,
    search: `find_${kind.resource}.id`,
    ...(altersDynamicFields ? { altersDynamicFields } : {}),
    helpText,
  };
}

/** Field of a form, by default an optional text. */
export function createFormField(
  key: string,
  label: string,
  options: Pick<PlainInputField, 'required' | 'list' | 'type' | 'choices'> & { helpText: string },
): PlainInputField {
  return { key, label, type: 'string', required: false, ...options };
}

/** Examples of additional fields by operation. */
const EXAMPLES: { readonly [operation in OperationName]?: string } = {
  'rooms.create': '{"language": "de"}',
  'rooms.addFile': '{"position": 2}',
  'rooms.addFolder': '{"position": 2}',
  'rooms.addGroup': '{"color": "blue"}',
  'rooms.setPermissions': '{"notify": true}',
  'agreements.create': '{"expires_in_days": 14}',
  'agreements.send': '{"reminder_days": 3}',
  'proposals.create': '{"currency": "EUR"}',
  'proposals.send': '{"reminder_days": 3}',
  'templates.create': '{"category": "Sales"}',
  'templates.update': '{"category": "Sales"}',
  'contacts.create': '{"phone": "+1 555 0100"}',
  'contacts.update': '{"phone": "+1 555 0100"}',
};

/** Fields of the API that a form does not have, line by line or as JSON. */
export function createAdditionalFields(operation: OperationName): PlainInputField[] {
  const example = EXAMPLES[operation] ?? '{"max_visitors": 5}';
  return [
    {
      key: 'fields',
      label: 'Additional Fields',
      dict: true,
      required: false,
      group: 'more',
      helpText:
        'For advanced users: API field name on the left, value on the right. This overrides the same field above.',
    },
    {
      key: 'fields_json',
      label: 'Additional Fields as JSON',
      type: 'json',
      schema: { type: 'object' },
      required: false,
      group: 'more',
      helpText: `For advanced users: the same, as one JSON object, such as \`${example}\`. This overrides the same fields above.`,
    },
  ];
}

export function createDeletionNotice(subject: string): PlainInputField {
  return { key: 'notice', type: 'copy', helpText: `Deleting ${subject} cannot be undone.` };
}

/**
 * Collects learned fields and Additional Fields, which win (JSON over lines). An object named `extra` is sent
 * unchecked, so its names may resemble documented ones; any other value named `extra` is a field of the service.
 */
export function collectExtraFields(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const learnedFields = Object.entries(input)
    .filter(([key]) => key.startsWith(LEARNED_KEY_PREFIX))
    .map(([key, value]) => [key.slice(LEARNED_KEY_PREFIX.length), value] as const)
    .map(([name, value]) => [name, parseLearnedField(name, value)]);
  const fields: Record<string, unknown> = {
    ...Object.fromEntries(learnedFields),
    ...parseAdditionalFields(input['fields']),
    ...parseJsonObject(input['fields_json'], 'Additional Fields as JSON'),
  };
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string' && isExpiryName(toSnakeCase(name))) requireFuture(value, toLabel(name));
  const { extra } = fields;
  return extra === undefined || isObject(extra) ? fields : { ...fields, extra: { extra } };
}

function isExpiryName(snakeName: string): boolean {
  return snakeName.startsWith('expir') && isDateFieldName(snakeName);
}

/** True for a field with the people who get a copy. */
export function isCarbonCopyField(name: string): boolean {
  return /(^|_)(cc|bcc|carbon_cop(y|ies))(_|$)/.test(toSnakeCase(name));
}

/** Formats times as the profile says; otherwise only normalizes dates. */
function parseLearnedField(name: string, value: unknown): unknown {
  const label = toLabel(name);
  if (isCarbonCopyField(name)) return parseRecipients([value].flat().map(String), label).map(({ email }) => email);
  const timeFormat =
    appProfile && Object.hasOwn(appProfile.timeFormats, name) ? appProfile.timeFormats[name] : undefined;
  if (timeFormat === undefined)
    return typeof value === 'string' && isDateFieldName(toSnakeCase(name)) ? normalizeDateText(value, label) : value;
  const time = parseDateTime(value, { label, zone: 'UTC' });
  return time === undefined ? undefined : formatTime(time, timeFormat);
}

/** Names of fields that are always text: "2024" may be a company, "true" a note. */
const TEXT_FIELD_NAMES =
  /pass|code|pin|phone|name|title|text|note|message|subject|company|organi|account|street|city|address|zip|postal|reference|label|description|comment|sku|(^|_)ids?$/i;
/** Names of number fields; under any other name digits stay text. */
const NUMBER_FIELD_NAMES =
  /max|min|count|limit|cap|number_of|num_|amount|price|total|quantity|qty|seats|days|hours|minutes|seconds|size|width|height|percent|rate|discount|order|position|visitors|views|downloads|version|probability|score|budget|value|priority/i;

/** Parses the Additional Fields, which Zapier gives as text: literals, lists, objects, and numbers in number fields. */
function parseAdditionalFields(fields: unknown): Record<string, unknown> {
  // An earlier step may pass all of them as one JSON text.
  if (typeof fields === 'string') return parseJsonObject(fields, 'Additional Fields');
  if (fields === undefined || fields === null) return {};
  if (!isObject(fields))
    throw new InputError(
      'The field "Additional Fields" needs names on the left and values on the right. Correct it in this step.',
    );
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? parseTypedText(name, value) : value,
    ]),
  );
}

function parseTypedText(name: string, text: string): unknown {
  const snakeName = toSnakeCase(name);
  if (isDateFieldName(snakeName)) return normalizeDateText(text, name);
  const isNumber = /^\s*-?(0|[1-9]\d{0,14})(\.\d+)?\s*$/.test(text);
  if (isNumber && (TEXT_FIELD_NAMES.test(snakeName) || !NUMBER_FIELD_NAMES.test(snakeName))) return text;
  const isJson = isNumber || /^\s*(\[.*\]|\{.*\}|".*")\s*$/s.test(text);
  const isLiteral = /^\s*(true|false|null)\s*$/.test(text) && !TEXT_FIELD_NAMES.test(snakeName);
  if (!isJson && !isLiteral) return text;
  try {
    return parseJsonExact(text);
  } catch {
    return text;
  }
}

/**
 * Parses yes or no; undefined for an empty field.
 * @throws InputError for anything else: "maybe" must not switch a gate off.
 */
export function parseBoolean(value: unknown, label: string): boolean | undefined {
  if (typeof value === 'boolean' || value === undefined || value === null) return value ?? undefined;
  const text = String(value).trim();
  if (text === '') return undefined;
  if (/^(true|yes|y|t|1|on)$/i.test(text)) return true;
  if (/^(false|no|n|f|0|off)$/i.test(text)) return false;
  throw new InputError(`"${text.slice(0, 40)}" is not Yes or No. Correct the field "${label}" in this step.`);
}

/** Parses an entry of a list, by its key or label; undefined for an empty field. @throws InputError for another text. */
export function parseChoice<Choice extends string>(
  value: unknown,
  { choices, label }: { choices: Readonly<Record<Choice, string>>; label: string },
): Choice | undefined {
  const text = String(value ?? '')
    .trim()
    .toLowerCase();
  if (text === '') return undefined;
  const keys = Object.keys(choices) as Choice[];
  const found = keys.find((key) => text === key || text === choices[key].toLowerCase());
  if (found === undefined)
    throw new InputError(
      `"${text.slice(0, 40)}" is not in the list of the field "${label}". Choose an entry from the list.`,
    );
  return found;
}

/** Field with tags that a contact gets besides its own. */
export const addedTagsField = createFormField('tags', 'Tags', {
  list: true,
  helpText: 'Tags to add, one per line or separated by commas. Existing tags are kept.',
});

/** Distinct tags of a list field, also several on one line, joined by a comma or semicolon of any script. */
export function parseTags(value: readonly string[] | undefined): string[] {
  const tags = (value ?? []).flatMap((line) => line.split(/[,;，、；،؛]/)).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Words of an error about field names. An error about a value is the user's to correct. */
const FIELD_NAME_ERROR_PATTERN =
  /required|missing|unknown|unexpected|unrecogni[sz]ed|unsupported|not (allowed|permitted|recogni)|not an? (known|valid) (field|param)|should not exist|extra|additional|undefined|blank|provide|lacks/i;

/** Error without details, after punctuation is removed. */
const GENERIC_ERROR_PATTERN = /^(4\d\d ?)?(bad request|unprocessable( \w+)?|invalid( (request|body|input))?)?$/i;

/** True if an error may be about field names, so another body is worth trying. */
export function isFieldNameError(errorText: string): boolean {
  return FIELD_NAME_ERROR_PATTERN.test(errorText) || GENERIC_ERROR_PATTERN.test(errorText.replace(/\W+/g, ' ').trim());
}

/**
 * Sends the bodies in turn until the service accepts one. By default tries the next one only after an error about names: a
 * service that ignores unknown names would accept a later body without the value it had rejected.
 */
export function tryFormBodies<Result>(
  bodies: readonly object[],
  extraFields: Readonly<Record<string, unknown>>,
  send: (body: Record<string, unknown>) => Promise<Result>,
  { shouldTryNext }: { shouldTryNext?: (errorText: string) => boolean } = {},
): Promise<Result> {
  const nonEmptyBodies = bodies.map((body) => omitEmptyValues({ ...body, ...extraFields }));
  const uniqueBodies = new Map(nonEmptyBodies.map((body) => [JSON.stringify(body), body]));
  const otherNames = getOtherNames(nonEmptyBodies);
  let finalError: Error | undefined;
  return tryRequestBodies([...uniqueBodies.values()], async (body) => {
    if (finalError) throw finalError;
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof ApiError) || namesOtherField(error, body, otherNames)) throw error;
      const isAboutNames = isFieldNameError(error.body) && !isAboutInnerValue(error, body, nonEmptyBodies);
      if (!(shouldTryNext?.(error.body) ?? isAboutNames)) finalError = error;
      throw error;
    }
  });
}

/** Field names of all bodies, except those that the first has only inside another field: `email` may be a recipient's. */
function getOtherNames(bodies: readonly object[]): string[] {
  const firstText = JSON.stringify(bodies[0]);
  const isNested = (name: string) => !Object.hasOwn(bodies[0] ?? {}, name) && firstText.includes(`"${name}":`);
  return bodies.flatMap(Object.keys).filter((name) => !isNested(name));
}

/** True for an error such as `title must be a string` about a field that only another body has. Some services write `Title`. */
function namesOtherField({ details }: ApiError, body: object, otherNames: readonly string[]): boolean {
  return details.some(({ field, message }) => {
    const subject = String(/\w+/.exec(field?.toLowerCase() ?? message));
    const isSubject = (name: string) => (field === undefined ? name : name.toLowerCase()) === subject;
    return otherNames.some(isSubject) && !Object.keys(body).some(isSubject);
  });
}

/**
 * True for an error about a value inside a list of this body, such as `recipients.0.name is required`: the service reads
 * the list, and may ignore it under another name.
 */
function isAboutInnerValue({ details, body: text }: ApiError, body: object, bodies: readonly object[]): boolean {
  const lists = Object.entries(body).flatMap(([name, value]) =>
    /^\w+$/.test(name) && (isObject(value) || Array.isArray(value)) ? name : [],
  );
  return [text, ...details.flatMap(({ field, message }) => [field ?? '', message])].some((words) => {
    const [person] = /^(name|email)\b/.exec(words.toLowerCase()) ?? [];
    if (person && lists.length > 0 && !bodies.some((other) => Object.hasOwn(other, person))) return true;
    return lists.some((name) =>
      new RegExp(`\\b${name.replace(/s$/, '')}s?(?:\\.\\w|\\[|/\\d|('s)? (name|email)\\b)`, 'i').test(words),
    );
  });
}

function omitEmptyValues(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

/** @throws InputError if a form changes nothing. */
export function requireChange(body: Readonly<Record<string, unknown>>): void {
  if (Object.values(body).every((value) => value === undefined))
    throw new InputError('There is nothing to change. Fill in at least one more field in this step.');
}
