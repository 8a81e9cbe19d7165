/** Extracts from a profile what the app needs. Runs at build time: the zip contains only the result. */
import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import { isSecretName } from '../../src/assumptions/secret-names.ts';
import { getWritableFields, type WritableField } from '../../src/assumptions/writable-fields.ts';
import { type OperationName, operations } from '../../src/operations/index.ts';
import { generateSample, getValueTypes } from '../../src/profile/generate-sample.ts';
import { VALUE_FORMATS } from '../../src/profile/json-schema.ts';
import { getResourceName, getResponseItemSchema, toProfileFields } from '../../src/profile/profile-fields.ts';
import type { Schema, ServiceProfile } from '../../src/profile/service-profile.ts';
import type { AppProfile, ProfileInput, ProfileRecord, TimeFormat } from '../platform/app-profile.ts';
import { isObject, toSnakeCase } from '../platform/client-core.ts';
import { toLabel } from '../records/record-kind.ts';
import { EMPTY_LEARNED_FIELD_HELP, isExcludedField, LEARNED_KEY_PREFIX } from './learned-key.ts';

const MAX_INPUT_FIELDS = 20;
const MAX_OUTPUT_FIELDS = 60;
/** Maximum depth of nested fields with a label. */
const MAX_LABELLED_DEPTH = 2;

export function createAppProfile(profile: ServiceProfile): AppProfile {
  const records: { [name in OperationName]?: ProfileRecord } = {};
  const inputs: { [name in OperationName]?: ProfileInput[] } = {};
  const timeFormats = new Map<string, TimeFormat | undefined>();
  for (const { name, operation } of operations) {
    if (operation.effect === 'read') {
      const record = findProfileRecord(profile, name);
      if (record) records[name] = record;
      continue;
    }
    const offeredFields = getWritableFields(profile, name).flatMap((field) => toProfileInput(field) ?? []);
    for (const { name: field, timeFormat } of offeredFields)
      timeFormats.set(field, timeFormats.has(field) && timeFormats.get(field) !== timeFormat ? undefined : timeFormat);
    inputs[name] = offeredFields
      .slice(0, MAX_INPUT_FIELDS)
      .map(({ name: field, field: input }) => ({ name: field, field: input }));
  }
  return {
    records,
    ...toProfileEvent(profile),
    inputs,
    timeFormats: Object.fromEntries(
      [...timeFormats].filter(([, timeFormat]) => timeFormat !== undefined),
    ) as AppProfile['timeFormats'],
  };
}

function toProfileEvent({ facts }: ServiceProfile): Pick<AppProfile, 'event'> {
  const { body, kind } = facts.event ?? {};
  const record = body && kind && kind.length > 0 ? toProfileRecord(body, 'event') : undefined;
  return record && kind ? { event: { ...record, kindPath: kind } } : {};
}

function findProfileRecord(profile: ServiceProfile, operation: OperationName): ProfileRecord | undefined {
  const resource = getResourceName(operation);
  const schema = Object.hasOwn(profile.resources, resource)
    ? profile.resources[resource]
    : getResponseItemSchema(profile, operation);
  return schema && toProfileRecord(schema, resource);
}

function toProfileRecord(schema: Schema, seed: string): ProfileRecord | undefined {
  const sample = generateSample(withoutUnsafeNames(schema), { seed });
  if (!isObject(sample) || Object.keys(sample).length === 0) return undefined;
  return { sample, outputs: toOutputFields(schema, 'raw__', []).slice(0, MAX_OUTPUT_FIELDS) };
}

/** Labelled fields of a record; Zapier joins nested names with two underscores. */
function toOutputFields(schema: Schema, keyPrefix: string, parentPath: readonly string[]): PlainOutputField[] {
  return toProfileFields(schema).flatMap(({ name, schema: field }) => {
    if (!isSafeName(name) || isSecretName(name)) return [];
    const path = [...parentPath, name];
    const types = getValueTypes(field);
    if (types.length === 1 && types[0] === 'object')
      return path.length <= MAX_LABELLED_DEPTH ? toOutputFields(field, `${keyPrefix}${name}__`, path) : [];
    if (types.includes('array') || types.length === 0) return [];
    const type = getOutputType(field);
    return [{ key: `${keyPrefix}${name}`, label: toLabel(path.join('_')), ...(type === undefined ? {} : { type }) }];
  });
}

function getOutputType(schema: Schema): PlainOutputField['type'] {
  const [type, ...others] = getValueTypes(schema);
  if (others.length > 0 || type === undefined) return undefined;
  if (type === 'string') return schema.format === 'date-time' || schema.format === 'date' ? 'datetime' : 'string';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined;
}

/** Field that a form can offer; IDs and objects are left to the Additional Fields. */
function toProfileInput(field: WritableField): (ProfileInput & { timeFormat: TimeFormat | undefined }) | undefined {
  const { name, schema, knownBy } = field;
  if (
    !schema ||
    knownBy === 'documented' ||
    !isSafeName(name) ||
    isExcludedField(toSnakeCase(name)) ||
    /api_?key|token|secret/i.test(name)
  )
    return undefined;
  const types = getValueTypes(schema);
  const isList = types.length === 1 && types[0] === 'array';
  const inputType = toInputType(name, isList ? (schema.items ?? {}) : schema);
  if (inputType === undefined || (isList && inputType.type !== 'string')) return undefined;
  const helpText = `${
    knownBy === 'accepted'
      ? `Sent to Docshare as \`${name}\`.`
      : `Sent to Docshare as \`${name}\`. Docshare shows this field, but may not accept changes to it.`
  } ${EMPTY_LEARNED_FIELD_HELP}`;
  const { timeFormat, ...fieldType } = inputType;
  return {
    name,
    timeFormat,
    field: {
      key: `${LEARNED_KEY_PREFIX}${name}`,
      label: toLabel(name),
      ...fieldType,
      ...(isList ? { list: true } : {}),
      required: false,
      group: 'more',
      helpText,
    },
  };
}

function toInputType(
  name: string,
  schema: Schema,
):
  | (Pick<PlainInputField, 'type'> & { choices?: Record<string, string>; timeFormat: TimeFormat | undefined })
  | undefined {
  const [type, ...others] = getValueTypes(schema);
  if (others.length > 0) return undefined;
  const timeFormat = TIME_FORMATS.find((format) => format === schema.format);
  if (timeFormat !== undefined && (type === 'string' || type === 'integer' || type === 'number'))
    return { type: 'datetime', timeFormat };
  if (type === 'integer' || type === 'number' || type === 'boolean') return { type, timeFormat };
  if (type !== 'string') return undefined;
  const values = (schema.enum ?? []).filter((value): value is string => typeof value === 'string' && isSafeName(value));
  const choices =
    values.length > 1 ? { choices: Object.fromEntries(values.map((value) => [value, toLabel(value)])) } : {};
  return { type: /description|message|notes?$|text|body/i.test(name) ? 'text' : 'string', ...choices, timeFormat };
}

const TIME_FORMATS = VALUE_FORMATS.filter((format): format is TimeFormat => /^(date|epoch)/.test(format));

/** Profiles are untrusted: a form shows only plain names, and two underscores would split one. */
function isSafeName(name: string): boolean {
  return /^[A-Za-z][\w-]{1,47}$/.test(name) && !name.includes('__');
}

/** Removes names that are not field names, since a sample shows them. */
function withoutUnsafeNames(schema: Schema, depth = 0): Schema {
  const { properties, items } = schema;
  if (depth > MAX_SAMPLE_DEPTH) return {};
  const fields = Object.entries(properties ?? {}).filter(([name]) => /^[A-Za-z_@$][\w@$.:-]{0,63}$/.test(name));
  const safeFields = fields.map(([name, field]): [string, Schema] => [name, withoutUnsafeNames(field, depth + 1)]);
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(safeFields.slice(0, MAX_OUTPUT_FIELDS)) } : {}),
    ...(items ? { items: withoutUnsafeNames(items, depth + 1) } : {}),
  };
}

const MAX_SAMPLE_DEPTH = 8;
