import type { OperationName } from '../../src/operations/index.ts';
import { operations } from '../../src/operations/index.ts';
import { isObject } from '../../src/records/fields.ts';
import {
  getBasePath,
  getListIds,
  getMethodAndRoute,
  getOperation,
  type ProbeContext,
  parseList,
} from './probe-context.ts';

const TOP_LEVEL_LISTS = operations.filter(
  ({ operation }) => operation.responseKind === 'list' && !operation.route.includes('{'),
);

/** Reads each list once, without a query. */
export async function readLists(context: ProbeContext): Promise<void> {
  for (const { name } of TOP_LEVEL_LISTS) await readOneList(context, name, {});
}

/** Reads the pages of a document and the visitors of a link. */
export async function readNestedLists(context: ProbeContext): Promise<void> {
  await readFirstNonEmpty(context, 'documents.pages', getListIds(context, 'documents.list'));
  await readFirstNonEmpty(context, 'analytics.visitors', getViewedFirst(context));
}

/** Reads the list of the first object, or of the second if that is empty. */
async function readFirstNonEmpty(context: ProbeContext, name: OperationName, ids: readonly string[]): Promise<void> {
  for (const id of ids.slice(0, 2)) {
    await readOneList(context, name, { id });
    if ((context.lists.get(name)?.entries.length ?? 0) > 0) return;
  }
}

/** Returns link IDs, those with views first. */
function getViewedFirst(context: ProbeContext): string[] {
  const { entries = [] } = context.lists.get('links.list') ?? {};
  const ids = getListIds(context, 'links.list');
  if (ids.length !== entries.length) return ids;
  const counts = entries.map((entry) =>
    Object.entries(entry).some(
      ([name, value]) => /view|visit|open/i.test(name) && typeof value === 'number' && value > 0,
    ),
  );
  const viewed = ids.filter((_, index) => counts[index]);
  return [...viewed, ...ids.filter((id) => !viewed.includes(id))];
}

async function readOneList(context: ProbeContext, name: OperationName, { id }: { id?: string }): Promise<void> {
  const named = getOperation(name);
  const { method, route } = getMethodAndRoute(named);
  const path = id === undefined ? route : route.replace('{id}', encodeURIComponent(id));
  const request = { method, path, route, operation: name, topic: 'lists' } as const;
  const response = await context.session.sendRequest(request);
  const parsedPage = response && parseList(response, { named, path, basePath: getBasePath(context) });
  if (!parsedPage) return;
  const entries = parsedPage.page.items.filter(isObject);
  context.lists.set(name, { named, path, response, parsedPage, entries });
}
