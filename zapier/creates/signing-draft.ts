import {
  DRAFT_STATES,
  ENDED_STATE_PATTERN,
  getSigningBodies,
  getSigningSendBodies,
  RECIPIENT_FIELDS,
  RECORD_FIELDS,
  SENT_STATES,
  SIGNED_STATES,
  SIGNER_FIELDS,
  SIGNING_FIELDS,
  type SigningFieldNames,
  type SigningForm,
} from '../../src/assumptions/index.ts';
import { isCarbonCopyField, tryFormBodies } from '../fields/form-fields.ts';
import { findSignerMismatch } from '../fields/signers.ts';
import {
  type Client,
  getField,
  getTextField,
  getValueAtPath,
  isObject,
  type JsonObject,
  normalizeName,
} from '../platform/client-core.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { getStatus } from '../records/is-signed.ts';
import { agreement } from '../records/kinds.ts';
import { normalizeText, toComparableJson } from '../records/normalize-text.ts';
import { fetchPage, getListFunction } from '../records/read-list.ts';
import { findById } from '../records/search-records.ts';

/** Field names that existing agreements show, or else the likeliest. */
export async function resolveSigningNames(client: Client): Promise<SigningFieldNames> {
  const page = await fetchPage(getListFunction(agreement, client)).catch(() => undefined);
  const records = page?.items ?? [];
  const recipients = records.flatMap((record) =>
    RECIPIENT_FIELDS.flatMap((name) => getValueAtPath(record, name) ?? []).filter(isObject),
  );
  return { fields: chooseNames(SIGNING_FIELDS, records), signer: chooseNames(SIGNER_FIELDS, recipients) };
}

function chooseNames<Key extends string>(
  lists: Readonly<Record<Key, readonly string[]>>,
  examples: readonly JsonObject[],
): Record<Key, string> {
  const shownNames = new Map(examples.flatMap(Object.keys).map((name) => [normalizeName(name), name]));
  const choose = (names: readonly string[]) =>
    names.map((name) => shownNames.get(normalizeName(name))).find((name) => name !== undefined) ?? names[0];
  return Object.fromEntries(
    Object.entries<readonly string[]>(lists).map(([key, names]) => [key, choose(names)]),
  ) as Record<Key, string>;
}

interface CreatedDraft {
  readonly response: JsonObject;
  /** True if the agreement already has the subject and message. */
  readonly messageIncluded: boolean;
}

/** Creates a draft agreement from the form, trying the known request bodies in turn. */
export async function createDraft(
  client: Client,
  { form, names, extraFields }: { form: SigningForm; names: SigningFieldNames; extraFields: JsonObject },
): Promise<CreatedDraft> {
  const { subject, message } = names.fields;
  let messageIncluded = false;
  const send = (body: Record<string, unknown>) => {
    messageIncluded = Object.hasOwn(body, subject) || Object.hasOwn(body, message);
    return client.agreements.create(body);
  };
  // An error about these also allows other names: the draft is checked before it is sent.
  const checkedNames = form.values?.length ? [...RECIPIENT_FIELDS, 'field'] : RECIPIENT_FIELDS;
  const response = await tryFormBodies(getSigningBodies(form, names), extraFields, send, { checkedNames });
  return { response, messageIncluded };
}

/** Subject and message of a draft: true if it took them, and their names. */
interface DraftTexts {
  readonly areIncluded: boolean;
  readonly names: Pick<SigningFieldNames['fields'], 'subject' | 'message'>;
}

/** Describes the first difference between a draft and the form. Reads the record if the response lacks something. */
export async function findDraftMismatch(
  step: ClientStep,
  {
    id,
    form,
    response,
    extraFields,
    draftTexts,
  }: {
    id: string;
    form: SigningForm;
    response: JsonObject | undefined;
    extraFields: JsonObject;
    /** Given if the draft is not sent here: only a send could add a subject or message that it lacks. */
    draftTexts: DraftTexts | undefined;
  },
): Promise<string | undefined> {
  const copies = JSON.stringify(extraFields).toLowerCase();
  const findMismatch = async (record: JsonObject) => {
    const isTemplateEmail = await getTemplateEmailCheck(step.client, form, record);
    const isExpected = (email: string) => copies.includes(JSON.stringify(email)) || isTemplateEmail(email);
    return (
      findSignerMismatch(form.signers, record, isExpected) ??
      findLostValue(form, extraFields, record) ??
      (draftTexts && findLostText(form, record, draftTexts))
    );
  };
  const responseMismatch = response && (await findMismatch(response));
  if (response && responseMismatch === undefined) return undefined;
  const found = await findById(agreement, step, id);
  if (found.kind !== 'found') return responseMismatch ?? 'does not show its signers';
  return findMismatch(found.item);
}

/** Fields with the expiry or the reminders of an agreement. */
const TIMING = /expir|remind/i;

/** A number of days may be shown as a date, so any value of the same meaning counts; off is shown as no value. */
function showsTiming(record: JsonObject, name: string, value: unknown): boolean {
  const shown = getField(record, name);
  if ((value === false || value === null) && shown !== undefined) return !shown;
  const [meaning = ''] = TIMING.exec(name.toLowerCase()) ?? [];
  return Object.entries(record).some(
    ([key, entry]) => key.toLowerCase().includes(meaning) && entry !== null && entry !== false && entry !== '',
  );
}

/** True if a field of this name has the value; the same text elsewhere, such as in the agreement's name, proves nothing. */
function showsField(shown: unknown, field: { name: string; value: string }): boolean {
  if (typeof shown !== 'object' || shown === null) return false;
  const isValue = (entry: unknown) => normalizeText(String(entry)) === normalizeText(field.value);
  const isNamed = Object.values(shown).includes(field.name);
  return Object.entries(shown).some(([key, entry]) => {
    if (normalizeName(key) !== normalizeName(field.name))
      return (isNamed && isValue(entry)) || showsField(entry, field);
    return isValue(entry) || (isObject(entry) && Object.values(entry).some(isValue)) || showsField(entry, field);
  });
}

/** A service may take a subject and message without ever showing them, so only a text that it rejected or replaced is lost. */
function findLostText(
  { subject, message }: SigningForm,
  record: JsonObject,
  draftTexts: DraftTexts,
): string | undefined {
  const { areIncluded, names } = draftTexts;
  const isLost = (text: string | undefined, name: string) =>
    text && !showsText(record, text) && (!areIncluded || getField(record, name) !== undefined);
  if (isLost(subject, names.subject)) return 'does not show the subject';
  return isLost(message, names.message) ? 'does not show the message' : undefined;
}

function showsText(record: JsonObject, value: string): boolean {
  return toComparableJson(record).includes(toComparableJson(value).slice(1, -1));
}

/** A service may ignore values, people and times that it did not expect. */
function findLostValue({ values = [] }: SigningForm, extraFields: JsonObject, record: JsonObject): string | undefined {
  const lostValue = values.find((field) => !showsField(record, field));
  if (lostValue) return `does not show the value of the field ${lostValue.name.slice(0, 40)}`;
  const copies = Object.entries(extraFields).flatMap(([name, value]) => (isCarbonCopyField(name) ? value : []));
  const lostCopy = copies.find((email) => !showsText(record, String(email)));
  if (lostCopy !== undefined) return `does not show that ${String(lostCopy).slice(0, 50)} gets a copy`;
  const lostTime = Object.entries(extraFields).find(
    ([name, value]) => TIMING.test(name) && !showsTiming(record, name, value),
  );
  return lostTime && `does not show the value of the field ${lostTime[0].slice(0, 40)}`;
}

/** A template may have its own signers, who were chosen with it. */
async function getTemplateEmailCheck(
  client: Client,
  { template, signers }: SigningForm,
  record: JsonObject,
): Promise<(email: string) => boolean> {
  if (template === undefined) return () => false;
  const signerEmails = signers.map(({ email }) => email.toLowerCase());
  if (findSignerMismatch(signers, record, (email) => !signerEmails.includes(email)) !== undefined) return () => false;
  if (findSignerMismatch(signers, record, () => false) === undefined) return () => false;
  const templateRecord = await client.templates.get({ id: template }).catch(() => ({}));
  const text = JSON.stringify(templateRecord).toLowerCase();
  return (email) => text.includes(JSON.stringify(email));
}

export function sendDraft(
  client: Client,
  {
    id,
    form,
    names,
    messageIncluded,
  }: { id: string; form: SigningForm; names: SigningFieldNames; messageIncluded: boolean },
): Promise<JsonObject> {
  const bodies = getSigningSendBodies(form, { names, isAccepted: messageIncluded });
  return tryFormBodies(bodies, {}, (body) => client.agreements.send({ ...body, id }), { isSend: true });
}

/**
 * Checks whether an agreement was sent; `isSent` is undefined if unknown. `draftStatus` is its status as a draft, since a
 * word like "pending" may mean either. A new agreement may also become a draft only later.
 */
export async function checkSent(
  step: ClientStep,
  { id, draftStatus }: { id: string; draftStatus?: string | undefined },
): Promise<{ isSent: boolean | undefined; record: JsonObject }> {
  const found = await findById(agreement, step, id);
  if (found.kind !== 'found') return { isSent: undefined, record: {} };
  const record = found.item;
  const status = getStatus(record);
  if (getTextField(record, RECORD_FIELDS.sentAt) !== undefined) return { isSent: true, record };
  if (status === undefined) return { isSent: undefined, record };
  if (draftStatus !== undefined) return { isSent: status !== draftStatus && !DRAFT_STATES.includes(status), record };
  return { isSent: ENDED_STATE_PATTERN.test(status) || [...SENT_STATES, ...SIGNED_STATES].includes(status), record };
}
