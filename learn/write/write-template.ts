import { FORM_BODIES } from '../../src/assumptions/index.ts';
import {
  createObject,
  provokeBodyError,
  removeObject,
  tryBodies,
  type WriteContext,
} from './create-object.ts';

/** A throwaway template: made, refused a body, changed, read and removed. */
export async function writeTemplate(writeContext: WriteContext): Promise<void> {
  const { marker } = writeContext.createdResources;
  await provokeBodyError(writeContext, 'templates.create', {});
  const created = await createObject(writeContext, {
    name: 'templates.create',
    bodies: FORM_BODIES.template({ name: marker }),
  });
  if (!created) return;
  const { id } = created;
  await tryBodies(writeContext, {
    name: 'templates.update',
    id,
    bodies: FORM_BODIES.template({ name: `${marker} b` }),
  });
  await removeObject(writeContext, created, 'templates.delete');
}
