/** 3,000 records, in either order: no new record is missed, and a search finds its record or says that it cannot. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Fields, openZapOnService } from '../support/zapier-lambda.ts';

interface Style {
  readonly size: number;
  readonly newestFirst?: boolean;
  readonly filters?: 'name' | 'refused';
  readonly dated?: boolean;
  /** Lists have page numbers instead of cursors. */
  readonly numbered?: boolean;
  /** Pages link to the next one by its number. */
  readonly linked?: boolean;
  /** Status of the answer to cursors of earlier pages, such as 400 if they have expired. */
  readonly earlierStatus?: number;
}

let rooms: Fields[];
let made = 0;
let style: Style;
let keys = 0;
let reached = 0;
const START = Date.now() - 3600_000 * 24;
function add(count: number, name = 'Room'): void {
  for (let time = 0; time < count; time++) {
    const at = made++;
    const created_at = new Date(at < 3000 ? START + at * 1000 : Date.now() + at).toISOString();
    rooms.push({ id: `r${at}`, name: `${name} ${at}`, ...(style.dated === false ? {} : { created_at }) });
  }
}

const { service, zap } = await openZapOnService(({ method, path, query }) => {
  if (method === 'POST') {
    add(1, 'Made');
    return { status: 201, json: { id: `r${made - 1}`, url: `https://docs.example/${made}` } };
  }
  if (method !== 'GET') {
    if (method === 'PATCH')
      Object.assign(rooms.find(({ id }) => path.endsWith(`/${id}`)) ?? {}, { has_password: true });
    return { status: 204 };
  }
  const name = query.get('name')?.toLowerCase();
  if (style.filters === 'refused' && name !== undefined) return { status: 400, json: { error: 'unknown parameter' } };
  const all = style.newestFirst ? rooms.toReversed() : rooms;
  const list =
    style.filters === 'name' && name !== undefined
      ? all.filter((room) => String(room['name']).toLowerCase().includes(name))
      : all;
  const page = Number(query.get('page') ?? 1);
  const from = style.numbered || style.linked ? (page - 1) * style.size : Number(query.get('cursor') ?? 0);
  if (style.earlierStatus && query.has('cursor') && from < reached) return { status: style.earlierStatus };
  reached = from;
  const to = from + Math.min(style.size, Number(query.get('limit') ?? style.size));
  if (style.linked)
    return {
      json: { results: list.slice(from, to), next: to < list.length ? `${service.url}${path}?page=${page + 1}` : null },
    };
  if (style.numbered) return { json: { data: list.slice(from, to), page, per_page: style.size, total: list.length } };
  return { json: { data: list.slice(from, to), next_cursor: to < list.length ? String(to) : null } };
});
beforeEach(() => {
  rooms = [];
  made = 0;
  service.requests.length = 0;
  zap.cache.clear();
});

/** Each call has its own key, because minutes pass between two polls of a Zap. */
const bundle = () => ({ authData: { apiKey: `key-${++keys}`, baseUrl: service.url } });
const poll = async (meta: Fields = {}) => (await zap.trigger('new_room', { ...bundle(), meta })).map(({ id }) => id);
const find = (name: string) => ({ ...bundle(), inputData: { name } });
const FIND = 'searches.find_room.operation.perform';

describe.each([
  [25, true],
  [100, true],
  [25, false],
])('with the oldest first, %d per page, dated: %s', (size, dated) => {
  test('polls move to the end of the list, and then return the new records only', async () => {
    style = { size, dated };
    add(3000);
    const given: unknown[] = [];
    for (let time = 0; time < 8; time++) given.push(...(await poll()));
    if (dated) expect(given).toEqual([]);
    add(30);
    service.requests.length = 0;
    expect((await poll()).toSorted()).toEqual(
      rooms
        .slice(3000)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(service.requests.length).toBeLessThanOrEqual(3);
    add(1);
    expect(await poll()).toContain('r3030');
    rooms.splice(2900, 120);
    for (let time = 0; time < 8; time++) await poll();
    add(1, 'Later');
    expect(await poll()).toContain(`r${made - 1}`);
  });
});

test('with the newest first, a poll finds all 250 new rooms, and a test shows examples', async () => {
  style = { size: 25, newestFirst: true };
  add(3000);
  expect(await poll()).toContain('r2999');
  add(250);
  expect(await poll()).toEqual(expect.arrayContaining(rooms.slice(3000).map(({ id }) => id)));
  style = { size: 25 };
  expect((await poll({ isLoadingSample: true })).length).toBeGreaterThan(0);
});

test('if other Zaps have used up the rate limit, the next polls continue the first one', async () => {
  style = { size: 25 };
  add(3000);
  const busy = { authData: { apiKey: 'busy', baseUrl: service.url } };
  await zap.runError(FIND, { ...busy, inputData: { name: 'Room 2999' } });
  await zap.trigger('new_room', { ...busy, meta: { isPopulatingDedupe: true } });
  add(30, 'Fresh');
  const found = [...(await poll()), ...(await poll()), ...(await poll())];
  expect(found).toEqual(expect.arrayContaining(['r3000', 'r3029']));
});

test("a search uses the service's filter first: one request for a hit, three for a miss", async () => {
  style = { size: 25, filters: 'name' };
  add(3000);
  expect(await zap.run(FIND, find('room 2777'))).toMatchObject([{ id: 'r2777' }]);
  expect(service.requests).toHaveLength(1);
  service.requests.length = 0;
  expect(await zap.run(FIND, find('Nowhere'))).toEqual([]);
  expect(service.requests).toHaveLength(3);
});

test.each([
  ['an ID', 'r2777', 'r2777'],
  ['a name without its accents', 'Societe Generale', 'accents'],
])('a search by %s reads the list if the filter of the service does not find it', async (_, text, id) => {
  style = { size: 100, filters: 'name' };
  add(10, 'Réunion');
  rooms.push({ id: 'accents', name: 'Société Générale' });
  made = 2770;
  add(10);
  expect(await zap.run(FIND, find(text))).toMatchObject([{ id }]);
});

test.each([
  { size: 25, newestFirst: true },
  // Each page tells the number of all rooms.
  { size: 25, numbered: true },
  { size: 25, numbered: true, newestFirst: true },
])('with %j, a search over several runs finds a room that was created between them', async (listStyle) => {
  style = listStyle;
  add(3000);
  expect(await zap.runError(FIND, find('Brand New 3000'))).toMatchObject({ name: 'ThrottledError' });
  add(1, 'Brand New');
  expect(await replay(FIND, () => find('Brand New 3000'))).toMatchObject([{ id: 'r3000' }]);
});

test.each([{}, { numbered: true }, { linked: true }])(
  'with %j, a search over several runs finds a room that moved to an earlier page between them',
  async (listStyle) => {
    style = { size: 25, ...listStyle };
    add(3000);
    expect(await zap.runError(FIND, find('Room 1250'))).toMatchObject({ name: 'ThrottledError' });
    rooms.splice(3, 1);
    expect(await replay(FIND, () => find('Room 1250'))).toMatchObject([{ id: 'r1250' }]);
  },
);

test('of a long list, a record that is gone answers no creation, and a link is verified by replays', async () => {
  style = { size: 25, earlierStatus: 403 };
  add(3000);
  await expect(replay(FIND, () => find('Acme'))).rejects.toThrow(/403/);
  style = { size: 25, earlierStatus: 400 };
  expect(await replay(FIND, () => find('Acme'))).toEqual([]);
  const act = (key: string, inputData: Fields) =>
    replay<Fields>(`creates.${key}.operation.perform`, () => ({ ...bundle(), inputData }));
  const first = await act('create_room', { name: 'Acme' });
  rooms.pop();
  expect((await act('create_room', { name: 'Acme' }))['id']).not.toBe(first['id']);
  expect(await act('update_link', { link: 'r2990', gate_password: 's3cret' })).toMatchObject({ id: 'r2990' });
  await expect(act('create_link', { document: 'd', gate_password: 'x' })).rejects.toThrow(/more links than one run/);
});

test('on a service with page numbers, a search finds a room on the last page of its first run', async () => {
  style = { size: 30, numbered: true };
  add(3000);
  expect(await replay(FIND, () => find('Room 1499'))).toMatchObject([{ id: 'r1499' }]);
});

/** Repeats a run that was throttled, with a new key each time, as Zapier does minutes later. */
async function replay<Result = Fields[]>(method: string, bundleOf: () => Fields): Promise<Result> {
  for (let run = 1; run < 5; run++) {
    const result = await zap.run<Result>(method, bundleOf()).catch((error: Error) => {
      if (error.name !== 'ThrottledError') throw error;
    });
    if (result !== undefined) return result;
  }
  throw new Error(`${method} did not end`);
}

describe.each([
  [25, 'ignores', false],
  [25, 'refuses', true],
  [50, 'refuses', false],
] as const)('with pages of %i and a service that %s filters (newest first: %s)', (size, filters, newestFirst) => {
  beforeEach(() => {
    style = { size, newestFirst, ...(filters === 'refuses' ? { filters: 'refused' as const } : {}) };
    add(3000);
  });
  test.each(['Room 3', 'Room 1500', 'room 2995'])('a search for %s finds it, by replays if necessary', async (name) => {
    expect(await replay(FIND, () => find(name))).toMatchObject([{ id: name.replace(/room /i, 'r') }]);
    expect(service.requests.length).toBeLessThanOrEqual(Math.ceil(3000 / size) + 3);
    service.requests.length = 0;
    expect(await zap.run(FIND, find(name))).toMatchObject([{ id: name.replace(/room /i, 'r') }]);
    expect(service.requests).toHaveLength(1);
  });
  test('a missing name is not found, and two rooms of one name stop the step', async () => {
    expect(await replay(FIND, () => find('Nowhere'))).toEqual([]);
    Object.assign(rooms[10] ?? {}, { name: 'Twin' });
    Object.assign(rooms[2990] ?? {}, { name: 'Twin' });
    await expect(replay(FIND, () => find('Twin'))).rejects.toThrow('2 rooms match');
    const all = () => ({ ...find('Twin'), inputData: { name: 'Twin', several: 'all' } });
    expect((await replay(FIND, all)).map(({ id }) => id)).toEqual(['r2990', 'r10']);
  });
  test('a signed document is found only for its own agreement', async () => {
    for (const room of rooms) room['status'] = room['id'] === 'r2900' ? 'draft' : 'signed';
    const get = (agreement: string) => () => ({ ...bundle(), inputData: { agreement } });
    const GET = 'searches.get_signed_document.operation.perform';
    expect(await replay(GET, get('r2900'))).toEqual([]);
    expect(await replay(GET, get('r100'))).toMatchObject([{ id: 'r100', status: 'signed' }]);
  });
});
