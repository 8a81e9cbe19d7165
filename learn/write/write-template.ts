import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createObject, provokeBodyError, removeObject, tryBodies, type WriteContext } from './create-object.ts';

/** Provokes an error, then creates, changes and removes a throwaway template. */
export async function writeTemplate(writeContext: WriteContext): Promise<void> {
  const { marker } = writeContext.createdResources;
  await provokeBodyError(writeContext, 'templates.create', {});
  const bodies = FORM_BODIES.template({ name: marker });
  const created = await createObject(writeContext, { name: 'templates.create', bodies });
  if (!created) return;
  const changed = FORM_BODIES.template({ name: `${marker} b` });
  await tryBodies(writeContext, { name: 'templates.update', id: created.id, bodies: changed });
  await removeObject(writeContext, created, 'templates.delete');
}
