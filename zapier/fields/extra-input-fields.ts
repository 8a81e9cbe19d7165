import type { PlainInputField } from 'zapier-platform-core';
import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { appProfile } from '../platform/app-profile.ts';
import { toSnakeCase } from '../platform/client-core.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { createRecordFieldsLoader } from './fields-from-records.ts';
import { createAdditionalFields } from './form-fields.ts';

const RECIPIENTS = [{ email: '', name: '' }];

/** API names of a form's own fields, by the kind of record that it writes, or else by operation. */
const KNOWN_NAMES: { readonly [name in OperationName | RecordKind['resource']]?: readonly string[] } = {
  ...FORM_FIELD_NAMES,
  'rooms.addFile': getFieldNames(FORM_BODIES.roomFile({ documentId: '', folderId: '' })),
  'rooms.addFolder': getFieldNames(FORM_BODIES.roomFolder({ name: '', parentId: '' })),
  'rooms.addGroup': getFieldNames(FORM_BODIES.roomGroup({ name: '', emails: [] })),
  'agreements.send': getFieldNames(FORM_BODIES.send({ recipients: RECIPIENTS, message: '' })),
  'proposals.send': getFieldNames(FORM_BODIES.send({ recipients: RECIPIENTS, message: '' })),
};

/**
 * Fields beyond the form's own: Additional Fields, typed fields of the profile, and fields that `existingRecords` show.
 * `knownNames` are the API names of the form's own fields, if they differ from those in the table.
 */
export function createExtraInputFields(
  operation: OperationName,
  {
    existingRecords,
    knownNames = KNOWN_NAMES[existingRecords?.resource ?? operation] ?? [],
  }: { existingRecords?: RecordKind; knownNames?: readonly string[] } = {},
): (PlainInputField | ReturnType<typeof createRecordFieldsLoader>)[] {
  const profileInputs = (appProfile?.inputs[operation] ?? []).filter(
    ({ name }) => !knownNames.includes(toSnakeCase(name)),
  );
  const names = [...knownNames, ...profileInputs.map(({ name }) => toSnakeCase(name))];
  return [
    ...createAdditionalFields(operation),
    ...profileInputs.map(({ field }) => field),
    ...(existingRecords ? [createRecordFieldsLoader(existingRecords, names)] : []),
  ];
}

function getFieldNames(bodies: readonly object[]): string[] {
  return bodies.flatMap((body) => Object.keys(body));
}
