import {
  ENDED_STATES,
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
import { isAboutNames, sendFirst, sendForm } from '../forms/form.ts';
import { signersAmiss } from '../forms/signers.ts';
import {
  type Client,
  getTextField,
  getValueAtPath,
  isObject,
  type JsonObject,
  normalizeName,
} from '../platform/core.ts';
import { agreement } from '../records/agreement.ts';
import { askPage, findById } from '../records/pages.ts';

/** The names that existing agreements show, else the likeliest; a key that may not read them does without. */
export async function signingNames(client: Client): Promise<SigningFieldNames> {
  const page = await askPage((query, options) => client.agreements.list(query, options)).catch(
    () => undefined,
  );
  const records = page?.items ?? [];
  const people = records.flatMap((record) =>
    RECIPIENT_FIELDS.flatMap((name) => getValueAtPath(record, name) ?? []).filter(isObject),
  );
  return { fields: chosen(SIGNING_FIELDS, records), signer: chosen(SIGNER_FIELDS, people) };
}

function chosen<Key extends string>(
  lists: Readonly<Record<Key, readonly string[]>>,
  examples: readonly JsonObject[],
): Record<Key, string> {
  const shown = new Map(examples.flatMap(Object.keys).map((name) => [normalizeName(name), name]));
  const choose = (names: readonly string[]) =>
    names.map((name) => shown.get(normalizeName(name))).find((name) => name !== undefined) ?? names[0];
  // fromEntries widens the keys that `lists` itself gives.
  return Object.fromEntries(
    Object.entries<readonly string[]>(lists).map(([key, names]) => [key, choose(names)]),
  ) as Record<Key, string>;
}

export interface Made {
  readonly answer: JsonObject;
  /** Whether the agreement has taken subject and message, so that the send may do without. */
  readonly taken: boolean;
}

/** Creates the draft. */
export async function createDraft(
  client: Client,
  { form, names, more }: { form: SigningForm; names: SigningFieldNames; more: JsonObject },
): Promise<Made> {
  const { subject, message } = names.fields;
  let taken = false;
  const answer = await sendFirst({
    bodies: getSigningBodies(form, names).map((body) => ({ ...body, ...more })),
    send: (body) => {
      taken = Object.hasOwn(body, subject) || Object.hasOwn(body, message);
      return client.agreements.create(body);
    },
    // Whatever a body lacks is seen before anything is sent, so a refusal of the people may be tried with other names.
    isWorthAnother: (words) =>
      isAboutNames(words) || RECIPIENT_FIELDS.some((name) => words.toLowerCase().includes(name)),
  });
  return { answer, taken };
}

/**
 * What a draft does not show of its signers as they were asked for, in words; undefined where all took. Its record is
 * read where the answer to its creation is silent.
 */
export async function findDraftMismatch(
  client: Client,
  { id, form, answer }: { id: string; form: SigningForm; answer: JsonObject | undefined },
): Promise<string | undefined> {
  const named = await templatePeople(client, form, answer);
  const first = answer && signersAmiss(form.signers, answer, named);
  if (answer && first === undefined) return undefined;
  const found = await findById(agreement, client, id).catch(() => 'unread' as const);
  if (typeof found === 'string') return first ?? 'its signers';
  return signersAmiss(form.signers, found, await templatePeople(client, form, found));
}

/** A template may bring people of its own: whoever stands in it was chosen with it. */
async function templatePeople(
  client: Client,
  { template, people }: SigningForm,
  record: JsonObject | undefined,
): Promise<(email: string) => boolean> {
  if (template === undefined || record === undefined) return () => false;
  const asked = people.map(({ email }) => email.toLowerCase());
  if (signersAmiss(people, record, (email) => !asked.includes(email)) !== undefined) return () => false;
  if (signersAmiss(people, record, () => false) === undefined) return () => false;
  const read = await client.templates.get({ id: template }).catch(() => ({}));
  const text = JSON.stringify(read).toLowerCase();
  return (email) => text.includes(JSON.stringify(email));
}

/** Sends a draft. */
export function sendDraft(
  client: Client,
  { id, form, names, taken }: { id: string; form: SigningForm; names: SigningFieldNames; taken: boolean },
): Promise<JsonObject> {
  const bodies = getSigningSendBodies(form, { names, taken });
  return sendForm(bodies, {}, (body) => client.agreements.send({ ...body, id }));
}

/**
 * Whether an agreement is on its way; undefined where nothing tells. `before` is its state as a draft, where it is known:
 * a word like "pending" may mean either.
 */
export async function isOnItsWay(
  client: Client,
  { id, before }: { id: string; before?: string | undefined },
): Promise<{ sent: boolean | undefined; record: JsonObject }> {
  const record = await findById(agreement, client, id).catch(() => 'unread' as const);
  if (typeof record === 'string') return { sent: undefined, record: {} };
  const status = getAgreementStatus(record);
  if (getTextField(record, RECORD_FIELDS.sentAt) !== undefined) return { sent: true, record };
  if (status === undefined) return { sent: undefined, record };
  if (before !== undefined) return { sent: status !== before, record };
  return { sent: [...SENT_STATES, ...SIGNED_STATES, ...ENDED_STATES].includes(status), record };
}

export function getAgreementStatus(record: JsonObject): string | undefined {
  return getTextField(record, RECORD_FIELDS.status)?.toLowerCase();
}
