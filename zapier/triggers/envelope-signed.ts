import { AGREEMENT_STATUS_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { dehydrateSignedDocument } from '../hydrators/signed-document.ts';
import {
  type Client,
  cancelBody,
  getPersonName,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  type JsonObject,
  toIsoTime,
} from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import {
  getEndStatus,
  getRecipientEmail,
  getRecipients,
  getSigners,
  getStatus,
  hasSigned,
  isCertainlySigned,
  isEventComplete,
  isSigned,
} from '../records/is-signed.ts';
import { agreement } from '../records/kinds.ts';
import { normalizeEmail, normalizeText } from '../records/normalize-text.ts';
import { getListFunction, readPages, sortNewestFirst } from '../records/read-list.ts';
import { defineNameOutputs, getSampleOutputs, type OutputMapping, toFlatRecord } from '../records/record-kind.ts';
import { findById } from '../records/search-records.ts';
import { defineWebhookTrigger } from './define-webhook-trigger.ts';
import { findOnFirstPage, getFoundItem, tryLookup } from './event-lookup.ts';
import {
  createEventOutputFields,
  createFieldFilter,
  type FlatEvent,
  flattenEvent,
  hasAllFields,
  matchesFilters,
  needsLaterPage,
  type WebhookTrigger,
} from './webhook-trigger.ts';

const EVENT = 'envelope.signed';
const MAX_PAST_PAGES = 4;

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'signed_at', type: 'datetime', from: RECORD_FIELDS.signedAt, sample: '2026-10-06T15:31:27.000Z' },
  { key: 'agreement_id', from: RECORD_FIELDS.agreementId, sample: 'agr_9s5w3p8k' },
  { key: 'agreement_name', from: RECORD_FIELDS.agreementName, sample: 'Mutual NDA with Northwind' },
  { key: 'status', from: AGREEMENT_STATUS_FIELDS, sample: 'signed' },
  { key: 'signer_email', from: RECORD_FIELDS.signerEmail, sample: 'ann@northwind.example' },
  { key: 'signer_name', from: RECORD_FIELDS.signerName, sample: 'Ann Northwind' },
  ...defineNameOutputs('signer_', RECORD_FIELDS.signerName),
  { key: 'template_id', from: RECORD_FIELDS.templateId, sample: 'tpl_1a4h6r2c' },
  { key: 'document_id', from: RECORD_FIELDS.documentId, sample: 'doc_7f3k2m9q' },
  { key: 'sent_at', type: 'datetime', from: RECORD_FIELDS.sentAt, sample: '2026-10-06T10:00:00.000Z' },
];

const SHAPE = { text: 'Agreement signed', outputs: OUTPUTS, timeKey: 'signed_at' };

const FILTERS: WebhookTrigger['filters'] = {
  template: createFieldFilter('template_id'),
  name_contains: (expected, { agreement_name: name }) => (name === null ? 'unknown' : containsText(name, expected)),
};

export const envelopeSigned = defineWebhookTrigger({
  key: 'envelope_signed',
  noun: 'Signature',
  label: 'Agreement Signed',
  description: 'Triggers when everyone has signed an agreement, or after each signature.',
  event: EVENT,
  inputFields: [
    {
      key: 'template',
      label: 'Template',
      type: 'string',
      dynamic: 'template_list.id.name',
      helpText: 'Trigger only for agreements from this template. Other signatures do not use tasks.',
    },
    {
      key: 'name_contains',
      label: 'Name Contains',
      type: 'string',
      helpText: 'Trigger only for agreements with this text in their name, for example NDA. Case does not matter.',
    },
    {
      key: 'when',
      label: 'When to Trigger',
      type: 'string',
      required: false,
      choices: { completed: 'When everyone has signed', each: 'After each signature' },
      helpText:
        'Leave empty to trigger once everyone has signed. If you choose After each signature, only the last signature has a Signed Document.',
    },
  ],
  defaults: { when: 'completed' },
  outputFields: createEventOutputFields(OUTPUTS, [
    { key: 'completed', label: 'Everyone Has Signed', type: 'boolean' },
    { key: 'signed_document', label: 'Signed Document', type: 'file' },
  ]),
  sample: {
    id: 'evt_1k7m4z0s',
    event: SHAPE.text,
    ...getSampleOutputs(OUTPUTS),
    completed: true,
    signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf',
    raw: { id: 'evt_1k7m4z0s', type: EVENT, data: { agreement_id: 'agr_9s5w3p8k' } },
  },
  flatten: (event, { z }) => {
    const { data } = event;
    const id = getTextField(data, RECORD_FIELDS.agreementId) ?? idOf(data, 'envelope');
    const named = { agreement_id: id, agreement_name: getTitle(data) };
    const sources = [data, named, getLastSigner(data, getTextField(data, RECORD_FIELDS.signerEmail))];
    return toFlatEvent(z, { ...event, completed: isEventComplete(data), sources });
  },
  filters: {
    ...FILTERS,
    when: (expected, { completed }) =>
      isEachSignature(expected) || (typeof completed === 'boolean' ? completed : 'unknown'),
  },
  // Each signer's event may find the agreement completed.
  getOccasion: ({ agreement_id: id, completed }, { when }) =>
    completed === true && !isEachSignature(when) ? `completed ${String(id)}` : undefined,
  isComplete: (event) =>
    typeof event['completed'] === 'boolean' &&
    hasAllFields(event, ['agreement_id', 'agreement_name', 'status', 'signed_at', 'signer_email', 'sent_at']),
  verify: async (event, step) => {
    const { client, z, signed, input } = step;
    const { agreement_id: id } = event;
    if (typeof id !== 'string') return { outcome: 'open', event, isRecordRead: false };
    // The API has no call for a single agreement (§4): the list is read, then the agreement's document.
    const onFirstPage = await findOnFirstPage(agreement, client, id, event['signed_at']);
    let item = getFoundItem(onFirstPage);
    if (item === undefined) {
      const file = await tryLookup(fetchDocument(client, id));
      if (onFirstPage.kind === 'not-found')
        return { outcome: file.kind === 'not-found' ? 'denied' : 'open', event, isRecordRead: false };
      // A long list is read on for what the event does not tell and the Zap needs, or if the event is probably genuine.
      const isStateUnknown = typeof event['completed'] !== 'boolean';
      const needsState = isStateUnknown && !isEachSignature(input['when']);
      const needsRecord = needsState || needsLaterPage(FILTERS, { event, input, onFirstPage });
      const isWorthReading = needsRecord || (isStateUnknown && (signed || file.kind === 'found'));
      const found = isWorthReading ? await findById(agreement, step, id) : undefined;
      if (needsRecord && found?.kind === 'not-found') return { outcome: 'denied', event, isRecordRead: false };
      if (needsState && found?.kind === 'not-fully-searched')
        throw new z.errors.ThrottledError(
          'Docshare did not list this agreement yet, so it is unknown whether everyone has signed. Zapier checks again in 15 minutes.',
          15 * 60,
        );
      if (found?.kind !== 'found') return { outcome: 'open', event, isRecordRead: false };
      item = found.item;
    }
    const namedEmail = event['signer_email'];
    // An unsigned message may name anyone.
    const isKnown = signed || findRecipients(item, namedEmail).length > 0;
    const signerEmail = (isKnown ? namedEmail : null) ?? findSignerByTime(item, event['signed_at']);
    const agreementFields = getAgreementFields(item, signerEmail);
    const sources = signed ? [event, agreementFields] : [agreementFields, event];
    const isComplete = isSigned(item);
    const saysComplete = event['completed'] === true && !isEachSignature(input['when']);
    const isMissing = lacksSignature(item, namedEmail);
    const isAwaited =
      saysComplete || lacksOnlySigner(item, signerEmail) || (isMissing && isEachSignature(input['when']));
    if (!isComplete && isAwaited && mayBeBehind(item, event))
      throw new z.errors.ThrottledError(
        'Docshare sent this signature, but does not show it yet. Zapier checks again in a minute.',
        60,
      );
    const isConfirmed = isComplete || (isEventComplete(item) === false && !isMissing);
    const completed =
      isComplete && !(isEachSignature(input['when']) && hasLaterSignature(item, signerEmail, event['signed_at']));
    return {
      outcome: isConfirmed ? 'confirmed' : 'open',
      event: toFlatEvent(z, { ...event, completed, sources }),
      isRecordRead: true,
    };
  },
  listPastEvents: async ({ client, z, input }) => {
    const toEvents = (items: readonly JsonObject[]) =>
      items.filter(isSigned).map((item) => {
        const fields = getAgreementFields(item);
        const id = `signed-${String(fields.agreement_id)}`;
        return toFlatEvent(z, { id, raw: item, completed: true, sources: [fields] });
      });
    const hasExample = (items: readonly JsonObject[]) =>
      toEvents(items).some((event) => matchesFilters({ filters: FILTERS }, event, input) === true);
    const limits = { maxPages: MAX_PAST_PAGES, stopsAtRateLimit: true, isEnough: hasExample };
    const reading = await readPages(getListFunction(agreement, client), limits);
    return sortNewestFirst(toEvents(reading.readItems), (event) => event['signed_at']);
  },
});

/** Also true for the label of the choice. */
function isEachSignature(when: unknown): boolean {
  return /each/i.test(String(when));
}

function containsText(text: unknown, part: unknown): boolean {
  return normalizeText(text).includes(normalizeText(part));
}

function toFlatEvent(
  z: StepContext<JsonObject>['z'],
  { completed, ...event }: Parameters<typeof flattenEvent>[1] & { completed?: boolean | undefined },
): FlatEvent {
  const { raw, ...fields } = flattenEvent(SHAPE, event);
  const { agreement_id: id } = fields;
  const document = typeof id === 'string' && completed ? dehydrateSignedDocument(z, id) : null;
  return { ...fields, completed: completed ?? null, signed_document: document, raw };
}

/** Fields of an agreement and the event's signer, or else its last one, under the event's names. */
function getAgreementFields(item: JsonObject, signerEmail?: unknown) {
  const { id, name, ...fields } = toFlatRecord(agreement, item);
  const signer = getLastSigner(item, signerEmail);
  // Without its own time the agreement was signed when the last signer signed.
  const signed_at = fields['signed_at'] ?? signer['signed_at'];
  return { ...signer, ...fields, signed_at, agreement_id: id, agreement_name: name };
}

function getLastSigner(item: JsonObject, email?: unknown): JsonObject {
  const named = findRecipients(item, email);
  // A signer with another email is another person.
  const others = getPossibleSigners(item).filter((one) => !email || getRecipientEmail(one) === undefined);
  const candidates = named.length > 0 ? named : others;
  const [newest, ...earlier] = sortNewestFirst(datedSignatures(candidates), ({ signedAt }) => signedAt);
  // Without times, the last of several signers is unknown, and the first of the list would be a guess.
  const isUnknown = named.length === 0 && earlier.length > 0 && newest?.signedAt === undefined;
  const latest = isUnknown ? undefined : newest;
  return {
    signer_email: getRecipientEmail(latest?.recipient),
    signer_name: getTextField(latest?.recipient, RECORD_FIELDS.fullName) ?? getPersonName(latest?.recipient),
    signer_first_name: getTextField(latest?.recipient, RECORD_FIELDS.firstName),
    signer_last_name: getTextField(latest?.recipient, RECORD_FIELDS.lastName),
    signed_at: latest?.signedAt,
  };
}

/** The signers who have signed. If nothing shows who: the only signer, or all signers of a signed agreement. */
function getPossibleSigners(item: JsonObject): unknown[] {
  const signers = getSigners(item);
  const signed = signers.filter(hasSigned);
  if (signed.length > 0) return signed;
  return signers.length === 1 || isCertainlySigned(item) ? signers : [];
}

function findRecipients(item: JsonObject, email: unknown): unknown[] {
  return getRecipients(item).filter((one) => email && isSameEmail(one, email));
}

function isSameEmail(recipient: unknown, email: unknown): boolean {
  return normalizeEmail(getRecipientEmail(recipient)) === normalizeEmail(email);
}

function datedSignatures(recipients: readonly unknown[]) {
  return recipients.map((recipient) => ({
    recipient,
    signedAt: toIsoTime(getTextField(recipient, RECORD_FIELDS.signedAt)),
  }));
}

function toMs(time: unknown): number {
  return Date.parse(String(time));
}

/** Maximum difference between the times of a signature and of its event. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Email of the signer whose signature is nearest to the time of an event that names none; others may have signed since. */
function findSignerByTime(item: JsonObject, time: unknown): string | undefined {
  const signatures = datedSignatures(getRecipients(item))
    .map(({ recipient, signedAt }) => ({ recipient, delay: toMs(time) - toMs(signedAt) }))
    .filter(({ delay }) => delay >= -CLOCK_TOLERANCE_MS)
    .toSorted((a, b) => Math.abs(a.delay) - Math.abs(b.delay));
  return getRecipientEmail(signatures[0]?.recipient);
}

/** True if someone signed after this signer, or else after `time`: the signer's event arrived late. */
function hasLaterSignature(item: JsonObject, signerEmail: unknown, time: unknown): boolean {
  const [own, last] = [getLastSigner(item, signerEmail), getLastSigner(item)];
  if (last['signed_at'] !== undefined) return String(own['signed_at'] ?? last['signed_at']) < String(last['signed_at']);
  const { sent_at, signed_at } = toFlatRecord(agreement, item);
  const at = toMs(time);
  // An event's time before the sending is not that of its signature.
  return toMs(sent_at) <= at && at + CLOCK_TOLERANCE_MS < toMs(signed_at);
}

/** How long a record may lack a signature whose event has arrived. */
const MAX_LAG_MS = 5 * 60_000;

function mayBeBehind(item: JsonObject, { signed_at }: FlatEvent): boolean {
  return getEndStatus(item) === undefined && Math.abs(Date.now() - toMs(signed_at)) < MAX_LAG_MS;
}

/** True if the record shows who has signed, but no signature of this signer, or of anyone for an event that names none. */
function lacksSignature(item: JsonObject, email: unknown): boolean {
  const signers = getSigners(item);
  const isShown = (one: unknown) =>
    getStatus(one) !== undefined || RECORD_FIELDS.signedAt.some((name) => getValueAtPath(one, name) !== undefined);
  const isNamed = (one: unknown) => !email || isSameEmail(one, email);
  return signers.some(isShown) && !signers.some((one) => isNamed(one) && hasSigned(one));
}

/** True if the agreement would be signed if its record showed the signature of this signer. */
function lacksOnlySigner(item: JsonObject, signerEmail: unknown): boolean {
  const signers = getSigners(item);
  const missing = signers.filter((one) => !hasSigned(one));
  if (missing.length !== 1) return missing.length === 0 && signers.length > 0;
  return signers.length === 1 || isSameEmail(missing[0], signerEmail);
}

/** Checks that the agreement has a document; drops bytes that came with the response. */
async function fetchDocument(client: Client, id: string): Promise<JsonObject> {
  const download = await client.agreements.document({ id });
  if (download.url === undefined) await cancelBody((await download.open()).bytes);
  return {};
}
