import type { Create } from 'zapier-platform-core';
import { getMethod } from '../../src/get-method.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, overrideFields, requireChange, tryFormBodies } from '../fields/form-fields.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { tryFindById } from '../records/read-list.ts';
import { createRecordDeduplicator } from '../records/record-deduplicator.ts';
import {
  createSampleInState,
  getOutputFields,
  type RecordKind,
  toFlatRecord,
  toWriteResult,
} from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';
import { requireApplied, toUpdateResult } from './update-result.ts';

/** Action that creates a record, or updates the one chosen in the field of its kind, with one call. */
export function defineRecordAction<Input extends Record<string, unknown>>(
  operation: Extract<OperationName, `${string}.create` | `${string}.update`>,
  kind: RecordKind,
  spec: {
    description: string;
    inputFields: Parameters<typeof defineAction>[0]['inputFields'];
    /** Bodies to try in turn. @throws InputError for invalid values. */
    toBodies: (input: Input) => readonly object[];
    /** Values of the form by their names in records, since the response may lack them. */
    toSentFields: (input: Input) => JsonObject;
    /** Field by which two runs at once create only one record. */
    uniqueField?: 'name' | 'email';
    /** Says how the written record contradicts the form; undefined if it does not. `read` finds what the response lacks. */
    findMismatch?: (
      record: JsonObject,
      input: Input,
      read: () => Promise<JsonObject | undefined>,
    ) => Promise<string | undefined>;
    /** Status of the sample. */
    status?: string;
  },
): Create {
  const { description, inputFields, toBodies, toSentFields, uniqueField, findMismatch, status } = spec;
  const { resource, noun } = kind;
  const isUpdate = operation.endsWith('.update');
  return defineAction<Input>({
    key: `${isUpdate ? 'update' : 'create'}_${resource}`,
    noun,
    label: `${isUpdate ? 'Update' : 'Create'} ${noun}`,
    description,
    inputFields: [...inputFields, ...createExtraInputFields(operation, { existingRecords: kind })],
    perform: async (step) => {
      const { client, z, input } = step;
      const bodies = toBodies(input);
      const extraFields = collectExtraFields(input);
      const write = async () => {
        if (isUpdate) requireChange({ ...toSentFields(input), ...extraFields });
        const send = (body: JsonObject) =>
          getMethod(client, operation)(isUpdate ? { ...body, id: input[resource] } : body) as Promise<JsonObject>;
        const response = await tryFormBodies(bodies, extraFields, send);
        const form = overrideFields(toSentFields(input), extraFields);
        if (isUpdate) {
          requireApplied(z, { kind, form, response, extraFields });
          return toUpdateResult(kind, client, { response, sent: { ...form, id: String(input[resource]) } });
        }
        const record = toWriteResult(kind, response, form);
        const read = async () => {
          const found = await tryFindById(kind, client, String(record['id']));
          return found.kind === 'found' ? toFlatRecord(kind, found.item) : undefined;
        };
        const mismatch = await findMismatch?.(record, input, read);
        if (mismatch !== undefined) throw new z.errors.HaltedError(mismatch);
        return record;
      };
      if (uniqueField === undefined) return write();
      const values: JsonObject = { ...bodies[0], ...extraFields };
      return createRecordDeduplicator(step, { kind, text: values[uniqueField] }).createOnce(values, write);
    },
    output: status ? { outputFields: getOutputFields(kind), sample: createSampleInState(kind, status) } : kind,
    ...(uniqueField ? { lock: { key: `make-${resource}-{{bundle.inputData.${uniqueField}}}` } } : {}),
  });
}
