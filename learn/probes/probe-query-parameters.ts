import { getTextFilters, TITLE_FIELDS } from '../../src/assumptions/index.ts';
import { getCreatedAt, getTextField, idOf, type JsonObject } from '../../src/records/fields.ts';
import { EMAIL_FIELDS, SORT_QUERIES, TIME_PARAMS } from '../assumptions.ts';
import { type ObservedList, type ProbeContext, parseList, requestList } from './probe-context.ts';

/** Text that no entry contains. */
const UNMATCHED_TEXT = 'docshare-learn-no-such-text';
const FUTURE_TIME = '2099-01-01T00:00:00Z';

/** Learns which parameters filter and sort lists, using values of existing entries. */
export async function probeQueryParameters(context: ProbeContext): Promise<void> {
  const contacts = context.lists.get('contacts.list');
  const named = context.paginatedList ?? context.lists.get('documents.list');
  if (contacts && contacts.parsedPage.count > 1) await probeFilters(context, contacts);
  else if (named && named.parsedPage.count > 1) await probeFilters(context, named);
  else context.skippedReasons.push('No list has two items, so filters and sorting could not be tried.');
  const sortable = [named, contacts].find((list) => list && inferOrder(list.entries) !== undefined);
  if (sortable) await probeSorting(context, sortable);
}

/** Returns the order of a list by its creation times; undefined if they don't show it. */
export function inferOrder(entries: readonly JsonObject[]): 'newest' | 'oldest' | undefined {
  const times = entries.flatMap((entry) => getCreatedAt(entry) ?? []);
  if (times.length < 2 || times.length < entries.length) return undefined;
  const isDescending = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? ''));
  const isAscending = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ''));
  return isDescending === isAscending ? undefined : isDescending ? 'newest' : 'oldest';
}

/** Learns the order of documents from the place of a new one, if their creation times don't show it. */
export async function probeOrder(context: ProbeContext, newId: string): Promise<void> {
  const list = context.lists.get('documents.list');
  if (!list || list.entries.length < 2 || inferOrder(list.entries) !== undefined) return;
  const outcome = await requestWithQuery(context, list, {});
  if (outcome === undefined || outcome === 'refused') return;
  if (outcome.ids[0] === newId) context.order = 'newest';
  else if (outcome.ids.at(-1) === newId) context.order = 'oldest';
}

type QueryOutcome = { readonly ids: readonly string[] } | 'refused' | undefined;

async function requestWithQuery(
  context: ProbeContext,
  list: ObservedList,
  query: Record<string, string>,
): Promise<QueryOutcome> {
  const response = await requestList(context, list, { query, topic: 'query' });
  if (!response) return undefined;
  if (!response.ok) return response.status >= 400 && response.status < 500 ? 'refused' : undefined;
  const parsedPage = parseList(context, list, response);
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
  if (Object.keys(filters).length === 0) return;
  const since = Object.fromEntries(TIME_PARAMS.map((name) => [name, FUTURE_TIME]));
  await evaluateParams(context, list, { values: filters, unmatchedValue: UNMATCHED_TEXT });
  await evaluateParams(context, list, { values: since, unmatchedValue: FUTURE_TIME });
}

/** Sends all parameters at once with a value that no entry has, then each alone if that changed the response. */
async function evaluateParams(
  context: ProbeContext,
  list: ObservedList,
  { values, unmatchedValue }: { values: Readonly<Record<string, string>>; unmatchedValue: string },
): Promise<void> {
  const names = Object.keys(values);
  const before = list.entries.map((item) => idOf(item) ?? JSON.stringify(item));
  const query = Object.fromEntries(names.map((name) => [name, unmatchedValue]));
  const all = await requestWithQuery(context, list, query);
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
      // A filter finds the existing value, and nothing for the other.
      const found = await requestWithQuery(context, list, { [name]: values[name] ?? '' });
      if (found !== undefined && found !== 'refused')
        context.query[name] =
          found.ids.includes(before.at(-1) ?? '') || found.ids.length > one.ids.length ? 'narrows' : 'ignored';
    }
  }
}

async function probeSorting(context: ProbeContext, list: ObservedList): Promise<void> {
  const order = inferOrder(list.entries);
  const before = list.entries.map((item) => idOf(item) ?? '');
  for (const query of SORT_QUERIES) {
    // Requests the opposite of the default order, so that an effect is visible.
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
