import type { PlainInputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { fieldsFromRecords } from './fields-from-records.ts';
import { additionalFields } from './form-fields.ts';
import { toSnakeCase } from './parse-date.ts';

/**
 * Fields beyond the form's own: Additional Fields, typed fields of the profile, and fields that `existingRecords` show.
 * `knownNames` are the API names of the form's own fields.
 */
export function extraInputFields(
  operation: OperationName,
  { existingRecords, knownNames }: { existingRecords?: RecordKind; knownNames: readonly string[] },
): (PlainInputField | ReturnType<typeof fieldsFromRecords>)[] {
  const profileInputs = (appProfile?.inputs[operation] ?? []).filter(
    ({ name }) => !knownNames.includes(toSnakeCase(name)),
  );
  const names = [...knownNames, ...profileInputs.map(({ name }) => toSnakeCase(name))];
  return [
    ...additionalFields(operation),
    ...profileInputs.map(({ field }) => field),
    ...(existingRecords ? [fieldsFromRecords(existingRecords, names)] : []),
  ];
}

/** Field names in the request bodies of a form. */
export function getBodyFieldNames(bodies: readonly object[]): string[] {
  return bodies.flatMap((body) => Object.keys(body));
}
