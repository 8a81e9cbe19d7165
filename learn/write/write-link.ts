import { getListIds } from '../probes/probe-context.ts';
import { createObject, removeObject, type ThrowawayObject, tryBodies, type WriteContext } from './create-object.ts';

/** Creates a throwaway link: email-gated, not shared with anyone, on the run's own document if there is one. */
export async function writeLink(writeContext: WriteContext, document: ThrowawayObject | undefined): Promise<void> {
  const { createdResources, context } = writeContext;
  const documentId = document?.id ?? getListIds(context, 'documents.list')[0];
  if (documentId === undefined) {
    context.skippedReasons.push('No link was created, because there is no document for it.');
    return;
  }
  const body = { document_id: documentId, email_required: true };
  const bodies = [{ ...body, name: createdResources.marker }, body];
  const mayReturnExisting = document === undefined;
  const created = await createObject(writeContext, { name: 'links.create', bodies, mayReturnExisting });
  if (!created) return;
  const changes = [{ name: `${createdResources.marker} b` }, { email_required: true }];
  await tryBodies(writeContext, { name: 'links.update', id: created.id, bodies: changes });
  await removeObject(writeContext, created, 'links.delete');
}
