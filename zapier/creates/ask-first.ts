import type { PlainInputField } from 'zapier-platform-core';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { createFormField, parseBoolean } from '../fields/form-fields.ts';
import { type Client, getTextField, type JsonObject } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { createSampleInState, getOutputFields, type RecordKind, toWriteResult } from '../records/record-kind.ts';
import { findRecord } from '../records/search-records.ts';
import type { StepOutput } from './define-action.ts';

const LABEL = 'Ask a Person First';

/** Field with which a person, not the Zap, sends a draft: AI agents run these actions too. */
export function createAskField(helpText: string): PlainInputField {
  return createFormField('ask_first', LABEL, { type: 'boolean', helpText });
}

export const ASK_HELP =
  'Choose Yes to send nothing. The step returns the Draft URL, where a person reviews the draft and sends it.';

export function shouldAskFirst(input: JsonObject): boolean {
  return parseBoolean(input['ask_first'], LABEL) === true;
}

/** URL at which a person finds a draft: the record's own, or else the application's. */
export function getDraftUrl(client: Client, record: JsonObject): string {
  return getTextField(record, RECORD_FIELDS.url) ?? new URL(client.baseUrl).origin;
}

export function createSendOutput(kind: RecordKind): StepOutput {
  return {
    outputFields: [...getOutputFields(kind), { key: 'draft_url', label: 'Draft URL', type: 'string' }],
    sample: { ...createSampleInState(kind, 'sent'), draft_url: null },
  };
}

/** Sends a draft, or returns it for a person. */
export async function sendOrReturnDraft(
  kind: RecordKind,
  client: Client,
  { step, id, send }: { step: StepContext<JsonObject>; id: string; send: () => Promise<JsonObject> },
): Promise<JsonObject> {
  if (!shouldAskFirst(step.input)) return { ...toWriteResult(kind, await send(), { id }), draft_url: null };
  const draft = await findRecord(kind, { client, z: step.z }, id);
  return { ...toWriteResult(kind, draft, {}), draft_url: getDraftUrl(client, draft) };
}
