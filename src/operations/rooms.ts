import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

const RoomInput = z.looseObject({ id: Id.describe('Id of the room') });

export const rooms = {
  /** Lists rooms. */
  list: defineOperation({ route: 'GET /rooms', scope: 'datarooms:read', responseKind: 'list', title: 'List rooms' }),

  /** Creates a room. */
  create: defineOperation({ route: 'POST /rooms', scope: 'datarooms:write', effect: 'create', title: 'Create room' }),

  /** Adds a folder to a room. */
  addFolder: defineOperation({
    route: 'POST /rooms/{id}/folders',
    scope: 'datarooms:write',
    effect: 'create',
    title: 'Add room folder',
    input: RoomInput,
  }),

  /** Adds a file to a room. */
  addFile: defineOperation({
    route: 'POST /rooms/{id}/files',
    scope: 'datarooms:write',
    effect: 'create',
    title: 'Add room file',
    input: RoomInput,
  }),

  /** Adds a visitor group to a room. */
  addGroup: defineOperation({
    route: 'POST /rooms/{id}/groups',
    scope: 'datarooms:permissions',
    effect: 'create',
    title: 'Add room group',
    input: RoomInput,
  }),

  /** Sets the room's permission matrix. */
  setPermissions: defineOperation({
    route: 'PUT /rooms/{id}/permissions',
    scope: 'datarooms:permissions',
    effect: 'update',
    title: 'Set room permissions',
    input: RoomInput,
  }),
};
