/** New Visitor for a room: who came is read from the room itself, or else from each of its own links. */
import { describe, expect, test } from 'vitest';
import { newVisitor } from '../../../../zapier/triggers/new-visitor.ts';
import { type ZapAnswer, type ZapCall, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

const { perform } = newVisitor.operation as { perform: unknown };
const visitors = (link: string) => ({
  data: [{ id: `vtr_${link}`, email: `${link}@example.com`, first_seen_at: `2026-01-0${link.at(-1)}T00:00:00Z` }],
});
const linkOf = (id: string, room: string) => ({ id, room_id: room });

/** A room that says nothing of its visitors, and links of two rooms. */
function service(links: (call: ZapCall) => ZapAnswer) {
  return zapStep((call) => {
    if (call.path === '/analytics/rooms/r1') return { json: { views: 2 } };
    if (call.path === '/links') return links(call);
    const link = /^\/analytics\/links\/(\w+)\/visitors$/.exec(call.path)?.[1];
    return link ? { json: visitors(link) } : undefined;
  });
}
const BOTH = [linkOf('l1', 'r1'), linkOf('l2', 'r1'), linkOf('l3', 'r2')];
const ask = (step: ReturnType<typeof zapStep>, bundle: object = {}) =>
  step.run<Record<string, unknown>[]>(perform, { inputData: { room: 'r1' }, ...bundle });

test('neither a link nor a room is told, and nothing is asked', async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  await expect(step.run(perform, { inputData: {} })).rejects.toThrow(texts.chooseLinkRoomStep);
  expect(step.calls).toEqual([]);
});

test('a room that lists its visitors is asked once, and the newest comes first', async () => {
  const people = [
    { id: 'a', first_seen_at: '2026-01-01T00:00:00Z' },
    { id: 'b', first_seen_at: '2026-01-02T00:00:00Z' },
  ];
  const step = zapStep(() => ({ json: { visitors: people } }));
  expect((await ask(step)).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(step.calls.map(({ path }) => path)).toEqual(['/analytics/rooms/r1']);
});

describe('the links of a room are its own', () => {
  const heeds = ({ query }: ZapCall) => ({
    json: { data: BOTH.filter(({ room_id }) => !query['room_id'] || room_id === query['room_id']) },
  });
  test.each<[string, (call: ZapCall) => ZapAnswer, number]>([
    ['where the service heeds the filter', heeds, 1],
    ['where it ignores it', () => ({ json: { data: BOTH } }), 1],
    ['where it refuses it', (call) => (call.query['room_id'] ? { status: 422, json: {} } : heeds(call)), 1],
    [
      'where the filter finds none, since it means something else there',
      (call) => (call.query['room_id'] ? { json: { data: [] } } : heeds(call)),
      2,
    ],
    [
      'where they name their room by an object',
      () => ({ json: { data: BOTH.map(({ id, room_id }) => ({ id, room: { id: room_id } })) } }),
      1,
    ],
  ])('%s', async (_, links, least) => {
    const step = service(links);
    const found = await ask(step);
    expect(found.map(({ id }) => id)).toEqual(['l2-vtr_l2', 'l1-vtr_l1']);
    expect(found.map((one) => one['link_id'])).toEqual(['l2', 'l1']);
    expect(step.calls.filter(({ path }) => path === '/links').length).toBeGreaterThanOrEqual(least);
    expect(step.calls.some(({ path }) => path.includes('l3'))).toBe(false);
  });
});

test('a room without links is no fault of a list that is too long for a look', async () => {
  const page = (call: ZapCall, room: string) => ({
    json: {
      data: [linkOf(`l${call.query['cursor'] ?? 0}`, room)],
      next_cursor: `${Number(call.query['cursor'] ?? 0) + 1}`,
    },
  });
  const filtered = (room: string) => (call: ZapCall) =>
    call.query['room_id'] ? { json: { data: [] } } : page(call, room);
  expect(await ask(service(filtered('r2')))).toEqual([]);
  // One of its own is proof that the filter means something else: then the rest of the list counts.
  await expect(ask(service(filtered('r1')))).rejects.toThrow(texts.couldCheckWholeList);
});

test('each link of a room is remembered by itself, and a link that was left empty is none', async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  const meta = { zap: { id: '7' } };
  expect(await ask(step, { inputData: { link: '', room: 'r1' }, meta })).toHaveLength(2);
  expect([...step.cache.keys()].sort()).toEqual(['look-new_visitor-l1-7', 'look-new_visitor-l2-7']);
});

test('who came first last comes first, whoever came again since', async () => {
  const people = [
    { id: 'a', first_seen_at: '2026-01-01T00:00:00Z', last_seen_at: '2026-01-09T00:00:00Z' },
    { id: 'b', first_seen_at: '2026-01-02T00:00:00Z', last_seen_at: '2026-01-02T00:00:00Z' },
  ];
  const step = zapStep(() => ({ json: { visitors: people } }));
  expect((await ask(step)).map(({ id }) => id)).toEqual(['b', 'a']);
});

test("the editor's test asks three times at most", async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  const found = await ask(step, { meta: { isLoadingSample: true } });
  expect(found.map(({ id }) => id)).toEqual(['l1-vtr_l1']);
  expect(step.calls.length).toBeLessThanOrEqual(3);
});

test('a room of more links than one look can ask is told with their number, and none is asked', async () => {
  const step = service(() => ({ json: { data: Array.from({ length: 51 }, (_, index) => linkOf(`l${index}`, 'r1')) } }));
  await expect(ask(step)).rejects.toThrow('This room has 51 links');
  expect(step.calls.some(({ path }) => path.endsWith('/visitors'))).toBe(false);
});

test('a list of links that does not end within a look is an error, and not a part of the room', async () => {
  const step = service(({ query }) => {
    const page = Number(query['cursor'] ?? 0);
    const data = [linkOf(`own${page}`, 'r1'), linkOf(`other${page}`, 'r2')];
    return { json: { data, has_more: true, next_cursor: String(page + 1) } };
  });
  await expect(ask(step)).rejects.toThrow(texts.couldCheckWholeList);
});
