import { z } from 'zod';
import { Id, operation } from './operation.ts';

const LinkInput = z.looseObject({ id: Id.describe('Id of the link') });

export const analytics = {
  /** Returns aggregate metrics for a link. */
  link: operation({
    route: 'GET /analytics/links/{id}',
    scope: 'analytics:read',
    title: 'Get link analytics',
    input: LinkInput,
  }),

  /** Lists the visitors of a link. */
  visitors: operation({
    route: 'GET /analytics/links/{id}/visitors',
    scope: 'analytics:read',
    responseKind: 'list',
    title: 'List link visitors',
    input: LinkInput,
  }),

  /** Returns one visit. */
  visit: operation({
    route: 'GET /analytics/visits/{id}',
    scope: 'analytics:read',
    title: 'Get visit',
    input: z.looseObject({ id: Id.describe('Id of the visit') }),
  }),

  /** Returns metrics for a room. */
  room: operation({
    route: 'GET /analytics/rooms/{id}',
    scope: 'analytics:read',
    title: 'Get room analytics',
    input: z.looseObject({ id: Id.describe('Id of the room') }),
  }),
};
