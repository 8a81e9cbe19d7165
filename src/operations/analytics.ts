import { z } from 'zod';
import { defineOperation, Id } from './operation.ts';

const LinkInput = z.looseObject({ id: Id.describe('Id of the link') });

export const analytics = {
  /** Returns aggregate metrics for a link. */
  link: defineOperation({
    route: 'GET /analytics/links/{id}',
    scope: 'analytics:read',
    title: 'Get link analytics',
    input: LinkInput,
  }),

  /** Lists the visitors of a link. */
  visitors: defineOperation({
    route: 'GET /analytics/links/{id}/visitors',
    scope: 'analytics:read',
    responseKind: 'list',
    title: 'List link visitors',
    input: LinkInput,
  }),

  /** Returns one visit. */
  visit: defineOperation({
    route: 'GET /analytics/visits/{id}',
    scope: 'analytics:read',
    title: 'Get visit',
    input: z.looseObject({ id: Id.describe('Id of the visit') }),
  }),

  /** Returns metrics for a room. */
  room: defineOperation({
    route: 'GET /analytics/rooms/{id}',
    scope: 'analytics:read',
    title: 'Get room analytics',
    input: z.looseObject({ id: Id.describe('Id of the room') }),
  }),
};
