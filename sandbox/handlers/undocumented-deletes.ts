import { catalog } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Service } from '../state/service.ts';
import { findRecord, type State } from '../state/state.ts';
import type { ResourceView } from './view.ts';

/** §4 "the full set of operations per group is not shown": further deletions that a service may allow. */
const DELETABLE = {
  documents: 'document',
  rooms: 'room',
  agreements: 'agreement',
  proposals: 'proposal',
  contacts: 'contact',
} as const;

type DeletableGroup = keyof typeof DELETABLE;

export interface UndocumentedDelete {
  readonly group: DeletableGroup;
  /** The operation as the API document would define it. */
  readonly operation: Operation;
  run(service: Service, id: string): ResourceView;
}

export const undocumentedDeletes: readonly UndocumentedDelete[] = Object.entries(DELETABLE).map(([name, object]) => {
  // Object.entries widens the key type.
  const group = name as DeletableGroup;
  return {
    group,
    operation: {
      ...catalog.templates.delete,
      route: `DELETE /${group}/{id}`,
      scope: catalog[group].create.scope,
      title: `Delete ${object}`,
    },
    run(service, id) {
      findRecord<{ readonly id: string }>(service.state[group], id, object);
      service.state[group].delete(id);
      if (group === 'documents') removeFromRooms(service.state, id);
      if (group === 'documents' || group === 'rooms') deleteLinksTo(service.state, { group, id });
      return { object, id };
    },
  };
});

export function allowsUndocumentedDeletes({ profile }: Service): boolean {
  return profile.undocumentedDeletes === 'all';
}

/** Deletes the links to a deleted record. */
function deleteLinksTo({ links }: State, deleted: { group: 'documents' | 'rooms'; id: string }): void {
  for (const [linkId, link] of links)
    if ((deleted.group === 'rooms' ? link.room_id : link.document_id) === deleted.id) links.delete(linkId);
}

function removeFromRooms({ rooms }: State, documentId: string): void {
  for (const room of rooms.values()) room.files = room.files.filter(({ document_id }) => document_id !== documentId);
}
