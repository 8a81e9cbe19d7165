import { RECIPIENT_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { laterSignedDocument } from '../hydrators/signed-document.ts';
import type { Step } from '../platform/client.ts';
import {
  type Client,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  type JsonObject,
} from '../platform/core.ts';
import { agreement } from '../records/agreement.ts';
import { type Output, readOutputs, readRecord, toOutputField } from '../records/record.ts';
import { isSigned } from '../records/signed.ts';
import { ask, itemIn, lookInFirstPage } from './ask.ts';
import { type FlatEvent, hasAll, isSame } from './hook-kind.ts';
import { hookTrigger } from './hook-trigger.ts';
import { sortNewestFirst } from './list-trigger.ts';

const EVENT = 'envelope.signed';
const LISTED = 25;

const OUTPUTS: readonly Output[] = [
  { key: 'signed_at', label: 'Signed At', type: 'datetime', from: RECORD_FIELDS.signedAt },
  { key: 'agreement_id', label: 'Agreement ID', from: RECORD_FIELDS.agreementId },
  { key: 'agreement_name', label: 'Agreement Name', from: RECORD_FIELDS.agreementName },
  { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
  { key: 'signer_email', label: 'Signer Email', from: RECORD_FIELDS.signerEmail },
  { key: 'signer_name', label: 'Signer Name', from: RECORD_FIELDS.signerName },
  { key: 'template_id', label: 'Template ID', from: RECORD_FIELDS.templateId },
  { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
  { key: 'sent_at', label: 'Sent At', type: 'datetime', from: RECORD_FIELDS.sentAt },
];

export const envelopeSigned = hookTrigger({
  key: 'envelope_signed',
  noun: 'Signature',
  label: 'Agreement Signed',
  description: 'Triggers when an agreement is signed.',
  event: EVENT,
  inputFields: [
    {
      key: 'template',
      label: 'Template',
      type: 'string',
      dynamic: 'template_list.id.name',
      helpText: 'Run only for agreements made from this template. Other signatures cost no task.',
    },
    {
      key: 'name_contains',
      label: 'Name Contains',
      type: 'string',
      helpText:
        'Run only for agreements with these words in their name, such as "NDA". Case does not matter.',
    },
  ],
  outputFields: [
    { key: 'id', label: 'Event ID', type: 'string', primary: true },
    { key: 'event', label: 'Event', type: 'string' },
    ...OUTPUTS.map(toOutputField),
    { key: 'signed_document', label: 'Signed Document', type: 'file' },
    { key: 'raw', label: 'Original Event' },
  ],
  sample: {
    id: 'evt_1k7m4z0s',
    event: EVENT,
    signed_at: '2026-10-06T15:31:27.000Z',
    agreement_id: 'agr_9s5w3p8k',
    agreement_name: 'Mutual NDA with Northwind',
    status: 'signed',
    signer_email: 'ann@northwind.example',
    signer_name: 'Ann Northwind',
    template_id: 'tpl_1a4h6r2c',
    document_id: 'doc_7f3k2m9q',
    sent_at: '2026-10-06T10:00:00.000Z',
    signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf',
    raw: { id: 'evt_1k7m4z0s', type: EVENT, data: { agreement_id: 'agr_9s5w3p8k' } },
  },
  read: (event, { z }) => {
    const { data } = event;
    const id = getTextField(data, RECORD_FIELDS.agreementId) ?? idOf(data, 'envelope');
    const named = { agreement_id: id, agreement_name: getTitle(data) };
    return flatten(z, {
      id: event.id,
      raw: event.raw,
      signedAt: event.time,
      sources: [data, named, lastSigner(data)],
    });
  },
  filters: {
    template: isSame('template_id'),
    name_contains: (wanted, { agreement_name: name }) => (name === null ? 'unknown' : contains(name, wanted)),
  },
  isComplete: (event) =>
    hasAll(event, ['agreement_id', 'agreement_name', 'status', 'signed_at', 'signer_email']),
  confirm: async (client, event, { z, signed }) => {
    const { agreement_id: id } = event;
    if (typeof id !== 'string') return { verdict: 'open', event, isRead: false };
    // The API has no call for a single agreement (§4): the list is read, and where that lacks it, its document asked for.
    const found = await lookInFirstPage(client.agreements.list(), { id, resource: agreement.resource });
    const item = itemIn(found);
    if (item === undefined) {
      const file = await ask(fetchDocument(client, id));
      return { verdict: found === 'absent' && file === 'absent' ? 'denied' : 'open', event, isRead: false };
    }
    const facts = agreementFacts(item);
    const sources = signed ? [event, facts] : [facts, event];
    return {
      verdict: isSigned(item) ? 'confirmed' : 'open',
      event: flatten(z, { ...event, sources }),
      isRead: true,
    };
  },
  list: async (client, step) => {
    const { items } = await client.agreements.list();
    const events = items.filter(isSigned).map((item) => pastEvent(step, item));
    return sortNewestFirst(
      events.map((event) => ({ event, created_at: event['signed_at'] as string | null })),
    )
      .slice(0, LISTED)
      .map(({ event }) => event);
  },
});

function contains(text: unknown, part: unknown): boolean {
  return String(text).toLowerCase().includes(String(part).toLowerCase());
}

function flatten(
  z: Step<JsonObject>['z'],
  event: { id: string; raw?: unknown; signedAt?: string | undefined; sources: unknown[] },
): FlatEvent {
  const outputs = readOutputs(OUTPUTS, ...event.sources);
  const { agreement_id: id } = outputs;
  return {
    id: event.id,
    event: EVENT,
    ...outputs,
    signed_at: outputs['signed_at'] ?? event.signedAt ?? null,
    signed_document: typeof id === 'string' ? laterSignedDocument(z, id) : null,
    raw: event.raw ?? null,
  };
}

function pastEvent({ z }: Step<JsonObject>, item: JsonObject): FlatEvent {
  const facts = agreementFacts(item);
  return flatten(z, { id: `signed-${String(facts['agreement_id'])}`, raw: item, sources: [facts] });
}

/** An agreement's own fields under the names that an event has for them, and its last signer. */
function agreementFacts(item: JsonObject): JsonObject {
  const { id, name, ...rest } = readRecord(agreement, item);
  const signer = lastSigner(item);
  // An agreement without a time of its own was signed when the last one did.
  const signed_at = rest['signed_at'] ?? signer['signed_at'];
  return { ...signer, ...rest, signed_at, agreement_id: id, agreement_name: name };
}

function lastSigner(item: JsonObject): JsonObject {
  const people = RECIPIENT_FIELDS.map((field) => getValueAtPath(item, field)).find(Array.isArray) ?? [];
  const dated = people.map((person) => ({
    person,
    created_at: readOutputs(
      [{ key: 'at', label: '', type: 'datetime', from: RECORD_FIELDS.signedAt }],
      person,
    )['at'] as string | null,
  }));
  const [last] = sortNewestFirst(dated);
  const email =
    typeof last?.person === 'string' ? last.person : getTextField(last?.person, RECORD_FIELDS.email);
  return {
    signer_email: email,
    signer_name: getTitle(last?.person),
    signed_at: last?.created_at,
  };
}

/** Whether the agreement has a document; bytes that came with the answer are let go unread. */
async function fetchDocument(client: Client, id: string): Promise<JsonObject> {
  const download = await client.agreements.document({ id });
  if (download.url === undefined) for await (const _ of (await download.open()).bytes) break;
  return {};
}
