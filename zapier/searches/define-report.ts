import type { PlainInputField, PlainOutputField, Search } from 'zapier-platform-core';
import { METRIC_ENVELOPES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { getTextField, getValueAtPath, isObject, type JsonObject, NotFoundError } from '../platform/client-core.ts';
import { isRecordNotFound } from '../platform/error-messages.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { continueSearch } from '../records/continue-search.ts';
import {
  isNewestFirst,
  type ListFunction,
  type ListReading,
  readPages,
  SEARCH_LIMITS,
  sortNewestFirst,
  throwIncompleteList,
} from '../records/read-list.ts';
import { extractOutputs, type OutputMapping } from '../records/record-kind.ts';

/** Maximum results of a search, which help texts and docs name; Zapier uses the first by default. */
export const MAX_RESULTS = 250;

/** Search that reads a report or a list. Finds nothing if the record does not exist, so the Zap can continue. */
export function defineReport<Input extends Record<string, unknown>>(spec: {
  key: string;
  noun: string;
  label: string;
  description: string;
  /** True for a search that new Zaps are not offered. */
  hidden?: boolean;
  inputFields: PlainInputField[];
  perform: (step: StepContext<Input>) => Promise<JsonObject[]>;
  outputFields: PlainOutputField[];
  sample: JsonObject;
}): Search {
  const { key, noun, label, description, hidden, inputFields, perform, outputFields, sample } = spec;
  return {
    key,
    noun,
    display: { label, description, ...(hidden ? { hidden } : {}) },
    operation: {
      inputFields,
      // Zapier's types infer the input from literal fields only.
      perform: withClient(async (step: StepContext<Input>) => {
        try {
          return await perform(step);
        } catch (error) {
          // A list has no ID that could be unknown: then the address is wrong, or the key lacks the permission.
          if (error instanceof NotFoundError && isRecordNotFound(error) && !error.operation.endsWith('.list'))
            return [];
          throw error;
        }
      }, inputFields) as Search['operation']['perform'],
      outputFields,
      sample,
    },
  };
}

/** Entries of a list. @throws IncompleteListError for a part of it. */
export function requireComplete(reading: ListReading, operation: string): readonly JsonObject[] {
  if (reading.kind === 'whole') return reading.readItems;
  throwIncompleteList(operation, { reason: reading.reason, read: reading.readItems.length });
}

/**
 * Reads a list as outputs, newest first, filtered by one output without regard to case.
 * @throws ThrottledError like `searchRecords`.
 */
export async function readNewestFirst(
  list: ListFunction,
  step: StepContext<JsonObject>,
  spec: {
    operation: OperationName;
    toOutput: (item: JsonObject) => JsonObject;
    timeKey: string;
    filter: { key: string; value: string | undefined };
  },
): Promise<JsonObject[]> {
  const { operation, toOutput, timeKey, filter } = spec;
  const expected = filter.value?.trim().toLowerCase();
  const isMatch = (item: JsonObject) =>
    !expected || String(toOutput(item)[filter.key] ?? '').toLowerCase() === expected;
  const getTime = (item: JsonObject) => getTextField(toOutput(item), [timeKey]);
  const start = async (): Promise<ListReading> => {
    const reading = await readPages(list, { maxPages: SEARCH_LIMITS.maxPages });
    const { readItems } = reading;
    const isEnough =
      readItems.filter(isMatch).length >= (expected ? 1 : MAX_RESULTS) && isNewestFirst(readItems, getTime);
    return isEnough ? { kind: 'whole', readItems } : reading;
  };
  const search = { list, text: operation, variant: step.input, isMatch, isPartial: true, start };
  const result = await continueSearch({ resource: operation.replace(/^.*\.|s$/g, '') }, step, search);
  if (result.kind === 'not-fully-searched') throwIncompleteList(operation, result);
  const outputs = result.kind === 'found' ? result.items.map(toOutput) : [];
  return sortNewestFirst(outputs, (output) => output[timeKey]).slice(0, MAX_RESULTS);
}

/** Metrics of a response, or of an object in it that contains them. */
export function extractMetrics(outputs: readonly OutputMapping[], response: JsonObject): JsonObject {
  return extractOutputs(outputs, response, ...METRIC_ENVELOPES.map((name) => getValueAtPath(response, name)));
}

/** Line items from a list within a response. */
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

export function createNoInputNotice(subject: string): PlainInputField {
  return { key: 'notice', type: 'copy', helpText: `There is nothing to fill in. This step reads ${subject}.` };
}
