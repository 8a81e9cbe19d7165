/** What the app needs of a profile. It runs when the app is built: the zip holds its result alone. */
import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import { isSecretName } from '../../src/assumptions/secret-names.ts';
import { getWritableFields, type WritableField } from '../../src/assumptions/writable.ts';
import { type OperationName, operations } from '../../src/operations/index.ts';
import { getResourceName, getResponseItemSchema, toProfileFields } from '../../src/profile/fields.ts';
import type { Schema, ServiceProfile } from '../../src/profile/format.ts';
import { generateSample, valueTypes } from '../../src/profile/invent.ts';
import { VALUE_FORMATS } from '../../src/profile/schema.ts';
import { snakeCase } from '../forms/date.ts';
import { isLeftOut, LEARNED } from '../forms/learned-key.ts';
import { isObject } from '../platform/core.ts';
import type { LearnedForms, LearnedInput, LearnedRecord, TimeForm } from './forms.ts';

const MAX_INPUT_FIELDS = 20;
const MAX_OUTPUT_FIELDS = 60;
/** Objects in a record whose own fields are labelled. */
const MAX_LABELLED_DEPTH = 2;

export function createAppProfile(profile: ServiceProfile): LearnedForms {
  const records: { [name in OperationName]?: LearnedRecord } = {};
  const inputs: { [name in OperationName]?: LearnedInput[] } = {};
  const times = new Map<string, TimeForm | undefined>();
  for (const { name, operation } of operations) {
    if (operation.effect === 'read') {
      const record = findProfileRecord(profile, name);
      if (record) records[name] = record;
      continue;
    }
    const offered = getWritableFields(profile, name).flatMap((field) => toProfileInput(field) ?? []);
    for (const { name: field, time } of offered)
      times.set(field, times.has(field) && times.get(field) !== time ? undefined : time);
    inputs[name] = offered
      .slice(0, MAX_INPUT_FIELDS)
      .map(({ name: field, field: input }) => ({ name: field, field: input }));
  }
  return {
    records,
    ...toProfileEvent(profile),
    inputs,
    times: Object.fromEntries([...times].filter(([, time]) => time !== undefined)) as LearnedForms['times'],
  };
}

/** An event as it was delivered; nothing where none was seen, or nothing in it tells its kind. */
function toProfileEvent({ facts }: ServiceProfile): Pick<LearnedForms, 'event'> {
  const { body, kind } = facts.event ?? {};
  const record = body && kind && kind.length > 0 ? recordFrom(body, 'event') : undefined;
  return record && kind ? { event: { ...record, kind } } : {};
}

/** The record that an operation answers, as it was seen anywhere. */
function findProfileRecord(profile: ServiceProfile, operation: OperationName): LearnedRecord | undefined {
  const resource = getResourceName(operation);
  const schema = Object.hasOwn(profile.resources, resource)
    ? profile.resources[resource]
    : getResponseItemSchema(profile, operation);
  return schema && recordFrom(schema, resource);
}

function recordFrom(schema: Schema, seed: string): LearnedRecord | undefined {
  const sample = generateSample(withPlainNames(schema), { seed });
  if (!isObject(sample) || Object.keys(sample).length === 0) return undefined;
  return { sample, outputs: toOutputFields(schema, 'raw__', []).slice(0, MAX_OUTPUT_FIELDS) };
}

/** Labelled fields of a record; Zapier joins the names of nested ones by two underscores. */
function toOutputFields(schema: Schema, before: string, above: readonly string[]): PlainOutputField[] {
  return toProfileFields(schema).flatMap(({ name, schema: field }) => {
    if (!isPlain(name) || isSecretName(name)) return [];
    const words = [...above, name];
    const types = valueTypes(field);
    if (types.length === 1 && types[0] === 'object')
      return words.length <= MAX_LABELLED_DEPTH ? toOutputFields(field, `${before}${name}__`, words) : [];
    if (types.includes('array') || types.length === 0) return [];
    const type = outputType(field);
    return [
      { key: `${before}${name}`, label: toLabel(words.join('_')), ...(type === undefined ? {} : { type }) },
    ];
  });
}

function outputType(schema: Schema): PlainOutputField['type'] {
  const [type, ...others] = valueTypes(schema);
  if (others.length > 0 || type === undefined) return undefined;
  if (type === 'string')
    return schema.format === 'date-time' || schema.format === 'date' ? 'datetime' : 'string';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined;
}

/** A field that a form can offer: what nobody types (ids, objects) is left to the Additional Fields. */
function toProfileInput(field: WritableField): (LearnedInput & { time: TimeForm | undefined }) | undefined {
  const { name, schema, knownBy } = field;
  if (
    !schema ||
    knownBy === 'documented' ||
    !isPlain(name) ||
    isLeftOut(snakeCase(name)) ||
    /api_?key|token|secret/i.test(name)
  )
    return undefined;
  const types = valueTypes(schema);
  const isList = types.length === 1 && types[0] === 'array';
  const kind = inputKind(name, isList ? (schema.items ?? {}) : schema);
  if (kind === undefined || (isList && kind.type !== 'string')) return undefined;
  const helpText = `${
    knownBy === 'taken'
      ? `Docshare takes it as \`${name}\`.`
      : `Docshare shows it as \`${name}\`; whether it can be set was not seen.`
  } Leave it empty to let Docshare decide.`;
  const { time, ...typed } = kind;
  return {
    name,
    time,
    field: {
      key: `${LEARNED}${name}`,
      label: toLabel(name),
      ...typed,
      ...(isList ? { list: true } : {}),
      required: false,
      group: 'more',
      helpText,
    },
  };
}

function inputKind(
  name: string,
  schema: Schema,
):
  | (Pick<PlainInputField, 'type'> & { choices?: Record<string, string>; time: TimeForm | undefined })
  | undefined {
  const [type, ...others] = valueTypes(schema);
  if (others.length > 0) return undefined;
  const time = TIMES.find((form) => form === schema.format);
  if (time !== undefined && (type === 'string' || type === 'integer' || type === 'number'))
    return { type: 'datetime', time };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { type, time };
  if (type !== 'string') return undefined;
  const words = (schema.enum ?? []).filter(
    (word): word is string => typeof word === 'string' && isPlain(word),
  );
  const choices =
    words.length > 1 ? { choices: Object.fromEntries(words.map((word) => [word, toLabel(word)])) } : {};
  return { type: /description|message|notes?$|text|body/i.test(name) ? 'text' : 'string', ...choices, time };
}

const TIMES = VALUE_FORMATS.filter((format): format is TimeForm => /^(date|epoch)/.test(format));

/** A profile comes from elsewhere: what stands in a form is a plain name, of which two underscores would make two. */
function isPlain(name: string): boolean {
  return /^[A-Za-z][\w-]{1,47}$/.test(name) && !name.includes('__');
}

/** The same form without names that are none of a field: a sample shows them. */
function withPlainNames(schema: Schema, depth = 0): Schema {
  const { properties, items } = schema;
  if (depth > MAX_SAMPLE_DEPTH) return {};
  const fields = Object.entries(properties ?? {}).filter(([name]) =>
    /^[A-Za-z_@$][\w@$.:-]{0,63}$/.test(name),
  );
  const kept = fields.map(([name, field]): [string, Schema] => [name, withPlainNames(field, depth + 1)]);
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(kept.slice(0, MAX_OUTPUT_FIELDS)) } : {}),
    ...(items ? { items: withPlainNames(items, depth + 1) } : {}),
  };
}

/** Levels of a sample. */
const MAX_SAMPLE_DEPTH = 8;

/** `expiresAt` and `expires_at` as "Expires At". */
function toLabel(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[_-]+/)
    .filter((word) => word !== '')
    .map((word) =>
      /^(id|url)$/i.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ')
    .slice(0, 64);
}
