import { catalog } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { State } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { deleteRecord, type ResourceView } from './view.ts';

/** §4 "the full set of operations per group is not shown": further deletions that a service may allow. */
const DELETABLE = [
  ['documents', 'document'],
  ['rooms', 'room'],
  ['agreements', 'agreement'],
  ['proposals', 'proposal'],
  ['contacts', 'contact'],
] as const;

/** The operations as the API document would define them, each with its handler. */
export const undocumentedDeletes = DELETABLE.map(([group, object]) => {
  const operation: Operation = {
    ...catalog.templates.delete,
    route: `DELETE /${group}/{id}`,
    scope: catalog[group].create.scope,
    title: `Delete ${object}`,
  };
  const handler = ({ service: { state }, id }: HandlerCall): ResourceView => {
    const view = deleteRecord(state[group], { id, object });
    if (group === 'documents') removeFromRooms(state, id);
    if (group === 'documents' || group === 'rooms') deleteLinksTo(state, { group, id });
    return view;
  };
  return { operation, handler };
});

/** Deletes the links to a deleted record. */
function deleteLinksTo({ links }: State, deleted: { group: 'documents' | 'rooms'; id: string }): void {
  for (const [linkId, link] of links)
    if ((deleted.group === 'rooms' ? link.room_id : link.document_id) === deleted.id) links.delete(linkId);
}

function removeFromRooms({ rooms }: State, documentId: string): void {
  for (const room of rooms.values()) room.files = room.files.filter(({ document_id }) => document_id !== documentId);
}
