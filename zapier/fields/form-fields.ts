import type { PlainInputField } from 'zapier-platform-core';
import { isBodyRejected } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import {
  ApiError,
  type ErrorDetail,
  InputError,
  isObject,
  type JsonObject,
  parseJsonExact,
  toSnakeCase,
} from '../platform/client-core.ts';
import { liftFields } from '../records/lift-fields.ts';
import { toComparableJson } from '../records/normalize-text.ts';
import { type RecordKind, toLabel } from '../records/record-kind.ts';
import { parseJsonObject } from './json-input.ts';
import { LEARNED_KEY_PREFIX } from './learned-key.ts';
import { formatTime, isDateFieldName, normalizeDateText, parseDateTime, requireFuture } from './parse-date.ts';
import { parseRecipients } from './parse-email.ts';

/** Drop-down list of the workspace's records. */
export function createRecordField(
  kind: RecordKind,
  field: { label?: string; required?: boolean; altersDynamicFields?: boolean; helpText: string },
): PlainInputField {
  const { label = kind.noun, required = true, altersDynamicFields, helpText } = field;
  return {
    key: kind.resource,
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

/** Fields by their API names; those in `extra` are sent unchecked. */
export type ExtraFields = Record<string, unknown> & { readonly extra?: JsonObject };

/**
 * Collects learned fields and Additional Fields, which win (JSON over lines). An object named `extra` is sent
 * unchecked, so its names may resemble documented ones; any other value named `extra` is a field of the service.
 */
export function collectExtraFields(input: Readonly<Record<string, unknown>>): ExtraFields {
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
  const { extra, ...otherFields } = fields;
  return extra === undefined ? otherFields : { ...otherFields, extra: isObject(extra) ? extra : { extra } };
}

/** The fields of a form as they are sent: Additional Fields of the same names override them. */
export function overrideFields<Form extends object>(form: Form, extraFields: Readonly<Record<string, unknown>>): Form {
  const overrides = Object.entries(extraFields).filter(([name]) => Object.hasOwn(form, name));
  return { ...form, ...Object.fromEntries(overrides) };
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
  // Version "1.10" is not 1.1.
  const isText = TEXT_FIELD_NAMES.test(snakeName) || (/(^|_)version/.test(snakeName) && text.includes('.'));
  if (isNumber && (isText || !NUMBER_FIELD_NAMES.test(snakeName))) return text;
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

/** Words of a service that rejects unknown names instead of ignoring them. */
const UNKNOWN_NAME_PATTERN =
  /\b(?:un(?:known|expected|recogni[sz]ed|supported|permitted)|extra|additional|not an? \w+) (?:field|param|propert|key|attr|input)|field (?:is|was) (?:prohibited|not )|should not exist|not be mapped|^"\w+" is not allowed$/i;

const MISSING_PATTERN = /required|missing|blank|empty|null|undefined|provide|lacks/i;
/** Error that names no field, as words. */
const GENERIC_ERROR_PATTERN =
  /^ (4\d\d )?(bad request|unprocessable( \w+)?|validation (failed|error)|invalid( (request|body|input))?|(can|must|should) ?(not|t) be (blank|empty|null))? $/i;

/**
 * Sends the bodies in turn until the service accepts one. Tries the next one only after an error about names: a service
 * that ignores unknown names would accept a later body without the value it had rejected. After an error about no name,
 * the response must show the renamed values; a send can't be undone, so it ends there. The caller checks the values of
 * `checkedNames`: an error about one also leads to the next body.
 */
export async function tryFormBodies(
  bodies: readonly object[],
  extraFields: Readonly<Record<string, unknown>>,
  send: (body: Record<string, unknown>) => Promise<JsonObject>,
  { checkedNames, isSend = false }: { checkedNames?: readonly string[]; isSend?: boolean } = {},
): Promise<JsonObject> {
  const nonEmptyBodies = bodies.map((body) => omitEmptyValues({ ...body, ...extraFields }));
  const uniqueBodies = [...new Map(nonEmptyBodies.map((body) => [JSON.stringify(body), body])).values()];
  let firstRejection: unknown;
  let isGuess = false;
  for (const [index, body] of uniqueBodies.entries()) {
    try {
      const response = await send(body);
      if (isGuess && !checkedNames) requireShown(response, body, Object.keys(uniqueBodies[0] ?? {}));
      return liftFields(response);
    } catch (error) {
      if (!(error instanceof ApiError) || !isBodyRejected(error)) throw error;
      const isChecked = checkedNames?.some((name) => error.body.toLowerCase().includes(name));
      const isGeneric = !isSend && GENERIC_ERROR_PATTERN.test(toWords(error.body));
      if (!isChecked && !isGeneric && !isAboutNames(error, uniqueBodies, index)) throw error;
      isGuess ||= isGeneric;
      firstRejection ??= error;
    }
  }
  throw firstRejection;
}

/** @throws InputError if a response lacks a text of a renamed field. Forms need a name, so an accepted `title` was read. */
function requireShown(response: unknown, body: object, firstNames: readonly string[]): void {
  const renamed = Object.entries(body).filter(([name]) => name !== 'title' && !firstNames.includes(name));
  const shown = toComparableJson(response);
  const missing = listTexts(Object.fromEntries(renamed)).find(
    (text) => !shown.includes(toComparableJson(text).slice(1, -1)),
  );
  if (missing !== undefined)
    throw new InputError(
      `The request was accepted, but the response does not show "${missing.slice(0, 60)}". Check the record in Docshare before you run this step again.`,
    );
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(listTexts) : [];
}

/** True for an error about names that the service does not read. */
function isAboutNames({ details }: ApiError, bodies: readonly object[], index: number): boolean {
  const body = bodies[index] ?? {};
  const names = [...new Set(bodies.flatMap(Object.keys))].sort((a, b) => b.length - a.length);
  // `email` may also be the field of a recipient.
  const isOwn = (name: string) =>
    Object.hasOwn(body, name) || (!Object.hasOwn(bodies[0] ?? {}, name) && JSON.stringify(body).includes(`"${name}":`));
  const isAboutOther = ({ field, message }: ErrorDetail) => {
    const parents = `${field} ${message}`.match(/\w+(?=[.[/]\w)/g);
    if (parents?.some((parent) => isOwn(parent) || isOwn(toSnakeCase(parent)))) return false;
    if (UNKNOWN_NAME_PATTERN.test(message)) return true;
    const isMissing = MISSING_PATTERN.test(message);
    const subject = findSubject(field ?? message, names, { ignoreCase: isMissing });
    if (subject === undefined || isOwn(subject)) return false;
    return field !== undefined || isMissing || message.startsWith(subject);
  };
  return details.some(isAboutOther);
}

/** First of the names in a text, which may write it as `Line items`, or `LineItems` for `line_items` and `lineItems`. */
function findSubject(text: string, names: readonly string[], { ignoreCase }: { ignoreCase: boolean }) {
  const fold = (one: string) => (ignoreCase ? one.toLowerCase() : one);
  const found = [fold(text), toSnakeCase(text)].flatMap((one) =>
    names.map((name) => ({ name, at: toWords(one).indexOf(toWords(fold(name))) })),
  );
  return found.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0]?.name;
}

/** Words in the singular, with a space before and after each. */
function toWords(text: string): string {
  return ` ${text.replace(/s?[\W_]+|s$/g, ' ').trim()} `;
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
