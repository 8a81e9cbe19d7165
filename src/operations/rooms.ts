import { z } from 'zod';
import { Id, ListQuery, operation, Unspecified } from './operation.ts';

const RoomInput = z.looseObject({ id: Id.describe('Id of the room') });

export const rooms = {
  /** Lists rooms. */
  list: operation({
    route: 'GET /rooms',
    scope: 'datarooms:read',
    effect: 'read',
    responseKind: 'list',
    title: 'List rooms',
    input: ListQuery,
    output: Unspecified,
  }),

  /** Creates a room. */
  create: operation({
    route: 'POST /rooms',
    scope: 'datarooms:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Create room',
    input: Unspecified,
    output: Unspecified,
  }),

  /** Adds a folder to a room. */
  addFolder: operation({
    route: 'POST /rooms/{id}/folders',
    scope: 'datarooms:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Add room folder',
    input: RoomInput,
    output: Unspecified,
  }),

  /** Adds a file to a room. */
  addFile: operation({
    route: 'POST /rooms/{id}/files',
    scope: 'datarooms:write',
    effect: 'create',
    responseKind: 'item',
    title: 'Add room file',
    input: RoomInput,
    output: Unspecified,
  }),

  /** Adds a visitor group to a room. */
  addGroup: operation({
    route: 'POST /rooms/{id}/groups',
    scope: 'datarooms:permissions',
    effect: 'create',
    responseKind: 'item',
    title: 'Add room group',
    input: RoomInput,
    output: Unspecified,
  }),

  /** Sets the room's permission matrix. */
  setPermissions: operation({
    route: 'PUT /rooms/{id}/permissions',
    scope: 'datarooms:permissions',
    effect: 'update',
    responseKind: 'item',
    title: 'Set room permissions',
    input: RoomInput,
    output: Unspecified,
  }),
};
