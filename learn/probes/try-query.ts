import { createdAtOf, getTextField, idOf, type JsonObject } from '../../src/answer/fields.ts';
import { getTextFilters, TITLE_FIELDS } from '../../src/assumptions/index.ts';
import { EMAIL_NAMES, SORT_QUERIES, TIME_PARAMS } from '../assumptions.ts';
import { getBasePath, readList, type SeenList, type World } from './world.ts';

/** What no entry holds. */
const NOTHING = 'docshare-learn-no-such-text';

/** Which parameters narrow and sort lists: judged by what comes, with values of entries that are there. */
export async function tryQuery(world: World): Promise<void> {
  const contacts = world.lists.get('contacts.list');
  const named = world.pagedOn ?? world.lists.get('documents.list');
  if (contacts && contacts.read.count > 1) await tryFilters(world, contacts);
  else if (named && named.read.count > 1) await tryFilters(world, named);
  else world.gaps.push('No list has two entries, so what narrows and sorts lists could not be tried.');
  const sortable = [named, contacts].find((list) => list && inferOrder(list.entries) !== undefined);
  if (!sortable) return;
  await trySorting(world, sortable);
}

/** How a list is ordered by the times of its entries; undefined where they don't say. */
export function inferOrder(entries: readonly JsonObject[]): 'newest' | 'oldest' | undefined {
  const times = entries.flatMap((entry) => createdAtOf(entry) ?? []);
  if (times.length < 2 || times.length < entries.length) return undefined;
  const falls = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? ''));
  const rises = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ''));
  return falls === rises ? undefined : falls ? 'newest' : 'oldest';
}

type Outcome = { readonly ids: readonly string[] } | 'refused' | undefined;

async function askWith(world: World, list: SeenList, query: Record<string, string>): Promise<Outcome> {
  const answer = await world.session.ask({
    method: 'GET',
    path: list.path,
    route: list.path,
    query,
    operation: list.named.name,
    topic: 'query',
    as: 'page',
  });
  if (!answer) return undefined;
  if (!answer.ok) return answer.status >= 400 && answer.status < 500 ? 'refused' : undefined;
  const read = readList(answer, { named: list.named, path: list.path, basePath: getBasePath(world) });
  return read && { ids: read.page.items.map((item) => idOf(item) ?? JSON.stringify(item)) };
}

async function tryFilters(world: World, list: SeenList): Promise<void> {
  const entry = list.entries.at(-1) ?? {};
  const email = getTextField(entry, EMAIL_NAMES);
  const title = getTextField(
    entry,
    TITLE_FIELDS.filter((name) => name !== 'email'),
  );
  const filters = { ...(email ? getTextFilters(email) : {}), ...(title ? getTextFilters(title) : {}) };
  const names = Object.keys(filters);
  if (names.length === 0) return;
  const since = Object.fromEntries(TIME_PARAMS.map((name) => [name, '2099-01-01T00:00:00Z']));
  await judge(world, list, { values: filters, nothing: NOTHING, names });
  await judge(world, list, { values: since, nothing: '2099-01-01T00:00:00Z', names: Object.keys(since) });
}

/** All at once with what no entry holds: a service that answers as before knows none of them. */
async function judge(
  world: World,
  list: SeenList,
  {
    values,
    nothing,
    names,
  }: { values: Readonly<Record<string, string>>; nothing: string; names: readonly string[] },
): Promise<void> {
  const before = list.entries.map((item) => idOf(item) ?? JSON.stringify(item));
  const all = await askWith(world, list, Object.fromEntries(names.map((name) => [name, nothing])));
  if (all === undefined) return;
  if (all !== 'refused' && isSame(all.ids, before)) {
    for (const name of names) world.query[name] = 'ignored';
    return;
  }
  for (const name of names) {
    const one = await askWith(world, list, { [name]: nothing });
    if (one === undefined) continue;
    if (one === 'refused') world.query[name] = 'refused';
    else if (isSame(one.ids, before)) world.query[name] = 'ignored';
    else if (values[name] === nothing)
      world.query[name] = one.ids.length < before.length ? 'narrows' : 'ignored';
    else {
      // It narrows where it finds what is there, and nothing else for what is not.
      const found = await askWith(world, list, { [name]: values[name] ?? '' });
      if (found !== undefined && found !== 'refused')
        world.query[name] =
          found.ids.includes(before.at(-1) ?? '') || found.ids.length > one.ids.length
            ? 'narrows'
            : 'ignored';
    }
  }
}

async function trySorting(world: World, list: SeenList): Promise<void> {
  const order = inferOrder(list.entries);
  const before = list.entries.map((item) => idOf(item) ?? '');
  for (const query of SORT_QUERIES) {
    // Against the order that the list has by itself, so that heeding it shows.
    const asked = order === 'newest' ? query : reversed(query);
    const outcome = await askWith(world, list, asked);
    if (outcome === undefined) continue;
    const heeded = outcome !== 'refused' && !isSame(outcome.ids, before);
    const said = outcome === 'refused' ? 'refused' : heeded ? 'sorts' : 'ignored';
    for (const [name, value] of Object.entries(asked)) world.query[`${name}=${value}`] = said;
    if (heeded) return;
  }
}

function reversed(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      value === 'asc' ? 'desc' : name === 'sort' ? `-${value}` : value,
    ]),
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
