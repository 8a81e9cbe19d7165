import { FORM_BODIES } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { getValueAt } from '../../src/profile/check-schema.ts';
import { findJsonPath } from '../probes/json-path.ts';
import { getListIds } from '../probes/probe-context.ts';
import {
  type CreateRequest,
  canRemove,
  createObject,
  provokeBodyError,
  removeObject,
  type ThrowawayObject,
  tryBodies,
  type WriteContext,
} from './create-object.ts';
import { extractId } from './remove.ts';

interface Lifecycle extends CreateRequest {
  /** Changes of the new object, in order. */
  readonly changes?: readonly (readonly [OperationName, readonly object[]])[];
  /** Uses the new object in other ways. */
  readonly use?: (created: ThrowawayObject) => Promise<void>;
  /** Documented operation that removes it; without one, it is created only if the service can remove it. */
  readonly removal?: OperationName;
}

/** Creates, changes and removes an object. */
async function runLifecycle(
  writeContext: WriteContext,
  { changes = [], use, removal, ...request }: Lifecycle,
): Promise<void> {
  const [group = ''] = request.name.split('.');
  if (removal === undefined && !canRemove(writeContext, group)) return;
  const created = await createObject(writeContext, request);
  if (!created) return;
  for (const [name, bodies] of changes) await tryBodies(writeContext, { name, id: created.id, bodies });
  await use?.(created);
  await removeObject(writeContext, created, removal);
}

/** Provokes an error, then creates, changes and removes a template. */
export async function probeTemplateWrites(writeContext: WriteContext): Promise<void> {
  const { marker } = writeContext.createdResources;
  await provokeBodyError(writeContext, 'templates.create', {});
  await runLifecycle(writeContext, {
    name: 'templates.create',
    bodies: FORM_BODIES.template({ name: marker }),
    changes: [['templates.update', FORM_BODIES.template({ name: `${marker} b` })]],
    removal: 'templates.delete',
  });
}

/** Creates a link that is email-gated and not shared with anyone, on the run's own document if there is one. */
export async function probeLinkWrites(
  writeContext: WriteContext,
  document: ThrowawayObject | undefined,
): Promise<void> {
  const { createdResources, context } = writeContext;
  const documentId = document?.id ?? getListIds(context, 'documents.list')[0];
  if (documentId === undefined) {
    context.skippedReasons.push('No link was created, because there is no document for it.');
    return;
  }
  const body = { document_id: documentId, email_required: true };
  await runLifecycle(writeContext, {
    name: 'links.create',
    bodies: [{ ...body, name: createdResources.marker }, body],
    mayReturnExisting: document === undefined,
    changes: [['links.update', [{ name: `${createdResources.marker} b` }, { email_required: true }]]],
    removal: 'links.delete',
  });
}

/** Creates a contact, a room with its parts, and drafts. */
export async function probeRecordWrites(
  writeContext: WriteContext,
  document: ThrowawayObject | undefined,
): Promise<void> {
  const { marker } = writeContext.createdResources;
  // An address that can't exist (RFC 6761).
  const person = { email: `${marker}@docshare-learn.invalid`, name: marker };
  await runLifecycle(writeContext, {
    name: 'contacts.create',
    bodies: FORM_BODIES.contact(person),
    changes: [
      ['contacts.update', FORM_BODIES.contact({ name: `${marker} b` })],
      ['contacts.addTags', FORM_BODIES.contactTags([marker])],
    ],
  });
  await runLifecycle(writeContext, {
    name: 'rooms.create',
    bodies: FORM_BODIES.room({ name: marker }),
    changes: [
      ['rooms.addFolder', FORM_BODIES.roomFolder({ name: marker })],
      ...(document ? [['rooms.addFile', FORM_BODIES.roomFile({ documentId: document.id })] as const] : []),
    ],
    use: ({ id }) => setRoomPermissions(writeContext, id),
  });
  await runLifecycle(writeContext, {
    name: 'agreements.create',
    bodies: FORM_BODIES.agreement({ name: marker, documentId: document?.id, recipients: [person] }),
  });
  await runLifecycle(writeContext, { name: 'proposals.create', bodies: FORM_BODIES.proposal({ name: marker }) });
}

/** Adds a group to a room and grants it access. */
async function setRoomPermissions(writeContext: WriteContext, id: string): Promise<void> {
  const { marker } = writeContext.createdResources;
  const group = await tryBodies(writeContext, {
    name: 'rooms.addGroup',
    id,
    bodies: FORM_BODIES.roomGroup({ name: marker }),
  });
  const groupId = group && (extractId(group.response.json, 'groups') ?? findIdText(group.response.json));
  const entry = groupId === undefined ? [] : [FORM_BODIES.roomPermission({ group: groupId, access: 'view' })];
  await tryBodies(writeContext, { name: 'rooms.setPermissions', id, bodies: FORM_BODIES.roomPermissions(entry) });
}

function findIdText(json: unknown): string | undefined {
  const at = findJsonPath(json, (value, name) => /id$/i.test(name) && typeof value === 'string');
  return at && String(getValueAt(json, at));
}
