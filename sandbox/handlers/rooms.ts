import { z } from 'zod';
import type { FolderRecord, GroupRecord, RoomFileRecord, RoomRecord } from '../state/records.ts';
import { createBaseRecord } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { createFieldRejection, Email, parseBody, Reference } from './request-body.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export const RoomBody = z.object({ name: z.string().min(1), description: z.string().nullish() });
export const FolderBody = z.object({ name: z.string().min(1), parent_id: Reference.nullish() });
export const FileBody = z.object({
  document_id: z.string().min(1),
  folder_id: Reference.nullish(),
  name: z.string().min(1).optional(),
});
export const GroupBody = z.object({ name: z.string().min(1), emails: z.array(Email).optional() });

/** §5: groups and rosters contain visitor addresses; only `datarooms:permissions` shows them. */
function toRoomView(room: RoomRecord, { key }: HandlerCall): ResourceView {
  const roster = key.scopes.has('datarooms:permissions')
    ? { groups: room.groups.map((group) => toPartView('group', group)), permissions: toMatrixView(room) }
    : {};
  return {
    object: 'room',
    id: room.id,
    name: room.name,
    description: room.description,
    folders: room.folders.map((folder) => toPartView('folder', folder)),
    files: room.files.map((file) => toPartView('file', file)),
    ...roster,
    created_at: room.created_at,
    updated_at: room.updated_at,
    custom: room.custom,
  };
}

function toPartView(object: string, part: FolderRecord | RoomFileRecord | GroupRecord): ResourceView {
  return { object, ...part };
}

function toMatrixView(room: RoomRecord): ResourceView {
  return { object: 'permissions', room_id: room.id, custom: room.permissions };
}

function list(call: HandlerCall): ListResult {
  return createListResult(call.service.state.rooms, (room) => toRoomView(room, call));
}

function create(call: HandlerCall): ResourceView {
  const { known, custom } = parseBody(RoomBody, call.body);
  const room: RoomRecord = {
    ...createBaseRecord(call.service, 'room'),
    name: known.name,
    description: known.description ?? null,
    folders: [],
    files: [],
    groups: [],
    permissions: {},
    custom,
  };
  call.service.state.rooms.set(room.id, room);
  return toRoomView(room, call);
}

function addFolder({ service, id, body }: HandlerCall): ResourceView {
  const room = findRecord(service.state.rooms, id, 'room');
  const { known, custom } = parseBody(FolderBody, body);
  const parent_id = known.parent_id ?? null;
  assertFolder(room, 'parent_id', parent_id);
  const folder: FolderRecord = { ...createBaseRecord(service, 'folder'), name: known.name, parent_id, custom };
  room.folders.push(folder);
  return { ...toPartView('folder', folder), room_id: room.id };
}

function addFile({ service, id, body }: HandlerCall): ResourceView {
  const room = findRecord(service.state.rooms, id, 'room');
  const { known, custom } = parseBody(FileBody, body);
  const document = findRecord(service.state.documents, known.document_id, 'document');
  const folder_id = known.folder_id ?? null;
  assertFolder(room, 'folder_id', folder_id);
  const file: RoomFileRecord = {
    ...createBaseRecord(service, 'file'),
    name: known.name ?? document.name,
    document_id: document.id,
    folder_id,
    custom,
  };
  room.files.push(file);
  return { ...toPartView('file', file), room_id: room.id };
}

function assertFolder(room: RoomRecord, field: string, id: string | null): void {
  if (id !== null && !room.folders.some((folder) => folder.id === id))
    throw createFieldRejection([{ field, message: 'is not a folder of this room' }]);
}

function addGroup({ service, id, body }: HandlerCall): ResourceView {
  const room = findRecord(service.state.rooms, id, 'room');
  const { known, custom } = parseBody(GroupBody, body);
  const group: GroupRecord = {
    ...createBaseRecord(service, 'group'),
    name: known.name,
    emails: known.emails ?? [],
    custom,
  };
  room.groups.push(group);
  return { ...toPartView('group', group), room_id: room.id };
}

const Matrix = z.array(z.looseObject({ group_id: Reference.optional() }));

export const PermissionsBody = z.object({ permissions: Matrix.optional() });

/** Stores the matrix as sent; only groups of another room are rejected. */
function setPermissions({ service, id, body }: HandlerCall): ResourceView {
  const room = findRecord(service.state.rooms, id, 'room');
  const { known, custom } = parseBody(PermissionsBody, body);
  const unknownEntry = known.permissions?.find(
    ({ group_id }) => group_id !== undefined && !room.groups.some((group) => group.id === group_id),
  );
  if (unknownEntry)
    throw createFieldRejection([
      { field: 'permissions', message: `group ${unknownEntry.group_id} is not in this room` },
    ]);
  room.permissions = { ...custom, ...(known.permissions && { permissions: known.permissions }) };
  room.updated_at = service.clock.now();
  return { ...toMatrixView(room), updated_at: room.updated_at };
}

export const rooms = { list, create, addFolder, addFile, addGroup, setPermissions };
