import { type OperationName, operations } from '../../src/operations/index.ts';
import { isObject } from '../../src/records/fields.ts';
import { createProbeRequest, getListIds, getNamedOperation, type ProbeContext, parseList } from './probe-context.ts';

const TOP_LEVEL_LISTS = operations.filter(
  ({ operation }) => operation.responseKind === 'list' && !operation.route.includes('{'),
);

/** Reads each list once, without a query. */
export async function readLists(context: ProbeContext): Promise<void> {
  for (const { name } of TOP_LEVEL_LISTS) await readOneList(context, name);
}

/** Reads the pages of a document and the visitors of a link. */
export async function readNestedLists(context: ProbeContext): Promise<void> {
  await readFirstNonEmpty(context, 'documents.pages', getListIds(context, 'documents.list'));
  await readFirstNonEmpty(context, 'analytics.visitors', getViewedFirst(context));
}

/** Reads the list of the first object, or of the second if that is empty. */
async function readFirstNonEmpty(context: ProbeContext, name: OperationName, ids: readonly string[]): Promise<void> {
  for (const id of ids.slice(0, 2)) {
    await readOneList(context, name, id);
    if ((context.lists.get(name)?.entries.length ?? 0) > 0) return;
  }
}

/** Returns link IDs, those with views first. */
function getViewedFirst(context: ProbeContext): string[] {
  const { entries = [] } = context.lists.get('links.list') ?? {};
  const ids = getListIds(context, 'links.list');
  if (ids.length !== entries.length) return ids;
  const isViewCount = ([name, value]: [string, unknown]) =>
    /view|visit|open/i.test(name) && typeof value === 'number' && value > 0;
  const viewed = ids.filter((_, index) => Object.entries(entries[index] ?? {}).some(isViewCount));
  return [...new Set([...viewed, ...ids])];
}

async function readOneList(context: ProbeContext, name: OperationName, id?: string): Promise<void> {
  const named = getNamedOperation(name);
  const request = createProbeRequest(name, id);
  const { path } = request;
  const response = await context.session.sendRequest({ ...request, topic: 'lists' });
  const parsedPage = response && parseList(context, { named, path }, response);
  if (!parsedPage) return;
  const entries = parsedPage.page.items.filter(isObject);
  context.lists.set(name, { named, path, response, parsedPage, entries });
}
