import type { PlainInputField, PlainOutputField, Search } from 'zapier-platform-core';
import { METRIC_ENVELOPES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import {
  type Client,
  getValueAtPath,
  isObject,
  type JsonObject,
  NotFoundError,
} from '../platform/client-core.ts';
import { isRecordNotFound } from '../platform/error-messages.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { outputFieldsFromProfile, sampleFromProfile } from '../records/profile-samples.ts';
import { failIncomplete, type ListReading } from '../records/read-list.ts';
import { extractOutputs, type OutputMapping, toOutputField } from '../records/record-kind.ts';

/** Results of one search: a list that is longer is cut, newest first. */
export const MAX_RESULTS = 250;

/**
 * A search that reads what the form names: a report, or the entries of a list. What the service does not know is an
 * empty list, so that a Zap can go on without it.
 */
export function defineReport<Input extends Record<string, unknown>>(spec: {
  key: string;
  noun: string;
  label: string;
  description: string;
  inputFields: PlainInputField[];
  perform: (client: Client, step: StepContext<Input>) => Promise<JsonObject[]>;
  outputFields: PlainOutputField[];
  sample: JsonObject;
  /** What it reads of which answer, for a sample in the form that was learned. */
  profileSample?: { operation: OperationName; toOutput: (response: JsonObject) => JsonObject };
}): Search {
  const { key, noun, label, description, inputFields, perform, outputFields, sample, profileSample } = spec;
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      inputFields,
      // The platform's types infer the input from literal fields; these come from factories.
      perform: withClient(async (client, step: StepContext<Input>) => {
        try {
          return await perform(client, step);
        } catch (error) {
          if (error instanceof NotFoundError && isRecordNotFound(error)) return [];
          throw error;
        }
      }) as Search['operation']['perform'],
      outputFields: profileSample
        ? [...outputFields, ...outputFieldsFromProfile(profileSample.operation)]
        : outputFields,
      sample: profileSample
        ? sampleFromProfile(profileSample.operation, { sample, toOutput: profileSample.toOutput })
        : sample,
    },
  };
}

/**
 * Returns the entries of a list.
 * @throws IncompleteListError if it was read in part, unless `isEnough` accepts that part: the rest may be what is wanted.
 */
export function requireComplete(
  reading: ListReading,
  operation: string,
  isEnough: (items: readonly JsonObject[]) => boolean = () => false,
): readonly JsonObject[] {
  if (reading.kind === 'whole') return reading.items;
  const { readItems, reason } = reading;
  if (isEnough(readItems)) return readItems;
  failIncomplete(operation, { reason, read: readItems.length });
}

/** Figures of an answer by their keys, from the answer itself or from an object in it that holds them. */
export function extractMetrics(outputs: readonly OutputMapping[], response: JsonObject): JsonObject {
  return extractOutputs(outputs, response, ...METRIC_ENVELOPES.map((name) => getValueAtPath(response, name)));
}

/** Entries of a list within an answer, as line items. */
export function extractLineItems(
  response: JsonObject,
  lists: readonly string[],
  outputs: readonly OutputMapping[],
): JsonObject[] {
  const candidates = [response, ...METRIC_ENVELOPES.map((name) => getValueAtPath(response, name))];
  const found = candidates
    .flatMap((candidate) => lists.map((name) => getValueAtPath(candidate, name)))
    .find(hasObjects);
  return (found ?? []).map((entry) => extractOutputs(outputs, entry));
}

function hasObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some(isObject);
}

/** Labelled fields of line items. */
export function lineItemFields(list: string, outputs: readonly OutputMapping[]): PlainOutputField[] {
  return outputs.map((output) => {
    const field = toOutputField(output);
    return { ...field, key: `${list}[]${field.key}` };
  });
}

/** Says that there is nothing to fill in, where a form would otherwise be empty. */
export function noInputNotice(subject: string): PlainInputField {
  return { key: 'notice', type: 'copy', helpText: `Nothing to fill in: this step reads ${subject}.` };
}
