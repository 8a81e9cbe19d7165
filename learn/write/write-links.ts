import { getListIds } from '../probes/world.ts';
import { type Made, make, remove, tryBodies, type Writing } from './maker.ts';

/** A throwaway link: e-mail-gated, told to nobody, on a document of the learner's own where there is one. */
export async function writeLink(writing: Writing, document: Made | undefined): Promise<void> {
  const { deeds, world } = writing;
  const documentId = document?.id ?? getListIds(world, 'documents.list')[0];
  if (documentId === undefined) {
    world.gaps.push('No link was made: there is no document that it could show.');
    return;
  }
  const body = { document_id: documentId, email_required: true };
  const bodies = [{ ...body, name: deeds.marker }, body];
  const mayBeThere = document === undefined;
  const made = await make(writing, { name: 'links.create', bodies, mayBeThere });
  if (!made) return;
  const changes = [{ name: `${deeds.marker} b` }, { email_required: true }];
  await tryBodies(writing, { name: 'links.update', id: made.id, bodies: changes });
  await remove(writing, made, 'links.delete');
}
