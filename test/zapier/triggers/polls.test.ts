import { describe, expect, test } from 'vitest';
import { type Item, outcomeOf, serveList, type ZapAnswer, type ZapCall, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const ZAP = { meta: { zap: { id: '1' } } };
const OLD = '2026-01-01T00:00:00Z';
const getIds = (items: readonly Item[]) => items.map(({ id }) => id);
const poll = (key: string, items: readonly Item[], inputData: Item = {}) =>
  zapStep(() => ({ json: items })).trigger(key, { inputData });

test('invoices are returned newest first, each once', async () => {
  const dated = (id: string, day: string) => ({ id, issued_at: day });
  const items = [dated('i1', '2026-01-01'), dated('i2', '2026-02-01'), dated('i1', '2026-01-01'), { number: 'i3' }];
  expect(getIds(await poll('new_invoice', items))).toEqual(['i2', 'i1', 'i3']);
});

test('a changed contact is recognized by its time of change, or else by its content', async () => {
  const items: Item[] = [
    { id: 'c1', email: 'a@a.test', updated_at: '2026-01-02T00:00:00Z' },
    { id: 'c2', email: 'b@a.test', created_at: '2026-01-03T00:00:00Z' },
    { id: 'c3', email: 'c@a.test' },
  ];
  const read = async () => (await poll('updated_contact', items)).map(({ contact_id, id }) => [contact_id, id]);
  const [second, first, third] = await read();
  expect([first, second?.[0], third?.[0]]).toEqual([['c1', 'c1-2026-01-02T00:00:00.000Z'], 'c2', 'c3']);
  expect(await read()).toEqual([second, first, third]);
  items[1] = { ...items[1], company: 'Acme' };
  items[2] = { ...items[2], email: 'new@a.test' };
  const [changed, same, other] = await read();
  expect(same).toEqual(first);
  expect([changed?.[1] === second?.[1], other?.[1] === third?.[1]]).toEqual([false, false]);
});

describe('a status', () => {
  test('is one in every spelling, with the time of its last change', async () => {
    const items = ['Out for Signature', 'out-for-signature', 'out_for_signature'].map((status, at) => ({
      id: `a${at}`,
      status,
      signed_at: '2026-01-09T00:00:00Z',
      updated_at: `2026-01-0${3 - at}T00:00:00Z`,
    }));
    expect((await poll('agreement_status_changed', items)).map(({ id, changed_at }) => [id, changed_at])).toEqual(
      [0, 1, 2].map((at) => [`a${at}-out_for_signature`, `2026-01-0${3 - at}T00:00:00.000Z`]),
    );
  });
  test('filters the records, each record and status once', async () => {
    const items = [
      { id: 'a1', name: 'A', status: 'Out for Signature', updated_at: '2026-01-02T00:00:00Z' },
      { id: 'a2', name: 'B', status: 'signed', signed_at: '2026-01-03T00:00:00Z' },
      { id: 'a3', name: 'C' },
      { id: 'a4', name: 'D', status: 'Draft' },
    ];
    const run = (change?: unknown) => poll('agreement_status_changed', items, { change });
    expect((await run()).map(({ id, change, changed_at }) => [id, change, changed_at])).toEqual([
      ['a2-signed', 'Signed', '2026-01-03T00:00:00.000Z'],
      ['a1-out_for_signature', 'Out for signature', '2026-01-02T00:00:00.000Z'],
    ]);
    expect(await run('')).toHaveLength(2);
    expect(getIds(await run(' Completed '))).toEqual(['a2-completed']);
    for (const status of ['declined', 'voided', 'expired'])
      expect(await poll('agreement_status_changed', [{ id: 'a', status }], { change: status })).toMatchObject([
        { agreement_id: 'a', status, change: `${status[0]?.toUpperCase()}${status.slice(1)}` },
      ]);
    await expect(run('eaten')).rejects.toThrow(texts.eatenListFieldChange);
  });
  test.each([
    ['proposal_accepted', undefined, ['accepted', 'won', 'completed'], 'p-accepted'],
    [
      'agreement_status_changed',
      'sent',
      ['sent', 'delivered', 'pending', 'Awaiting signature', 'inprogress'],
      'p-sent',
    ],
  ])('of %s with the change %s runs once for %j', async (key, change, statuses, id) => {
    for (const status of statuses)
      expect(getIds(await poll(key, [{ id: 'p', name: 'P', status }], { change }))).toEqual([id]);
  });
});

/** The first 450 rooms are old; all later ones are newer than any Zap. */
const room = (at: number): Item => ({
  id: `r${at}`,
  created_at: new Date(Date.UTC(at < 450 ? 2020 : 2999, 0, 1) + at * 60_000).toISOString(),
});
const rooms = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => room(from + index));
const OLD_ROOMS = rooms(0, 450);

function watch(items: readonly Item[] = OLD_ROOMS) {
  const state = { items, withhold: (_: ZapCall): ZapAnswer => undefined };
  const step = serveList(() => state.items, { withhold: (call) => state.withhold(call) });
  const look = async () => {
    step.calls.length = 0;
    return getIds(await step.trigger('new_room', ZAP));
  };
  const become = (next: readonly Item[], withhold: typeof state.withhold = () => undefined) =>
    Object.assign(state, { items: next, withhold });
  return { ...step, look, become, cursors: () => step.calls.map(({ query }) => query['cursor'] ?? 'first') };
}

describe('a long list that ends with the newest', () => {
  test('is read from its last known page on', async () => {
    const { look, become, cursors } = watch();
    expect(await look()).toEqual([]);
    become([...OLD_ROOMS, ...rooms(450, 452)]);
    expect(await look()).toEqual(['r451', 'r450']);
    expect(cursors()).toEqual(['400']);
    become([...OLD_ROOMS, ...rooms(450, 520)]);
    expect(await look()).toHaveLength(70);
    become([...OLD_ROOMS, ...rooms(450, 521)]);
    expect(await look()).toContain('r520');
    expect(cursors()).toEqual(['500']);
  });
  test('is read again from the start if that page has lost its last record', async () => {
    const { look, become, cursors } = watch();
    await look();
    become([...OLD_ROOMS.slice(0, 405), room(450)]);
    expect(await look()).toContain('r450');
    expect([cursors()[0], cursors().includes('first')]).toEqual(['400', true]);
  });
  test.each([
    [404, true],
    [422, true],
    [403, false],
  ])('and responds with %i for that page is read from the start: %s', async (status, isRestarted) => {
    const { look, become, cursors } = watch();
    await look();
    become([...OLD_ROOMS, room(450)], ({ query }) => (query['cursor'] === '400' ? { status, json: {} } : undefined));
    await outcomeOf(look());
    expect(cursors().includes('first')).toBe(isRestarted);
  });
  test.each(['100', '300'])('and rejects page %s does not end there', async (from) => {
    const { look, become } = watch();
    become(OLD_ROOMS, ({ query }) => (query['cursor'] === from ? { status: 403, json: {} } : undefined));
    await expect(look()).rejects.toThrow(texts.apiKeyLacksPermissionRooms);
    become([...OLD_ROOMS, room(450)]);
    expect(await look()).toContain('r450');
  });
});

test.each([2, 70])('new undated records run the Zap if the list of %i becomes too long for one poll', async (count) => {
  const rooms = (to: number) => Array.from({ length: to }, (_, at) => ({ id: `r${at}` }));
  let items = rooms(count);
  const { trigger } = serveList(() => items, { pageSize: 2 });
  const look = async () => getIds(await trigger('new_room', ZAP));
  expect(await look()).toEqual(getIds(items));
  items = rooms(90);
  expect([...(await look()), ...(await look())]).toEqual(getIds(items).slice(count));
});

test('an old record that moves up because newer ones were deleted does not run the Zap', async () => {
  const daily = (day: number) => ({ id: `r${day}`, created_at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString() });
  const items = Array.from({ length: 130 }, (_, index) => daily(129 - index));
  const { look, become } = watch(items);
  expect(await look()).toHaveLength(100);
  // The newest record remains, and the last 40 of the first poll; one is new.
  become([daily(130), ...items.slice(0, 1), ...items.slice(60)]);
  expect(await look()).toEqual(['r130', 'r129']);
});

test('records with the same time as the last one run the Zap, on the second page too', async () => {
  const at = (id: number, second: number) => ({ id: `r${id}`, created_at: `2026-01-01T00:00:0${second}Z` });
  const first = [at(1, 5), at(0, 0)];
  const { look, become } = watch(first);
  expect(await look()).toEqual(['r1', 'r0']);
  become([at(300, 6), ...Array.from({ length: 120 }, (_, index) => at(200 - index, 5)), ...first]);
  expect(await look()).toEqual(expect.arrayContaining(['r300', 'r200', 'r81']));
});

describe('the state of a trigger', () => {
  const contact = (version: string): Item => ({ id: 'c1', email: 'a@a.test', updated_at: OLD, company: version });
  test('is stored for a month, for its own Zap and connection', async () => {
    const { trigger, z } = watch();
    const stored: unknown[][] = [];
    z.cache.set = async (...args: unknown[]) => stored.push(args) > 0;
    await trigger('new_room', { meta: { zap: { id: '7' } } });
    await trigger('new_room');
    expect(stored.map(([key, , ...rest]) => [key, ...rest])).toEqual([
      ['look-new_room-7', 2_592_000, ['auth']],
      ['look-new_room-none', 2_592_000, ['auth']],
    ]);
  });
  test('is forgotten when the Zap is turned on: the list is read from its start', async () => {
    const { trigger, look, calls, cursors } = watch();
    await look();
    calls.length = 0;
    await trigger('new_room', { meta: { ...ZAP.meta, isPopulatingDedupe: true } });
    expect(cursors()[0]).toBe('first');
  });
  test('starts with the time of the newest record, unless that is in the future', async () => {
    const { look, cache } = watch([...OLD_ROOMS, room(450)]);
    await look();
    const [state] = [...cache.values()] as { since: string }[];
    expect(Date.parse(state?.since ?? '')).toBeLessThanOrEqual(Date.now());
  });
  test.each<unknown>([
    'x',
    {},
    { since: '2026-01-01', mode: 'scan', seen: 7, completedPasses: 'x' },
    { since: '2026-01-01', mode: 'both', partial: 1, top: 'a', newest: 7, from: {} },
  ])('may be %j of another version: the poll still works', async (stored) => {
    const { trigger, cache } = zapStep(() => ({ json: [contact('1')] }));
    await trigger('updated_contact', ZAP);
    for (const key of cache.keys()) cache.set(key, stored);
    expect(await trigger('updated_contact', ZAP)).toBeInstanceOf(Array);
  });
});

const down = () => Promise.reject(new Error('down'));
test('if the cache fails for a moment, it is read again; for long, the poll is postponed and misses nothing', async () => {
  const { look, become, z } = watch();
  await look();
  become([...OLD_ROOMS, room(450)]);
  const { get } = z.cache;
  z.cache.get = down;
  expect(await outcomeOf(look())).toMatch(new RegExp(`^ThrottledError: .*${texts.soItSkippedThisCheck}`));
  let reads = 0;
  z.cache.get = async (key: string) => (reads++ ? get(key) : down());
  expect(await look()).toEqual(['r450']);
});
