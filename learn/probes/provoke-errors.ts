import type { OperationName } from '../../src/operations/index.ts';
import { createUnknownId, getListIds, type ProbeContext } from './probe-context.ts';

const UNKNOWN_ROUTE = '/docshare-learn-no-such-route';

/** Routes that read an object by ID, each with the list that shows whether the key has the scope. */
const ID_ROUTES: readonly { readonly route: string; readonly list: OperationName }[] = [
  { route: '/documents/{id}', list: 'documents.list' },
  { route: '/templates/{id}', list: 'templates.list' },
  { route: '/analytics/links/{id}', list: 'links.list' },
];

/** Provokes errors that change nothing: reads, and a write to a read-only group (§5). */
export async function provokeErrors(context: ProbeContext): Promise<void> {
  const { session } = context;
  const readable = ID_ROUTES.filter(({ list }) => context.lists.has(list));
  for (const { route, list } of (readable.length > 0 ? readable : ID_ROUTES).slice(0, 2)) {
    const path = route.replace('{id}', encodeURIComponent(createUnknownId(context, list)));
    await session.sendRequest({ method: 'GET', path, route, topic: 'errors', expected: 'unknownId' });
  }
  await session.sendRequest({ method: 'GET', path: UNKNOWN_ROUTE, topic: 'errors', expected: 'noRoute' });
  // §5: billing is read-only, so an unsupported method can't change anything.
  const usage = { path: '/billing/usage', body: {} };
  await session.sendRequest({ method: 'PUT', ...usage, topic: 'errors', expected: 'wrongMethod' });
}

export async function provokeKeyErrors({ session }: ProbeContext): Promise<void> {
  const request = { method: 'GET', path: '/documents', topic: 'keys' } as const;
  await session.sendRequest({ ...request, key: 'wrong', expected: 'wrongKey' });
  await session.sendRequest({ ...request, key: 'none', expected: 'noKey' });
}

/** Sends an invalid query to the list that the pagination probe used. */
export async function provokeQueryError(context: ProbeContext, param: string): Promise<void> {
  const list = context.paginatedList;
  if (!list || getListIds(context, list.named.name).length === 0) return;
  const request = { method: 'GET', path: list.path, query: { [param]: 'none' } } as const;
  await context.session.sendRequest({ ...request, topic: 'errors', expected: 'badQuery' });
}
