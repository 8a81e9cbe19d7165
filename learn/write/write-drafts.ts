import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { findPath, valueAt } from '../form/paths.ts';
import { canRemove, type Made, make, remove, tryBodies, type Writing } from './maker.ts';
import { idIn } from './remove.ts';

/** An address that no mail reaches (RFC 6761): a draft is never sent, and nobody would get it. */
const nobody = (marker: string) => `${marker}@docshare-learn.invalid`;

/** A contact, a room with its parts, and drafts: each only where it can be removed. */
export async function writeRecords(writing: Writing, document: Made | undefined): Promise<void> {
  await writeContact(writing);
  await writeRoom(writing, document);
  await writeAgreement(writing, document);
  await writeProposal(writing);
}

async function writeContact(writing: Writing): Promise<void> {
  if (!canRemove(writing, 'contacts')) return;
  const { marker } = writing.deeds;
  const bodies = FORM_BODIES.contact({ email: nobody(marker), name: marker });
  const made = await make(writing, { name: 'contacts.create', bodies });
  if (!made) return;
  const { id } = made;
  const changed = FORM_BODIES.contact({ name: `${marker} b` });
  await tryBodies(writing, { name: 'contacts.update', id, bodies: changed });
  await tryBodies(writing, { name: 'contacts.addTags', id, bodies: FORM_BODIES.contactTags([marker]) });
  await remove(writing, made);
}

async function writeRoom(writing: Writing, document: Made | undefined): Promise<void> {
  if (!canRemove(writing, 'rooms')) return;
  const { marker } = writing.deeds;
  const made = await make(writing, { name: 'rooms.create', bodies: FORM_BODIES.room({ name: marker }) });
  if (!made) return;
  const { id } = made;
  await tryBodies(writing, { name: 'rooms.addFolder', id, bodies: FORM_BODIES.roomFolder({ name: marker }) });
  if (document)
    await tryBodies(writing, {
      name: 'rooms.addFile',
      id,
      bodies: FORM_BODIES.roomFile({ documentId: document.id }),
    });
  const group = await tryBodies(writing, {
    name: 'rooms.addGroup',
    id,
    bodies: FORM_BODIES.roomGroup({ name: marker }),
  });
  const groupId = group && (idIn(group.answer.json, 'groups') ?? textAt(group.answer.json));
  const entry = groupId === undefined ? [] : [FORM_BODIES.roomPermission({ group: groupId, access: 'view' })];
  await tryBodies(writing, { name: 'rooms.setPermissions', id, bodies: FORM_BODIES.roomPermissions(entry) });
  await remove(writing, made);
}

function textAt(json: unknown): string | undefined {
  const at = findPath(json, (value, name) => /id$/i.test(name) && typeof value === 'string');
  return at && String(valueAt(json, at));
}

async function writeAgreement(writing: Writing, document: Made | undefined): Promise<void> {
  if (!canRemove(writing, 'agreements')) return;
  const { marker } = writing.deeds;
  const recipients = [{ email: nobody(marker), name: marker }];
  const form = { name: marker, documentId: document?.id, recipients };
  const made = await make(writing, { name: 'agreements.create', bodies: FORM_BODIES.agreement(form) });
  if (made) await remove(writing, made);
}

async function writeProposal(writing: Writing): Promise<void> {
  if (!canRemove(writing, 'proposals')) return;
  const { marker } = writing.deeds;
  const made = await make(writing, {
    name: 'proposals.create',
    bodies: FORM_BODIES.proposal({ name: marker }),
  });
  if (made) await remove(writing, made);
}
