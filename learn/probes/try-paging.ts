import { idOf, normalizeName } from '../../src/answer/fields.ts';
import type { ParsedPage } from '../../src/answer/list.ts';
import { type NextQuery, PAGE_IN_PATH } from '../../src/answer/next-address.ts';
import {
  GUESSED_PAGE_PARAM,
  OFFSET_PARAMS,
  ONE_BASED_OFFSET_FIELDS,
  PAGE_PARAMS,
  SIZE_FIELDS,
} from '../../src/assumptions/index.ts';
import { SIZE_PARAMS } from '../assumptions.ts';
import type { Answer } from '../wire/session.ts';
import { refuseQuery } from './bring-about-refusals.ts';
import { findMore, findPlace } from './find-place.ts';
import { getBasePath, readList, type SeenList, type World } from './world.ts';

/** What was asked for, and the page that came. */
interface Page {
  readonly answer: Answer;
  readonly read: ParsedPage;
  readonly query: Readonly<Record<string, string>>;
}

const SMALL = 2;
const LARGE = 1000;

/** How a list goes on, how its pages are sized, and what becomes of a size that can't be. */
export async function tryPaging(world: World): Promise<void> {
  const list = longest(world);
  if (!list || list.read.count === 0) {
    world.gaps.push('No list has an entry, so how lists page could not be tried.');
    return;
  }
  world.pagedOn = list;
  const isCut =
    list.read.more === true || (list.read.page.total ?? 0) > list.read.count || leadsOn(list.read.page);
  if (isCut) world.paging.size = { usual: list.read.count };
  const small = await findSize(world, list);
  const first: Page | undefined = small ?? (isCut ? { ...list, query: {} } : undefined);
  if (first) await goOn(world, list, first);
  else if (list.read.count > SMALL) await findWhole(world, list);
  const { param } = world.paging.size ?? {};
  if (param === undefined) return;
  await findMost(world, list, param);
  await refuseQuery(world, param);
}

/** The list with the most entries, by the service's own count where it tells. */
function longest(world: World): SeenList | undefined {
  const length = ({ read }: SeenList) =>
    Math.max(read.count, read.page.total ?? 0) + (leadsOn(read.page) ? 0.5 : 0);
  // What stands below an object may be as it is whatever it is asked.
  const lists = [...world.lists.values()].filter(({ named }) => !named.operation.route.includes('{'));
  const own = lists.filter(({ named }) => named.group !== 'billing');
  const [best] = [...(own.some(({ read }) => read.count > 1) ? own : lists)].sort(
    (a, b) => length(b) - length(a),
  );
  return best;
}

async function askPage(
  world: World,
  list: SeenList,
  query: Record<string, string>,
): Promise<Page | undefined> {
  const { '/': below, ...rest } = query;
  const answer = await world.session.ask({
    method: 'GET',
    path: below === undefined ? list.path : `${list.path}/${below}`,
    route: list.path,
    query: rest,
    operation: list.named.name,
    topic: 'paging',
    as: 'page',
  });
  const read =
    answer && readList(answer, { named: list.named, path: list.path, basePath: getBasePath(world) });
  return answer && read ? { answer, read, query } : undefined;
}

/** The parameter that sizes a page: those that the answer itself names first, then all at once, then one by one. */
async function findSize(world: World, list: SeenList): Promise<Page | undefined> {
  if (list.read.count <= SMALL) return undefined;
  const echoed = namesIn(list.answer.json).filter((name) =>
    SIZE_FIELDS.map(normalizeName).includes(normalizeName(name)),
  );
  const [usual = 'limit', ...others] = [...new Set([...SIZE_PARAMS.slice(0, 1), ...echoed, ...SIZE_PARAMS])];
  const narrowed = (page: Page | undefined) => page !== undefined && page.read.count === SMALL;
  const remember = (param: string, page: Page) => {
    world.paging.size = { ...world.paging.size, param };
    return { ...page, query: { [param]: `${SMALL}` } };
  };
  const first = await askPage(world, list, { [usual]: `${SMALL}` });
  if (first && narrowed(first)) return remember(usual, first);
  const all = await askPage(world, list, Object.fromEntries(others.map((name) => [name, `${SMALL}`])));
  if (all && !narrowed(all)) return undefined;
  let candidates = others;
  // A service that refuses what it does not know is asked one by one; else the half that works is halved again.
  while (all && candidates.length > 1) {
    const half = candidates.slice(0, Math.ceil(candidates.length / 2));
    const page = await askPage(world, list, Object.fromEntries(half.map((name) => [name, `${SMALL}`])));
    candidates = narrowed(page) ? half : candidates.slice(half.length);
  }
  for (const name of candidates.slice(0, 8)) {
    const page = await askPage(world, list, { [name]: `${SMALL}` });
    if (page && narrowed(page)) return remember(name, page);
  }
  return undefined;
}

/** Whether the service says that more follows, or where. */
function leadsOn({ nextQuery, cursor }: SeenList['read']['page']): boolean {
  return nextQuery !== undefined || cursor?.said === true;
}

/** Follows what the page says, or what is usual where it says nothing, until a page comes that is another one. */
async function goOn(world: World, list: SeenList, first: Page): Promise<void> {
  const { cursor } = first.read.page;
  const more = findMore(first);
  if (more) world.paging.more = more;
  if (!cursor) {
    if (first.read.count < list.read.count) world.paging.next = { by: 'none', params: [] };
    return;
  }
  const tried = cursor.queries.slice(0, 7);
  for (const query of tried) {
    const page = await askPage(world, list, { ...first.query, ...flat(query) });
    if (!page || !isOther(first.read, page.read)) continue;
    const working = await single(world, list, { first, query });
    const { by, at, header } = findPlace({
      ...first,
      text: Object.values(flat(working))[0] ?? '',
      list: first.read,
    });
    const [param = ''] = Object.keys(working);
    world.paging.next = {
      by: by ?? inferPaginationKind(param, working, first.read),
      // The place of a page may stand in the path.
      params: Object.keys(working).filter((name) => name !== PAGE_IN_PATH),
      ...(at ? { at: [...at] } : {}),
      ...(header ? { header } : {}),
      ...numbered(param, { query: working, base: cursor.base, read: first.read }),
    };
    return;
  }
  // Asked in all the usual ways, and always the same page: the list comes as it is.
  if (!cursor.said && first.query && Object.keys(first.query).length === 0)
    world.paging.next = { by: 'none', params: [] };
  else world.gaps.push('The service says that more follows, and none of the usual parameters led on.');
}

/** A list that knows of no size and says nothing of more comes whole, where a second page is the first again. */
async function findWhole(world: World, list: SeenList): Promise<void> {
  const page = await askPage(world, list, { [GUESSED_PAGE_PARAM]: '2' });
  if (page?.read.fingerprint === list.read.fingerprint) world.paging.next = { by: 'none', params: [] };
}

/** Of several parameters that were sent together, the one that did it. */
async function single(
  world: World,
  list: SeenList,
  { first, query }: { first: Page; query: NextQuery },
): Promise<NextQuery> {
  const names = Object.keys(query);
  const isOneAddress = first.read.paginationInfo.next.some((one) => Object.keys(one).length > 1);
  if (names.length < 2) return query;
  if (isOneAddress) {
    // An address repeats what was asked; what it adds is the place.
    const added = Object.entries(query).filter(([name, value]) => first.query[name] !== value);
    return added.length > 0 ? Object.fromEntries(added) : query;
  }
  for (const name of names) {
    const one = { [name]: query[name] ?? '' };
    const page = await askPage(world, list, { ...first.query, ...flat(one) });
    if (page && isOther(first.read, page.read)) return one;
  }
  return query;
}

function flat(query: NextQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

/** Another page: it has entries, and none that the first one had. */
function isOther(first: ParsedPage, page: ParsedPage): boolean {
  if (page.count === 0 || page.fingerprint === first.fingerprint) return false;
  const ids = new Set(first.ids ?? []);
  return !page.ids?.some((id) => ids.has(id));
}

function inferPaginationKind(
  param: string,
  query: NextQuery,
  first: ParsedPage,
): 'page' | 'offset' | 'after-id' | 'cursor' {
  const plain = normalizeName(param);
  const lastId = idOf(first.page.items.at(-1));
  if (lastId !== undefined && String(query[param]) === lastId) return 'after-id';
  if (OFFSET_PARAMS.map(normalizeName).includes(plain)) return 'offset';
  if (param === '/' || PAGE_PARAMS.map(normalizeName).includes(plain)) return 'page';
  return 'cursor';
}

function numbered(
  param: string,
  { query, base, read }: { query: NextQuery; base: number | undefined; read: ParsedPage },
): { first?: number } {
  const plain = normalizeName(param);
  const value = Number(String(query[param]).replace(/^\D+/, ''));
  if (param === '/' || PAGE_PARAMS.map(normalizeName).includes(plain)) return { first: base ?? value - 1 };
  if (!OFFSET_PARAMS.map(normalizeName).includes(plain)) return {};
  return {
    first: ONE_BASED_OFFSET_FIELDS.map(normalizeName).includes(plain) ? 1 : (base ?? value - read.count),
  };
}

/** The largest page: what comes, or what the answer says it would hold, when far more is asked for. */
async function findMost(world: World, list: SeenList, param: string): Promise<void> {
  const page = await askPage(world, list, { [param]: `${LARGE}` });
  if (!page) return;
  const isCut =
    page.read.more === true || leadsOn(page.read.page) || (page.read.page.total ?? 0) > page.read.count;
  const said = page.read.paginationInfo.size;
  const most = isCut ? page.read.count : said !== undefined && said < LARGE ? said : undefined;
  if (most !== undefined) world.paging.size = { ...world.paging.size, most };
  const usual = world.paging.size?.usual ?? list.read.paginationInfo.size;
  if (usual !== undefined) world.paging.size = { ...world.paging.size, usual };
  const total = page.read.count;
  // All came at once without being asked for more: the usual page is at least as large.
  if (!isCut && total > list.read.count && usual === undefined)
    world.paging.size = { ...world.paging.size, usual: list.read.count };
}

function namesIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner, depth + 1)]);
}
