import type { PlainInputField, Search } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import type { Client, JsonObject } from '../platform/client-core.ts';
import { addPickedName } from '../records/picked-names.ts';
import { createOutputWithProfile } from '../records/profile-samples.ts';
import { getLineItemFields, getSampleOutputs, type OutputMapping, toOutputField } from '../records/record-kind.ts';
import { defineReport, extractLineItems, extractMetrics } from './define-report.ts';

/** Report from one request: flat metrics, and optionally a list as line items. */
export function defineMetricsReport<Input extends Record<string, unknown>>(spec: {
  key: string;
  noun: string;
  label: string;
  description: string;
  hidden?: boolean;
  inputFields: PlainInputField[];
  /** Operation that `fetch` calls. */
  operation: OperationName;
  fetch: (client: Client, input: Input) => Promise<JsonObject>;
  id: { label: string; getId: (input: Input, response: JsonObject) => string };
  outputs: readonly OutputMapping[];
  lineItems?: { key: string; lists: readonly string[]; outputs: readonly OutputMapping[] };
  /** Note about values that the outputs do not show. */
  sample: JsonObject;
}): Search {
  const { operation, fetch, id, outputs, lineItems, sample, ...report } = spec;
  const toOutput = (response: JsonObject): JsonObject => ({
    ...extractMetrics(outputs, response),
    ...(lineItems && { [lineItems.key]: extractLineItems(response, lineItems.lists, lineItems.outputs) }),
    raw: response,
  });
  return defineReport<Input>({
    ...report,
    perform: async ({ client, z, input }) => {
      const response = await fetch(client, input);
      const output = { id: id.getId(input, response), ...toOutput(response) };
      return [await addPickedName(output, { client, z, input })];
    },
    ...createOutputWithProfile(operation, {
      toOutput,
      sample: { id: sample['id'], ...getSampleOutputs(outputs), ...sample },
      outputFields: [
        { key: 'id', label: id.label, type: 'string', primary: true },
        ...outputs.map(toOutputField),
        ...(lineItems ? getLineItemFields(lineItems.key, lineItems.outputs) : []),
      ],
    }),
  });
}
