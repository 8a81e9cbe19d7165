import { getListIds } from '../probes/probe-context.ts';
import {
  createObject,
  removeObject,
  type ThrowawayObject,
  tryBodies,
  type WriteContext,
} from './create-object.ts';

/** A throwaway link: e-mail-gated, told to nobody, on a document of the learner's own where there is one. */
export async function writeLink(
  writeContext: WriteContext,
  document: ThrowawayObject | undefined,
): Promise<void> {
  const { createdResources, context } = writeContext;
  const documentId = document?.id ?? getListIds(context, 'documents.list')[0];
  if (documentId === undefined) {
    context.skippedReasons.push('No link was made: there is no document that it could show.');
    return;
  }
  const body = { document_id: documentId, email_required: true };
  const bodies = [{ ...body, name: createdResources.marker }, body];
  const mayExist = document === undefined;
  const created = await createObject(writeContext, { name: 'links.create', bodies, mayExist });
  if (!created) return;
  const changes = [{ name: `${createdResources.marker} b` }, { email_required: true }];
  await tryBodies(writeContext, { name: 'links.update', id: created.id, bodies: changes });
  await removeObject(writeContext, created, 'links.delete');
}
