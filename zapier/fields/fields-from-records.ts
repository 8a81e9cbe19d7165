import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { isSetByService } from '../../src/assumptions/writable-fields.ts';
import { toSnakeCase } from '../platform/client-core.ts';
import { createZapClient } from '../platform/with-client.ts';
import { distinctById, fetchPage, getListFunction } from '../records/read-list.ts';
import { type RecordKind, toLabel } from '../records/record-kind.ts';
import { isCarbonCopyField } from './form-fields.ts';
import { EMPTY_LEARNED_FIELD_HELP, isExcludedField, LEARNED_KEY_PREFIX } from './learned-key.ts';
import { isDateFieldName } from './parse-date.ts';

const TYPES = { string: 'string', number: 'number', boolean: 'boolean' } as const;
const MAX_FIELDS = 20;

/** Offers fields that existing records show and the API document does not (§2); none if the records can't be read. */
export function createRecordFieldsLoader(kind: RecordKind, knownNames: readonly string[]) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    try {
      const { items } = await fetchPage(getListFunction(kind, createZapClient(z, bundle.authData)));
      const shown = items.slice(0, 25).flatMap(Object.entries<unknown>);
      const offerable = shown.filter(([name]) => isOfferable(name, knownNames));
      const fields = offerable.flatMap(([name, value]) => toField(kind, name, value) ?? []);
      return distinctById(fields, ({ key }) => key).slice(0, MAX_FIELDS);
    } catch {
      return [];
    }
  };
}

function isOfferable(name: string, knownNames: readonly string[]): boolean {
  const snakeName = toSnakeCase(name);
  return !knownNames.includes(snakeName) && !isSetByService(name) && !isExcludedField(snakeName);
}

function toFieldType(name: string, value: unknown): Pick<PlainInputField, 'type' | 'list'> | undefined {
  if (isCarbonCopyField(name)) return { type: 'string', list: true };
  if (isDateFieldName(toSnakeCase(name)) && (value === null || typeof value === 'string')) return { type: 'datetime' };
  if (!Object.hasOwn(TYPES, typeof value)) return undefined;
  return { type: TYPES[typeof value as keyof typeof TYPES] };
}

function toField(kind: RecordKind, name: string, value: unknown): PlainInputField | undefined {
  const type = toFieldType(name, value);
  if (type === undefined) return undefined;
  return {
    key: `${LEARNED_KEY_PREFIX}${name}`,
    label: toLabel(name),
    ...type,
    required: false,
    group: 'more',
    helpText: `Your existing ${kind.resource}s have this field. ${EMPTY_LEARNED_FIELD_HELP}`,
  };
}
