import { expect, test } from 'vitest';
import { type ZapAnswer, type ZapCall, type ZapStep, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const visitors = (link: string) => ({
  data: [{ id: `vtr_${link}`, email: `${link}@example.com`, first_seen_at: `2026-01-0${link.at(-1)}T00:00:00Z` }],
});
const linkOf = (id: string, room: string) => ({ id, room_id: room });

/** A room that does not list its visitors, and links of two rooms. */
function service(links: (call: ZapCall) => ZapAnswer) {
  return zapStep((call) => {
    if (call.path === '/analytics/rooms/r1') return { json: { views: 2 } };
    if (call.path === '/links') return links(call);
    const link = /^\/analytics\/links\/(\w+)\/visitors$/.exec(call.path)?.[1];
    return link ? { json: visitors(link) } : undefined;
  });
}
const BOTH = [linkOf('l1', 'r1'), linkOf('l2', 'r1'), linkOf('l3', 'r2')];
const poll = (step: ZapStep, bundle: object = {}) =>
  step.trigger('new_visitor', { inputData: { room: 'r1' }, ...bundle });

test('without a link or a room nothing is requested', async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  await expect(poll(step, { inputData: {} })).rejects.toThrow(texts.chooseLinkRoomStep);
  expect(step.calls).toEqual([]);
});

test('a room that lists its visitors is read with one request, the latest first visit first', async () => {
  const people = [
    { id: 'a', first_seen_at: '2026-01-01T00:00:00Z', last_seen_at: '2026-01-09T00:00:00Z' },
    { id: 'b', first_seen_at: '2026-01-02T00:00:00Z', last_seen_at: '2026-01-02T00:00:00Z' },
  ];
  const step = zapStep(() => ({ json: { visitors: people } }));
  expect((await poll(step)).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(step.calls.map(({ path }) => path)).toEqual(['/analytics/rooms/r1']);
});

test('a person with two links of a room counts once, and somebody without an email address once per link', async () => {
  const first_seen_at = (link: string) => `2026-01-0${link.at(-1)}T00:00:00Z`;
  const step = zapStep(({ path }) => {
    const link = /^\/analytics\/links\/(\w+)\/visitors$/.exec(path)?.[1];
    const people = [{ id: 'p', email: link === 'l1' ? 'Ann@x.example' : 'ann@x.example' }, { id: 'q' }];
    if (link) return { json: people.map((person) => ({ ...person, first_seen_at: first_seen_at(link) })) };
    return { json: path === '/links' ? { data: BOTH } : { views: 2 } };
  });
  const found = await poll(step);
  expect(found.map(({ id }) => id).sort()).toEqual(['l1-q', 'l2-q', 'r1-ann@x.example']);
  expect(found).toContainEqual(expect.objectContaining({ email: 'Ann@x.example', link_id: 'l1' }));
});

const filter = ({ query }: ZapCall) => ({
  json: { data: BOTH.filter(({ room_id }) => !query['room_id'] || room_id === query['room_id']) },
});
test.each<[string, (call: ZapCall) => ZapAnswer, number]>([
  ['if the service filters', filter, 1],
  ['if it ignores the filter', () => ({ json: { data: BOTH } }), 1],
  ['if it rejects the filter', (call) => (call.query['room_id'] ? { status: 422, json: {} } : filter(call)), 1],
  [
    'if the filter finds none, because it may have another meaning',
    (call) => (call.query['room_id'] ? { json: { data: [] } } : filter(call)),
    2,
  ],
])('only the links of the room are read %s', async (_, links, least) => {
  const step = service(links);
  const found = await poll(step);
  expect(found.map(({ id }) => id)).toEqual(['r1-l2@example.com', 'r1-l1@example.com']);
  expect(found.map((one) => one['link_id'])).toEqual(['l2', 'l1']);
  expect(step.calls.filter(({ path }) => path === '/links').length).toBeGreaterThanOrEqual(least);
  expect(step.calls.some(({ path }) => path.includes('l3'))).toBe(false);
});

test('a room without links is not an error, even if the list of links is too long for one poll', async () => {
  const page = (call: ZapCall, room: string) => ({
    json: {
      data: [linkOf(`l${call.query['cursor'] ?? 0}`, room)],
      next_cursor: `${Number(call.query['cursor'] ?? 0) + 1}`,
    },
  });
  const filtered = (room: string) => (call: ZapCall) =>
    call.query['room_id'] ? { json: { data: [] } } : page(call, room);
  expect(await poll(service(filtered('r2')))).toEqual([]);
  // A link of the room proves that the filter has another meaning: then the rest of the list counts.
  await expect(poll(service(filtered('r1')))).rejects.toThrow(texts.couldCheckWholeList);
});

test('the state of each link of a room is stored separately, and an empty link field is ignored', async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  expect(await poll(step, { inputData: { link: '', room: 'r1' }, meta: { zap: { id: '7' } } })).toHaveLength(2);
  expect([...step.cache.keys()].sort()).toEqual(['look-new_visitor-l1-7', 'look-new_visitor-l2-7']);
});

test("the editor's test sends at most three requests", async () => {
  const step = service(() => ({ json: { data: BOTH } }));
  expect((await poll(step, { meta: { isLoadingSample: true } })).map(({ id }) => id)).toEqual(['r1-l1@example.com']);
  expect(step.calls.length).toBeLessThanOrEqual(3);
});

test('a room with more links than one poll can read is an error with their number, and none is read', async () => {
  const step = service(() => ({ json: { data: Array.from({ length: 51 }, (_, index) => linkOf(`l${index}`, 'r1')) } }));
  await expect(poll(step)).rejects.toThrow('This room has 51 links');
  expect(step.calls.some(({ path }) => path.endsWith('/visitors'))).toBe(false);
});
