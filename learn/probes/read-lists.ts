import { isObject } from '../../src/answer/fields.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { operations } from '../../src/operations/index.ts';
import { getBasePath, getListIds, getOperation, methodAndRoute, readList, type World } from './world.ts';

const TOP_LISTS = operations.filter(
  ({ operation }) => operation.responseKind === 'list' && !operation.route.includes('{'),
);

/** Each list once, as it comes without a query. */
export async function readLists(world: World): Promise<void> {
  for (const { name } of TOP_LISTS) await readOneList(world, name, {});
}

/** Lists below an object: the pages of a document, the visitors of a link. */
export async function readListsBelow(world: World): Promise<void> {
  await firstFilled(world, 'documents.pages', getListIds(world, 'documents.list'));
  await firstFilled(world, 'analytics.visitors', viewedFirst(world));
}

/** Of several objects the first whose list is not empty, in two tries. */
async function firstFilled(world: World, name: OperationName, ids: readonly string[]): Promise<void> {
  for (const id of ids.slice(0, 2)) {
    await readOneList(world, name, { id });
    if ((world.lists.get(name)?.entries.length ?? 0) > 0) return;
  }
}

/** Links whose record shows a count above zero first: somebody may have been there. */
function viewedFirst(world: World): string[] {
  const { entries = [] } = world.lists.get('links.list') ?? {};
  const ids = getListIds(world, 'links.list');
  if (ids.length !== entries.length) return ids;
  const counts = entries.map((entry) =>
    Object.entries(entry).some(
      ([name, value]) => /view|visit|open/i.test(name) && typeof value === 'number' && value > 0,
    ),
  );
  const viewed = ids.filter((_, index) => counts[index]);
  return [...viewed, ...ids.filter((id) => !viewed.includes(id))];
}

export async function readOneList(world: World, name: OperationName, { id }: { id?: string }): Promise<void> {
  const named = getOperation(name);
  const { method, route } = methodAndRoute(named);
  const path = id === undefined ? route : route.replace('{id}', encodeURIComponent(id));
  const answer = await world.session.ask({ method, path, route, operation: name, topic: 'lists' });
  if (!answer) return;
  const read = readList(answer, { named, path, basePath: getBasePath(world) });
  if (!read) return;
  const entries = read.page.items.filter(isObject);
  world.lists.set(name, { named, path, answer, read, entries });
}
