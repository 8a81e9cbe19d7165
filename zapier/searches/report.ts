import type { PlainInputField, PlainOutputField, Search } from 'zapier-platform-core';
import { METRIC_ENVELOPES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { learnedOutputs, learnedSample } from '../learned/learned-sample.ts';
import { type Step, withClient } from '../platform/client.ts';
import {
  type Client,
  getValueAtPath,
  IncompleteListError,
  isObject,
  type JsonObject,
  NotFoundError,
} from '../platform/core.ts';
import { isUnknownRecord } from '../platform/error-words.ts';
import { type Output, readOutputs, toOutputField } from '../records/record.ts';

/** Results of one search: a list that is longer is cut, newest first. */
export const SHOWN_RESULTS = 250;

/**
 * A search that reads what the form names: a report, or the entries of a list. What the service does not know is an
 * empty list, so that a Zap can go on without it.
 */
export function report<Input extends Record<string, unknown>>(spec: {
  key: string;
  noun: string;
  label: string;
  description: string;
  inputFields: PlainInputField[];
  run: (client: Client, step: Step<Input>) => Promise<JsonObject[]>;
  outputFields: PlainOutputField[];
  sample: JsonObject;
  /** What it reads of which answer, for a sample in the form that was learned. */
  learned?: { operation: OperationName; read: (answer: JsonObject) => JsonObject };
}): Search {
  const { key, noun, label, description, inputFields, run, outputFields, sample, learned } = spec;
  return {
    key,
    noun,
    display: { label, description },
    operation: {
      inputFields,
      // The platform's types infer the input from literal fields; these come from factories.
      perform: withClient(async (client, step: Step<Input>) => {
        try {
          return await run(client, step);
        } catch (error) {
          if (error instanceof NotFoundError && isUnknownRecord(error)) return [];
          throw error;
        }
      }) as Search['operation']['perform'],
      outputFields: learned ? [...outputFields, ...learnedOutputs(learned.operation)] : outputFields,
      sample: learned ? learnedSample(learned.operation, { sample, read: learned.read }) : sample,
    },
  };
}

/** @throws IncompleteListError where a list could not be read to its end, and what it lacks may be what was asked for. */
export function requireWhole(
  complete: boolean,
  { operation, read }: { operation: string; read: number },
): void {
  if (complete) return;
  throw new IncompleteListError({ operation, read, reason: 'it is longer than one step may read' });
}

/** Figures of an answer by their keys, from the answer itself or from an object in it that holds them. */
export function readFigures(outputs: readonly Output[], answer: JsonObject): JsonObject {
  return readOutputs(outputs, answer, ...METRIC_ENVELOPES.map((name) => getValueAtPath(answer, name)));
}

/** Entries of a list within an answer, as line items. */
export function readLines(
  answer: JsonObject,
  lists: readonly string[],
  outputs: readonly Output[],
): JsonObject[] {
  const places = [answer, ...METRIC_ENVELOPES.map((name) => getValueAtPath(answer, name))];
  const found = places.flatMap((place) => lists.map((name) => getValueAtPath(place, name))).find(isFilled);
  return (found ?? []).map((entry) => readOutputs(outputs, entry));
}

function isFilled(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some(isObject);
}

/** Labelled fields of line items. */
export function lineFields(list: string, outputs: readonly Output[]): PlainOutputField[] {
  return outputs.map((output) => {
    const field = toOutputField(output);
    return { ...field, key: `${list}[]${field.key}` };
  });
}

/** Says that there is nothing to fill in, where a form would otherwise be empty. */
export function nothingToSet(what: string): PlainInputField {
  return { key: 'notice', type: 'copy', helpText: `Nothing to fill in: this step reads ${what}.` };
}
