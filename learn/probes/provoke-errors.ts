import type { OperationName } from '../../src/operations/index.ts';
import { createUnknownId, getListIds, type ProbeContext } from './probe-context.ts';

/** A route below a prefix that the document does not have. */
const UNKNOWN_ROUTE = '/docshare-learn-no-such-route';

/** Where an object is asked for by its id, and the list that tells whether the key may. */
const ID_ROUTES: readonly { readonly route: string; readonly list: OperationName }[] = [
  { route: '/documents/{id}', list: 'documents.list' },
  { route: '/templates/{id}', list: 'templates.list' },
  { route: '/analytics/links/{id}', list: 'links.list' },
];

/** Refusals that can be brought about without doing anything: each is a read, or an act on what is read-only by §5. */
export async function provokeErrors(context: ProbeContext): Promise<void> {
  const { session } = context;
  const readable = ID_ROUTES.filter(({ list }) => context.lists.has(list));
  for (const { route, list } of (readable.length > 0 ? readable : ID_ROUTES).slice(0, 2)) {
    const path = route.replace('{id}', encodeURIComponent(createUnknownId(context, list)));
    await session.sendRequest({ method: 'GET', path, route, topic: 'errors', expected: 'unknownId' });
  }
  await session.sendRequest({
    method: 'GET',
    path: UNKNOWN_ROUTE,
    route: UNKNOWN_ROUTE,
    topic: 'errors',
    expected: 'noRoute',
  });
  // §5: billing is read-only, so nothing there can be changed by a method that it does not have.
  const path = '/billing/usage';
  await session.sendRequest({
    method: 'PUT',
    path,
    route: path,
    body: {},
    topic: 'errors',
    expected: 'wrongMethod',
  });
}

/** A wrong key and none at all. */
export async function provokeKeyErrors({ session }: ProbeContext): Promise<void> {
  const path = '/documents';
  await session.sendRequest({
    method: 'GET',
    path,
    route: path,
    topic: 'keys',
    key: 'wrong',
    expected: 'wrongKey',
  });
  await session.sendRequest({
    method: 'GET',
    path,
    route: path,
    topic: 'keys',
    key: 'none',
    expected: 'noKey',
  });
}

/** A query that can't be meant, on the list that the paging was tried on. */
export async function provokeQueryError(context: ProbeContext, param: string): Promise<void> {
  const list = context.paginatedList;
  if (!list || getListIds(context, list.named.name).length === 0) return;
  const query = { [param]: 'none' };
  await context.session.sendRequest({
    method: 'GET',
    path: list.path,
    route: list.path,
    query,
    topic: 'errors',
    expected: 'badBody',
  });
}
