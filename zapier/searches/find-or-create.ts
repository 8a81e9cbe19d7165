import { contact } from '../records/contact.ts';
import { link } from '../records/link.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { room } from '../records/room.ts';
import { template } from '../records/template.ts';

/** A search that makes the record where it finds none. Its key has to be the search's. */
function findOrCreate({ resource, noun }: RecordKind) {
  return {
    key: `find_${resource}`,
    display: {
      label: `Find or Create ${noun}`,
      description: `Finds a ${resource}, or creates it where there is none.`,
    },
    search: `find_${resource}`,
    create: `create_${resource}`,
  };
}

export const searchOrCreates = [contact, room, template, link].map(findOrCreate);

/** The same, with the record that was found brought up to the form: what is found may have other gates than are wanted. */
function findAndUpdateOrCreate(kind: RecordKind) {
  const { resource, noun } = kind;
  return {
    ...findOrCreate(kind),
    display: {
      label: `Find and Update or Create ${noun}`,
      description: `Finds a ${resource} and updates it, or creates it where there is none.`,
    },
    update: `update_${resource}`,
    updateInputFromSearchOutput: { [resource]: 'id' },
  };
}

/** Beside the pairs above, which stay as they are; the platform wants these under another name (rooms have no update, §4). */
export const searchAndCreates = [contact, template, link].map(findAndUpdateOrCreate);
