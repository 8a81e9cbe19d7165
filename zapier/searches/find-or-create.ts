import { contact } from '../records/contact.ts';
import type { RecordKind } from '../records/record.ts';
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

export const searchOrCreates = [contact, room, template].map(findOrCreate);
