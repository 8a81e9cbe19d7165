import { catalogue } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Service } from '../service.ts';
import { find, type State } from '../state/state.ts';
import type { View } from './view.ts';

/** §4 "the full set of operations per group is not shown": what a service may let its callers delete besides. */
const REMOVABLE = {
  documents: 'document',
  rooms: 'room',
  agreements: 'agreement',
  proposals: 'proposal',
  contacts: 'contact',
} as const;

type Removable = keyof typeof REMOVABLE;

export interface Removal {
  readonly group: Removable;
  /** A row as the document would have it. */
  readonly operation: Operation;
  run(service: Service, id: string): View;
}

export const removals: readonly Removal[] = Object.entries(REMOVABLE).map(([name, object]) => {
  // Object.entries widens the names that REMOVABLE itself gives.
  const group = name as Removable;
  return {
    group,
    operation: {
      ...catalogue.templates.delete,
      route: `DELETE /${group}/{id}`,
      scope: catalogue[group].create.scope,
      title: `Delete ${object}`,
    },
    run(service, id) {
      find<{ readonly id: string }>(service.state[group], id, object);
      service.state[group].delete(id);
      if (group === 'documents') leaveRooms(service.state, id);
      if (group === 'documents' || group === 'rooms') closeLinks(service.state, { group, id });
      return { object, id };
    },
  };
});

/** Whether the service that is played deletes more than the document shows. */
export function isRemovable({ profile }: Service): boolean {
  return profile.removals === 'all';
}

/** Nobody comes in any more to what is gone. */
function closeLinks({ links }: State, gone: { group: 'documents' | 'rooms'; id: string }): void {
  for (const [linkId, link] of links)
    if ((gone.group === 'rooms' ? link.room_id : link.document_id) === gone.id) links.delete(linkId);
}

function leaveRooms({ rooms }: State, documentId: string): void {
  for (const room of rooms.values())
    room.files = room.files.filter(({ document_id }) => document_id !== documentId);
}
