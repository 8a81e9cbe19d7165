import type { PlainInputField, ZObject } from 'zapier-platform-core';
import {
  ENDED_STATE_PATTERN,
  FORM_BODIES,
  RECIPIENT_FIELDS,
  RECORD_FIELDS,
  STATUS_CHANGES,
} from '../../src/assumptions/index.ts';
import { collectExtraFields, createFormField, parseBoolean, tryFormBodies } from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import { type Client, getTextField, getValueAtPath, InputError, type JsonObject } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { getStatus } from '../records/is-signed.ts';
import { toComparableJson } from '../records/normalize-text.ts';
import { createSampleInState, getOutputFields, type RecordKind, toWriteResult } from '../records/record-kind.ts';
import { findRecord } from '../records/search-records.ts';
import { isCertainlySent, toSentResult } from './already-sent.ts';
import type { FormInput, StepOutput } from './define-action.ts';

const LABEL = 'Ask a Person First';

const { viewed, completed, accepted, declined } = STATUS_CHANGES;
/** States after the sending. Without `approved`: an approved draft may wait to be sent. */
const OVER_STATES = [...viewed, ...completed, ...accepted, ...declined].filter((state) => state !== 'approved');

/** Field with which a person, not the Zap, sends a draft: AI agents run these actions too. */
export function createAskField(helpText: string): PlainInputField {
  return createFormField('ask_first', LABEL, { type: 'boolean', helpText });
}

export const ASK_HELP =
  'Choose Yes to send nothing. The step returns the Draft URL, where a person reviews the draft and sends it.';

export function shouldAskFirst(input: JsonObject): boolean {
  return parseBoolean(input['ask_first'], LABEL) === true;
}

/** URL at which a person finds a draft: the record's own, or else the application's. An address of the API opens no page. */
export function getDraftUrl(client: Client, record: JsonObject): string {
  const { origin } = new URL(client.baseUrl);
  const shown = getTextField(record, RECORD_FIELDS.url);
  const url = shown === undefined ? null : URL.parse(shown, origin);
  return url === null || url.href.startsWith(client.baseUrl) ? origin : url.href;
}

export function createSendOutput(kind: RecordKind): StepOutput {
  return {
    outputFields: [...getOutputFields(kind), { key: 'draft_url', label: 'Draft URL', type: 'string' }],
    sample: { ...createSampleInState(kind, 'sent'), draft_url: null },
  };
}

/** A send, and the values of the form that go out with it, by the labels of their fields. */
export interface PreparedSend {
  readonly id: string;
  readonly send: () => Promise<JsonObject>;
  readonly emails: readonly string[];
  readonly values: Readonly<Record<string, readonly unknown[]>>;
}

/** Reads the form before any request. `emails` are the people, from the field with this label. */
export function prepareSend(
  input: FormInput<never, 'message'>,
  { id, emails, label }: { id: string; emails: readonly string[] | undefined; label: string },
  send: (body: { id: string }) => Promise<JsonObject>,
): PreparedSend {
  const { message } = input;
  const recipients = parseRecipients(emails, label);
  const sentTo = recipients.map(({ email }) => email);
  const bodies = FORM_BODIES.send({ recipients, message });
  const extraFields = collectExtraFields(input);
  return {
    id,
    send: () => tryFormBodies(bodies, extraFields, (body) => send({ ...body, id }), { isSend: true }),
    emails: sentTo,
    values: { [label]: sentTo, Message: [message], 'Additional Fields': Object.entries(extraFields) },
  };
}

/** @throws HaltedError for a record that was sent or has ended: a person would find nothing to send. */
export function requireDraft(z: ZObject, record: JsonObject): void {
  const status = getStatus(record) ?? 'sent';
  const isOver = OVER_STATES.includes(status) || ENDED_STATE_PATTERN.test(status);
  if (!isOver && !isCertainlySent(record)) return;
  throw new z.errors.HaltedError(
    `It is no longer a draft (status: ${status.slice(0, 40)}), so there is nothing for a person to send.`,
  );
}

/** @throws InputError for a value that the draft lacks: only a send could add it. */
export function requireInDraft(draft: JsonObject, { values }: PreparedSend): void {
  const text = toComparableJson(draft);
  const isLost = (value: unknown) => value !== undefined && !text.includes(toComparableJson(value));
  const label = Object.keys(values).find((name) => values[name]?.some(isLost));
  if (label !== undefined)
    throw new InputError(
      `The draft lacks what this step has in "${label}", and a step that asks a person first cannot add it. Clear this field, and enter its value where the draft is created.`,
    );
}

/** @throws HaltedError if a sent record shows its people without one of the form: a service may ignore people in a send. */
export function requireSentTo(z: ZObject, sent: JsonObject, { emails }: PreparedSend): void {
  const missing = findMissingEmail(sent, emails, RECIPIENT_FIELDS);
  if (missing === undefined) return;
  throw new z.errors.HaltedError(
    `It was sent, but Docshare does not show that ${missing.slice(0, 60)} gets it. Check it in Docshare, and enter people where the draft is created.`,
  );
}

/** Returns the first of `emails` that a record lacks although one of its lists shows people by their addresses. */
export function findMissingEmail(item: JsonObject, emails: readonly string[], names: readonly string[]) {
  const lists = names.map((name) => getValueAtPath(item, name)).filter(Array.isArray);
  const isReadable = lists.length > 0 && lists.flat().every((entry) => toComparableJson(entry).includes('@'));
  const shown = toComparableJson(item);
  // The record's name may contain the address, and so does a longer address.
  const isShown = (email: string) => shown.includes(`"${email}"`) || shown.includes(`<${email}>`);
  return isReadable ? emails.find((email) => !isShown(email.toLowerCase())) : undefined;
}

/** Sends a draft, or returns it for a person. */
export async function sendOrReturnDraft(
  kind: RecordKind,
  step: StepContext<JsonObject>,
  prepared: PreparedSend,
): Promise<JsonObject> {
  const { client, z, input } = step;
  const { id } = prepared;
  if (!shouldAskFirst(input)) {
    const sent = await prepared.send();
    requireSentTo(z, sent, prepared);
    return { ...(await toSentResult(kind, client, { id, sent })), draft_url: null };
  }
  const draft = await findRecord(kind, step, id);
  requireDraft(z, draft);
  requireInDraft(draft, prepared);
  return { ...toWriteResult(kind, draft, {}), draft_url: getDraftUrl(client, draft) };
}
