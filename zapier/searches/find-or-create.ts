import { contact, link, room, template } from '../records/kinds.ts';
import type { RecordKind } from '../records/record-kind.ts';

/** Search that creates a missing record. Zapier requires the search's key. */
function findOrCreate({ resource, noun }: RecordKind) {
  return {
    key: `find_${resource}`,
    display: { label: `Find or Create ${noun}`, description: `Finds a ${resource}, or creates one if there is none.` },
    search: `find_${resource}`,
    create: `create_${resource}`,
  };
}

export const searchOrCreates = [contact, room, template, link].map(findOrCreate);

/** Also updates the record that was found, which may have other settings than the form. */
function findAndUpdateOrCreate(kind: RecordKind) {
  const { resource, noun } = kind;
  return {
    ...findOrCreate(kind),
    display: {
      label: `Find and Update or Create ${noun}`,
      description: `Finds and updates a ${resource}, or creates one if there is none.`,
    },
    update: `update_${resource}`,
    updateInputFromSearchOutput: { [resource]: 'id' },
  };
}

/** Rooms have no update (§4). */
export const searchAndCreates = [contact, template, link].map(findAndUpdateOrCreate);
