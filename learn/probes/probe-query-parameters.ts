import { getTextFilters, TITLE_FIELDS } from '../../src/assumptions/index.ts';
import { getCreatedAt, getTextField, idOf, type JsonObject } from '../../src/records/fields.ts';
import { EMAIL_FIELDS, SORT_QUERIES, TIME_PARAMS } from '../assumptions.ts';
import { getBasePath, type ObservedList, type ProbeContext, parseList } from './probe-context.ts';

/** What no entry holds. */
const UNMATCHED_TEXT = 'docshare-learn-no-such-text';

/** Which parameters narrow and sort lists: judged by what comes, with values of entries that are there. */
export async function probeQueryParameters(context: ProbeContext): Promise<void> {
  const contacts = context.lists.get('contacts.list');
  const named = context.paginatedList ?? context.lists.get('documents.list');
  if (contacts && contacts.parsedPage.count > 1) await probeFilters(context, contacts);
  else if (named && named.parsedPage.count > 1) await probeFilters(context, named);
  else
    context.skippedReasons.push(
      'No list has two entries, so what narrows and sorts lists could not be tried.',
    );
  const sortable = [named, contacts].find((list) => list && inferOrder(list.entries) !== undefined);
  if (!sortable) return;
  await probeSorting(context, sortable);
}

/** How a list is ordered by the times of its entries; undefined where they don't say. */
export function inferOrder(entries: readonly JsonObject[]): 'newest' | 'oldest' | undefined {
  const times = entries.flatMap((entry) => getCreatedAt(entry) ?? []);
  if (times.length < 2 || times.length < entries.length) return undefined;
  const isDescending = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? ''));
  const isAscending = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ''));
  return isDescending === isAscending ? undefined : isDescending ? 'newest' : 'oldest';
}

type QueryOutcome = { readonly ids: readonly string[] } | 'refused' | undefined;

async function requestWithQuery(
  context: ProbeContext,
  list: ObservedList,
  query: Record<string, string>,
): Promise<QueryOutcome> {
  const response = await context.session.sendRequest({
    method: 'GET',
    path: list.path,
    route: list.path,
    query,
    operation: list.named.name,
    topic: 'query',
    expected: 'page',
  });
  if (!response) return undefined;
  if (!response.ok) return response.status >= 400 && response.status < 500 ? 'refused' : undefined;
  const parsedPage = parseList(response, {
    named: list.named,
    path: list.path,
    basePath: getBasePath(context),
  });
  return parsedPage && { ids: parsedPage.page.items.map((item) => idOf(item) ?? JSON.stringify(item)) };
}

async function probeFilters(context: ProbeContext, list: ObservedList): Promise<void> {
  const entry = list.entries.at(-1) ?? {};
  const email = getTextField(entry, EMAIL_FIELDS);
  const title = getTextField(
    entry,
    TITLE_FIELDS.filter((name) => name !== 'email'),
  );
  const filters = { ...(email ? getTextFilters(email) : {}), ...(title ? getTextFilters(title) : {}) };
  const names = Object.keys(filters);
  if (names.length === 0) return;
  const since = Object.fromEntries(TIME_PARAMS.map((name) => [name, '2099-01-01T00:00:00Z']));
  await evaluateParams(context, list, { values: filters, unmatchedValue: UNMATCHED_TEXT, names });
  await evaluateParams(context, list, {
    values: since,
    unmatchedValue: '2099-01-01T00:00:00Z',
    names: Object.keys(since),
  });
}

/** All at once with what no entry holds: a service that answers as before knows none of them. */
async function evaluateParams(
  context: ProbeContext,
  list: ObservedList,
  {
    values,
    unmatchedValue,
    names,
  }: { values: Readonly<Record<string, string>>; unmatchedValue: string; names: readonly string[] },
): Promise<void> {
  const before = list.entries.map((item) => idOf(item) ?? JSON.stringify(item));
  const all = await requestWithQuery(
    context,
    list,
    Object.fromEntries(names.map((name) => [name, unmatchedValue])),
  );
  if (all === undefined) return;
  if (all !== 'refused' && isSameOrder(all.ids, before)) {
    for (const name of names) context.query[name] = 'ignored';
    return;
  }
  for (const name of names) {
    const one = await requestWithQuery(context, list, { [name]: unmatchedValue });
    if (one === undefined) continue;
    if (one === 'refused') context.query[name] = 'refused';
    else if (isSameOrder(one.ids, before)) context.query[name] = 'ignored';
    else if (values[name] === unmatchedValue)
      context.query[name] = one.ids.length < before.length ? 'narrows' : 'ignored';
    else {
      // It narrows where it finds what is there, and nothing else for what is not.
      const found = await requestWithQuery(context, list, { [name]: values[name] ?? '' });
      if (found !== undefined && found !== 'refused')
        context.query[name] =
          found.ids.includes(before.at(-1) ?? '') || found.ids.length > one.ids.length
            ? 'narrows'
            : 'ignored';
    }
  }
}

async function probeSorting(context: ProbeContext, list: ObservedList): Promise<void> {
  const order = inferOrder(list.entries);
  const before = list.entries.map((item) => idOf(item) ?? '');
  for (const query of SORT_QUERIES) {
    // Against the order that the list has by itself, so that heeding it shows.
    const sentQuery = order === 'newest' ? query : reverseOrder(query);
    const outcome = await requestWithQuery(context, list, sentQuery);
    if (outcome === undefined) continue;
    const isSorted = outcome !== 'refused' && !isSameOrder(outcome.ids, before);
    const effect = outcome === 'refused' ? 'refused' : isSorted ? 'sorts' : 'ignored';
    for (const [name, value] of Object.entries(sentQuery)) context.query[`${name}=${value}`] = effect;
    if (isSorted) return;
  }
}

function reverseOrder(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      value === 'asc' ? 'desc' : name === 'sort' ? `-${value}` : value,
    ]),
  );
}

function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
