import { FORM_BODIES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { findJsonPath, getValueAt } from '../probes/json-path.ts';
import {
  canRemove,
  createObject,
  removeObject,
  type ThrowawayObject,
  tryBodies,
  type WriteContext,
} from './create-object.ts';
import { extractId } from './remove.ts';

/** Email address that can't exist (RFC 6761). */
const unreachableEmail = (marker: string) => `${marker}@docshare-learn.invalid`;

/** Creates a contact, a room with its parts, and drafts, each only if it can be removed. */
export async function writeRecords(writeContext: WriteContext, document: ThrowawayObject | undefined): Promise<void> {
  await writeContact(writeContext);
  await writeRoom(writeContext, document);
  await writeAgreement(writeContext, document);
  const { marker } = writeContext.createdResources;
  await writeDraft(writeContext, 'proposals', FORM_BODIES.proposal({ name: marker }));
}

async function writeContact(writeContext: WriteContext): Promise<void> {
  if (!canRemove(writeContext, 'contacts')) return;
  const { marker } = writeContext.createdResources;
  const bodies = FORM_BODIES.contact({ email: unreachableEmail(marker), name: marker });
  const created = await createObject(writeContext, { name: 'contacts.create', bodies });
  if (!created) return;
  const { id } = created;
  const changed = FORM_BODIES.contact({ name: `${marker} b` });
  await tryBodies(writeContext, { name: 'contacts.update', id, bodies: changed });
  await tryBodies(writeContext, { name: 'contacts.addTags', id, bodies: FORM_BODIES.contactTags([marker]) });
  await removeObject(writeContext, created);
}

async function writeRoom(writeContext: WriteContext, document: ThrowawayObject | undefined): Promise<void> {
  if (!canRemove(writeContext, 'rooms')) return;
  const { marker } = writeContext.createdResources;
  const bodies = FORM_BODIES.room({ name: marker });
  const created = await createObject(writeContext, { name: 'rooms.create', bodies });
  if (!created) return;
  const addPart = (name: OperationName, partBodies: readonly object[]) =>
    tryBodies(writeContext, { name, id: created.id, bodies: partBodies });
  await addPart('rooms.addFolder', FORM_BODIES.roomFolder({ name: marker }));
  if (document) await addPart('rooms.addFile', FORM_BODIES.roomFile({ documentId: document.id }));
  const group = await addPart('rooms.addGroup', FORM_BODIES.roomGroup({ name: marker }));
  const groupId = group && (extractId(group.response.json, 'groups') ?? findIdText(group.response.json));
  const entry = groupId === undefined ? [] : [FORM_BODIES.roomPermission({ group: groupId, access: 'view' })];
  await addPart('rooms.setPermissions', FORM_BODIES.roomPermissions(entry));
  await removeObject(writeContext, created);
}

function findIdText(json: unknown): string | undefined {
  const at = findJsonPath(json, (value, name) => /id$/i.test(name) && typeof value === 'string');
  return at && String(getValueAt(json, at));
}

async function writeAgreement(writeContext: WriteContext, document: ThrowawayObject | undefined): Promise<void> {
  const { marker } = writeContext.createdResources;
  const recipients = [{ email: unreachableEmail(marker), name: marker }];
  const bodies = FORM_BODIES.agreement({ name: marker, documentId: document?.id, recipients });
  await writeDraft(writeContext, 'agreements', bodies);
}

async function writeDraft(
  writeContext: WriteContext,
  group: 'agreements' | 'proposals',
  bodies: readonly object[],
): Promise<void> {
  if (!canRemove(writeContext, group)) return;
  const created = await createObject(writeContext, { name: `${group}.create`, bodies });
  if (created) await removeObject(writeContext, created);
}
