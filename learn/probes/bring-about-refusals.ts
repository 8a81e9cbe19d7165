import type { OperationName } from '../../src/operations/index.ts';
import { getListIds, strangeId, type World } from './world.ts';

/** A route below a prefix that the document does not have. */
const NO_ROUTE = '/docshare-learn-no-such-route';

/** Where an object is asked for by its id, and the list that tells whether the key may. */
const BY_ID: readonly { readonly route: string; readonly list: OperationName }[] = [
  { route: '/documents/{id}', list: 'documents.list' },
  { route: '/templates/{id}', list: 'templates.list' },
  { route: '/analytics/links/{id}', list: 'links.list' },
];

/** Refusals that can be brought about without doing anything: each is a read, or an act on what is read-only by §5. */
export async function refuseByErrors(world: World): Promise<void> {
  const { session } = world;
  const open = BY_ID.filter(({ list }) => world.lists.has(list));
  for (const { route, list } of (open.length > 0 ? open : BY_ID).slice(0, 2)) {
    const path = route.replace('{id}', encodeURIComponent(strangeId(world, list)));
    await session.ask({ method: 'GET', path, route, topic: 'errors', as: 'unknownId' });
  }
  await session.ask({ method: 'GET', path: NO_ROUTE, route: NO_ROUTE, topic: 'errors', as: 'noRoute' });
  // §5: billing is read-only, so nothing there can be changed by a method that it does not have.
  const path = '/billing/usage';
  await session.ask({ method: 'PUT', path, route: path, body: {}, topic: 'errors', as: 'wrongMethod' });
}

/** A wrong key and none at all. */
export async function refuseByKeys({ session }: World): Promise<void> {
  const path = '/documents';
  await session.ask({ method: 'GET', path, route: path, topic: 'keys', key: 'wrong', as: 'wrongKey' });
  await session.ask({ method: 'GET', path, route: path, topic: 'keys', key: 'none', as: 'noKey' });
}

/** A query that can't be meant, on the list that the paging was tried on. */
export async function refuseQuery(world: World, param: string): Promise<void> {
  const on = world.pagedOn;
  if (!on || getListIds(world, on.named.name).length === 0) return;
  const query = { [param]: 'none' };
  await world.session.ask({
    method: 'GET',
    path: on.path,
    route: on.path,
    query,
    topic: 'errors',
    as: 'badBody',
  });
}
