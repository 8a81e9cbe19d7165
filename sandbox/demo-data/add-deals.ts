import type { AgreementEnd, AgreementRecord, ProposalRecord, RecipientRecord, RoomRecord } from '../state/records.ts';
import { generateId } from '../state/service.ts';
import { DAY_MS, type Person, type SeedContext } from './founding.ts';
import { PROPOSAL_ITEMS } from './words.ts';

/** Adds rooms, templates, agreements and proposals in every status. */
export function addDeals(seedContext: SeedContext): void {
  addRoom(seedContext, { name: 'Series B data room', daysAgo: 30, folders: ['Company', 'Financials', 'Legal'] });
  addRoom(seedContext, { name: 'Lumen Robotics onboarding', daysAgo: 12, folders: ['Contracts'] });
  addTemplates(seedContext);
  const states = ['signed', 'signed', 'viewed', 'sent', 'draft'] as const;
  states.forEach((status, index) => {
    addAgreement(seedContext, { status, daysAgo: 25 - index * 5, index });
  });
  addProposal(seedContext, { status: 'accepted', daysAgo: 18, index: 0 });
  addProposal(seedContext, { status: 'sent', daysAgo: 6, index: 1 });
  addProposal(seedContext, { status: 'draft', daysAgo: 1, index: 2 });
}

function addRoom(seedContext: SeedContext, input: { name: string; daysAgo: number; folders: string[] }): void {
  const { service, documents, people, record } = seedContext;
  const folders = input.folders.map((name) => ({ ...record('folder', input.daysAgo), name, parent_id: null }));
  const files = documents
    .slice(0, folders.length * 2)
    .map((document, index) => ({
      ...record('file', input.daysAgo - 1),
      name: document.name,
      document_id: document.id,
      folder_id: folders[index % folders.length]?.id ?? null,
    }));
  const members = people.slice(0, 3).map(({ email }) => email);
  const group = { ...record('group', input.daysAgo - 1), name: 'Investors', emails: members, custom: {} };
  const room: RoomRecord = {
    ...record('room', input.daysAgo),
    name: input.name,
    description: null,
    folders,
    files,
    groups: [group],
    permissions: { permissions: folders.map(({ id }) => ({ group_id: group.id, folder_id: id, access: 'view' })) },
  };
  service.state.rooms.set(room.id, room);
}

function addTemplates({ service, documents, record }: SeedContext): void {
  for (const document of documents.slice(5, 7)) {
    const template = {
      ...record('template', 40),
      name: document.name,
      description: `Our standard ${document.name}`,
      document_id: document.id,
      roles: ['signer'],
      fields: [{ type: 'signature', role: 'signer', page: 1, x: 80, y: 640 }],
    };
    service.state.templates.set(template.id, template);
  }
}

function addAgreement(
  seedContext: SeedContext,
  input: { status: Exclude<AgreementRecord['status'], AgreementEnd>; daysAgo: number; index: number },
): void {
  const { service, documents, people, record } = seedContext;
  const { status, index } = input;
  const document = documents[5 + (index % 2)];
  const person = people[index];
  if (!document || !person) return;
  const entry = record('agreement', input.daysAgo);
  const signed_at = status === 'signed' ? entry.created_at + DAY_MS : null;
  const agreement: AgreementRecord = {
    ...entry,
    name: `${document.name} with ${person.company}`,
    message: `Hello ${person.name}, please sign at your convenience.`,
    document_id: document.id,
    template_id: null,
    status,
    recipients: [createRecipient(seedContext, person, { at: entry.created_at, status, signed_at })],
    sent_at: status === 'draft' ? null : entry.created_at,
    signed_at,
  };
  service.state.agreements.set(agreement.id, agreement);
}

function createRecipient(
  { service }: SeedContext,
  { name, email }: Person,
  input: { at: number; status: Exclude<AgreementRecord['status'], AgreementEnd>; signed_at: number | null },
): RecipientRecord {
  const isViewed = input.status === 'viewed' || input.status === 'signed';
  return {
    id: generateId(service, 'recipient'),
    name,
    email,
    role: 'signer',
    status: input.status === 'draft' ? 'waiting' : input.status,
    viewed_at: isViewed ? input.at + DAY_MS / 2 : null,
    signed_at: input.signed_at,
    signed_name: input.signed_at === null ? null : name,
    custom: {},
  };
}

function addProposal(
  seedContext: SeedContext,
  input: { status: ProposalRecord['status']; daysAgo: number; index: number },
): void {
  const { service, people, record } = seedContext;
  const person = people[input.index + 6];
  if (!person) return;
  const entry = record('proposal', input.daysAgo);
  const isDraft = input.status === 'draft';
  const recipient = createRecipient(seedContext, person, {
    at: entry.created_at,
    status: isDraft ? 'draft' : 'sent',
    signed_at: null,
  });
  const proposal: ProposalRecord = {
    ...entry,
    name: `Proposal for ${person.company}`,
    message: `Hello ${person.name}, here is what we talked about. The prices hold for 30 days.`,
    status: input.status,
    recipients: [recipient],
    items: PROPOSAL_ITEMS.slice(0, 2 + input.index),
    currency: 'USD',
    sent_at: isDraft ? null : entry.created_at,
    accepted_at: input.status === 'accepted' ? entry.created_at + 2 * DAY_MS : null,
  };
  service.state.proposals.set(proposal.id, proposal);
}
