import type { PlainInputField } from 'zapier-platform-core';
import type { Recipient } from '../../src/assumptions/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import { ApiError, InputError, isObject, parseJsonExact, tryRequestBodies } from '../platform/client-core.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { parseJsonObject } from './json-input.ts';
import { LEARNED_KEY_PREFIX } from './learned-key.ts';
import { formatTime, isDateFieldName, normalizeDateText, parseDateTime, toSnakeCase } from './parse-date.ts';

/** A drop-down of the workspace's records: nobody types an id. */
export function recordField(
  kind: RecordKind,
  field: {
    key?: string;
    label?: string;
    required?: boolean;
    altersDynamicFields?: boolean;
    helpText: string;
  },
): PlainInputField {
  const { key = kind.resource, label = kind.noun, required = true, altersDynamicFields, helpText } = field;
  return {
    key,
    label,
    type: 'string',
    required,
    dynamic: `${kind.resource}_list.id.name`,
    // The editor offers the search beside the drop-down.
    search: `find_${kind.resource}.id`,
    ...(altersDynamicFields ? { altersDynamicFields } : {}),
    helpText,
  };
}

/** A line of text; optional unless told. */
export function textInput(
  key: string,
  label: string,
  options: { helpText: string; required?: boolean; list?: boolean; type?: 'string' | 'text' },
): PlainInputField {
  const { helpText, required = false, type = 'string', list } = options;
  return { key, label, type, required, ...(list ? { list } : {}), helpText };
}

/** Send what the API takes and this form does not name: line by line, or as JSON. */
export const additionalFields: PlainInputField[] = [
  {
    key: 'fields',
    label: 'Additional Fields',
    dict: true,
    required: false,
    group: 'more',
    helpText:
      'Anything else that Docshare should set: the name of the field in the API on the left, its value on the right. A field given here wins over the same field above.',
  },
  {
    key: 'fields_json',
    label: 'Additional Fields as JSON',
    type: 'json',
    // The platform checks it in the form; what an earlier step gives is checked when the step runs.
    schema: { type: 'object' },
    required: false,
    group: 'more',
    helpText:
      'The same as one JSON object, such as `{"max_visitors": 5}`, for values that are lists, objects or numbers. It is sent as it is, and wins over the fields above.',
  },
];

/** Says what a deletion means before it is done. */
export function deletionNotice(subject: string): PlainInputField {
  return { key: 'notice', type: 'copy', helpText: `Deleting ${subject} cannot be undone.` };
}

/**
 * The fields of a form beyond its own: learned ones, and the Additional Fields, which win (those as JSON over those by line). An object called `extra` is sent
 * as it is, also under names that are near to documented ones; anything else called so is a field of Docshare's own.
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
  const { extra } = fields;
  return extra === undefined || isObject(extra) ? fields : { ...fields, extra: { extra } };
}

/** A point in time as the service writes it, where that was learned; else dates alone are read. */
function parseLearnedField(name: string, value: unknown): unknown {
  const timeFormat =
    appProfile && Object.hasOwn(appProfile.timeFormats, name) ? appProfile.timeFormats[name] : undefined;
  if (timeFormat === undefined)
    return typeof value === 'string' && isDateFieldName(toSnakeCase(name))
      ? normalizeDateText(value, name)
      : value;
  const time = parseDateTime(value, { label: name, zone: 'UTC' });
  return time === undefined ? undefined : formatTime(time, timeFormat);
}

/** Field names whose values are text whatever they look like: "2024" is a company, "true" may be a note. */
const TEXT_FIELD_NAMES =
  /pass|code|pin|phone|name|title|text|note|message|subject|company|organi|account|street|city|address|zip|postal|reference|label|description|comment|sku|(^|_)ids?$/i;
/** Field names whose values are numbers; under any other name digits stay text. */
const NUMBER_FIELD_NAMES =
  /max|min|count|limit|cap|number_of|num_|amount|price|total|quantity|qty|seats|days|hours|minutes|seconds|size|width|height|percent|rate|discount|order|position|visitors|views|downloads|version|probability|score|budget|value|priority/i;

/**
 * The values of the Additional Fields, which a form gives as text: true and false, lists, objects and texts in quotes
 * become what they look like, and digits a number where the field's name says that it is one.
 */
function parseAdditionalFields(fields: unknown): Record<string, unknown> {
  // An earlier step may give all of them as one text.
  if (typeof fields === 'string') return parseJsonObject(fields, 'Additional Fields');
  if (fields === undefined || fields === null) return {};
  if (!isObject(fields))
    throw new InputError('The field "Additional Fields" needs names and values. Correct it in this step.');
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
 * Yes or no, as the platform or an earlier step gives it; undefined where it was left empty.
 * @throws InputError for anything else: a gate must not vanish because "maybe" is not yes.
 */
export function parseBoolean(value: unknown, label: string): boolean | undefined {
  if (typeof value === 'boolean' || value === undefined || value === null) return value ?? undefined;
  const text = String(value).trim();
  if (text === '') return undefined;
  if (/^(true|yes|y|t|1|on)$/i.test(text)) return true;
  if (/^(false|no|n|f|0|off)$/i.test(text)) return false;
  throw new InputError(
    `"${text.slice(0, 40)}" is neither yes nor no. Correct the field "${label}" in this step.`,
  );
}

/** The lines of a list field; a single value counts as one line. */
export function splitLines(value: readonly string[] | string | undefined): string[] {
  return (typeof value === 'string' ? [value] : (value ?? [])).map(String);
}

/** People of a list field: `ann@x.example` or `Ann Lee <ann@x.example>`, also several on one line. */
export function parseRecipients(lines: readonly string[] | string | undefined): Recipient[] {
  return splitLines(lines)
    .flatMap((line) => line.split(/[,;\n]/))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const { email, name } = parseRecipient(text);
      if (!/^[^\s@]+@[^\s@]+$/.test(email))
        throw new InputError(`"${text.slice(0, 60)}" is no e-mail address. Correct it in this step.`);
      return name ? { email, name } : { email };
    });
}

/** `Ann Lee <ann@x.example>` or a bare address. */
function parseRecipient(text: string): Recipient {
  const bracketIndex = text.lastIndexOf('<');
  if (bracketIndex < 0 || !text.endsWith('>')) return { email: text };
  const name = text.slice(0, bracketIndex).trim().replaceAll('"', '').trim();
  return { email: text.slice(bracketIndex + 1, -1).trim(), name };
}

/** Words of a refusal that is about the names in a body. One about a value is the user's to correct. */
const FIELD_NAME_ERROR_PATTERN =
  /required|missing|unknown|unexpected|unrecogni[sz]ed|unsupported|not (allowed|permitted|recogni)|extra|additional|undefined|blank|provide|lacks/i;

/** A refusal that says nothing: its words without signs between them. */
const GENERIC_ERROR_PATTERN =
  /^(4\d\d ?)?(bad request|unprocessable( \w+)?|invalid( (request|body|input))?)?$/i;

/** Whether a refusal may be about the names in a body, so that another body is worth a try. */
export function isFieldNameError(errorText: string): boolean {
  return (
    FIELD_NAME_ERROR_PATTERN.test(errorText) ||
    GENERIC_ERROR_PATTERN.test(errorText.replace(/\W+/g, ' ').trim())
  );
}

/**
 * Sends the first body that the service accepts, each with the form's further fields; what is empty is left out. Another
 * body is only tried where the refusal is about names: a service that skips names it does not know would else take a
 * later body without the value that it refused in the first, and send or overwrite something.
 */
export function sendForm<Result>(
  bodies: readonly object[],
  extraFields: Readonly<Record<string, unknown>>,
  send: (body: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  return sendFirstAccepted({
    bodies: bodies.map((body) => ({ ...body, ...extraFields })),
    send,
    shouldTryNext: isFieldNameError,
  });
}

/** The same, where the caller says which refusals are worth another body; `bodies` hold all fields. */
export function sendFirstAccepted<Result>({
  bodies,
  send,
  shouldTryNext,
}: {
  bodies: readonly Record<string, unknown>[];
  send: (body: Record<string, unknown>) => Promise<Result>;
  shouldTryNext: (errorText: string) => boolean;
}): Promise<Result> {
  const nonEmptyBodies = bodies.map(omitEmptyValues);
  const uniqueBodies = nonEmptyBodies.filter(
    (body, index) =>
      nonEmptyBodies.findIndex((other) => JSON.stringify(other) === JSON.stringify(body)) === index,
  );
  let finalError: Error | undefined;
  return tryRequestBodies(uniqueBodies, async (body) => {
    if (finalError) throw finalError;
    try {
      return await send(body);
    } catch (error) {
      if (error instanceof ApiError && !shouldTryNext(error.body)) finalError = error;
      throw error;
    }
  });
}

function omitEmptyValues(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** @throws InputError where a form changes nothing: the call would look done and do nothing. */
export function requireChange(body: Readonly<Record<string, unknown>>): void {
  if (Object.values(body).every((value) => value === undefined))
    throw new InputError(
      'Nothing to change was given. Fill in at least one field besides the record itself.',
    );
}
