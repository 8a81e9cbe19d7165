import type { PlainInputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { fieldsFromRecords } from './fields-from-records.ts';
import { additionalFields } from './form-fields.ts';
import { toSnakeCase } from './parse-date.ts';

/**
 * What a form offers beyond its own fields: the Additional Fields; those that a profile knows the operation to take, each of
 * its own type; and those that records of the kind `existingRecords` show. `knownNames` are the API names that the form has.
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
    ...additionalFields,
    ...profileInputs.map(({ field }) => field),
    ...(existingRecords
      ? [fieldsFromRecords(existingRecords, profileInputs.length > 0 ? names : knownNames)]
      : []),
  ];
}

/** Names that the bodies of a form travel under. */
export function getBodyFieldNames(bodies: readonly object[]): string[] {
  return bodies.flatMap((body) => Object.keys(body));
}
