import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { make, refuseBody, remove, tryBodies, type Writing } from './maker.ts';

/** A throwaway template: made, refused a body, changed, read and removed. */
export async function writeTemplate(writing: Writing): Promise<void> {
  const { marker } = writing.deeds;
  await refuseBody(writing, 'templates.create', {});
  const made = await make(writing, {
    name: 'templates.create',
    bodies: FORM_BODIES.template({ name: marker }),
  });
  if (!made) return;
  const { id } = made;
  await tryBodies(writing, {
    name: 'templates.update',
    id,
    bodies: FORM_BODIES.template({ name: `${marker} b` }),
  });
  await remove(writing, made, 'templates.delete');
}
