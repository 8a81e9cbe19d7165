/** What a Zap remembers between two looks at a list, and which entries are news by it: each once, and nothing from before. */
import { describe, expect, test } from 'vitest';
import type { Bundle } from 'zapier-platform-core';
import type { PageCursor } from '../../../../zapier/platform/client-core.ts';
import { room } from '../../../../zapier/records/kinds.ts';
import { defineNewRecordTrigger } from '../../../../zapier/triggers/define-list-trigger.ts';
import { saveTail } from '../../../../zapier/triggers/incremental-poll.ts';
import { findChangesInScan, type PollSource } from '../../../../zapier/triggers/poll-changes.ts';
import {
  createPollStateStore,
  createSeenEntries,
  getFirstPollTime,
  type PollState,
} from '../../../../zapier/triggers/poll-state.ts';
import { updatedContact } from '../../../../zapier/triggers/updated-contact.ts';
import { createStub } from '../../../support/create-stub.ts';
import { zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

const newRoom = defineNewRecordTrigger(room, 'Triggers when a room is created.');

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);
const bundleOf = (meta: object) => createStub<Bundle>({ meta });
const NOWHERE = zapStep(() => undefined);
const OLD = '2026-01-01T00:00:00.000Z';
const SINCE = '2026-02-01T00:00:00.000Z';
const NEW = '2026-03-01T00:00:00.000Z';

describe('a memory', () => {
  const of = (zap: string, more = {}) =>
    createPollStateStore(NOWHERE.z, bundleOf({ zap: { id: zap }, ...more }), 'new_room');
  test('is that of one Zap: what one has seen is news to another', async () => {
    expect(await of('1').save({ since: SINCE })).toBe(true);
    expect(await of('1').load()).toEqual({ since: SINCE });
    expect(await of('2').load()).toBeUndefined();
  });
  test('of a test in the editor, which is no Zap, is none of a Zap', async () => {
    const editor = () => createPollStateStore(NOWHERE.z, bundleOf({}), 'new_room');
    const bare = () => createPollStateStore(NOWHERE.z, createStub<Bundle>({}), 'new_room');
    expect(await editor().load()).toBeUndefined();
    await editor().save({ since: OLD });
    expect(await bare().load()).toEqual({ since: OLD });
    expect(await of('6').load()).toBeUndefined();
  });
  test('lasts for a month without a look, and is that of its own connection alone', async () => {
    const { z } = zapStep(() => undefined);
    const kept: unknown[] = [];
    z.cache.set = async (...args: unknown[]) => kept.push(args) > 0;
    await createPollStateStore(z, bundleOf({ zap: { id: '7' } }), 'new_room').save({ since: SINCE });
    expect(kept).toEqual([['look-new_room-7', { since: SINCE }, 2_592_000, ['auth']]]);
  });
  test.each(['top', 'sorted', 'tail', 'scan'] as const)('holds that the next look goes by %s', async (mode) => {
    const known = { since: SINCE, partial: true, mode, top: ['a'], newest: NEW, completedPasses: 2, seen: 'x' };
    await of('8').save(known);
    expect(await of('8').load()).toEqual(known);
  });
  test('holds the way to a page, and not how long the list was, which would end the next look there', async () => {
    const steps = [{ by: 'cursor', query: { cursor: 'c' } }];
    const from = { steps, explicit: true, fingerprint: 'p', read: 100 };
    await of('4').save({ since: SINCE, from: createStub<PageCursor>({ ...from, total: 130 }) });
    expect(await of('4').load()).toEqual({ since: SINCE, from });
  });
  test('of another form counts part by part: a Zap goes on with what can be read', async () => {
    const other = {
      since: SINCE,
      partial: 1,
      mode: 'both',
      top: 'a',
      newest: 7,
      from: {},
      completedPasses: '1',
      seen: [],
    };
    await of('5').save(createStub<PollState>({ ...other, anchor: 'a' }));
    expect(await of('5').load()).toEqual({ since: SINCE, anchor: 'a' });
    await of('5').save(createStub<PollState>({ since: 7, anchor: 'a' }));
    expect(await of('5').load()).toBeUndefined();
  });
  test('that the platform refuses is told', async () => {
    const { z } = zapStep(() => undefined);
    const down = () => Promise.reject(new Error('down'));
    Object.assign(z.cache, { set: down });
    const own = createPollStateStore(z, bundleOf({}), 'new_room');
    expect(await own.save({ since: SINCE })).toBe(false);
    const cut = { kind: 'whole', items: [{ id: 'a' }] } as const;
    await expect(findChangesInScan(poll, own, { state: { since: SINCE }, result: cut })).rejects.toThrow(
      'could not be remembered',
    );
  });
  test('is none where a Zap is turned on: what was made while it was off is no news', async () => {
    await of('3').save({ since: SINCE });
    expect(await of('3', { isPopulatingDedupe: true }).load()).toBeUndefined();
  });
});

test.each([
  ['a time of the past', OLD, true],
  ['a time that is yet to come, before which nothing would be news', '2999-01-01T00:00:00.000Z', false],
  ['none', undefined, false],
])('a first look is dated by the newest entry: %s', (_, newest, isTaken) => {
  const since = getFirstPollTime(newest);
  expect(since === newest).toBe(isTaken);
  expect(since <= new Date().toISOString()).toBe(true);
});

/** Entries by their ids and times. */
const poll: PollSource = {
  list: () => {
    throw new Error('Nothing is to be asked.');
  },
  trigger: 'new_room',
  getId: ({ id }) => String(id),
  getTime: ({ at }) => (typeof at === 'string' ? at : undefined),
  getVersion: ({ version }) => String(version),
};
const ITEMS: readonly Item[] = [{ id: 'old', at: OLD }, { id: 'new', at: NEW }, { id: 'undated' }];

describe('what a Zap has seen', () => {
  test('is unknown once, known then, and changed once for each version', () => {
    const seen = createSeenEntries();
    const verdicts = ['1', '1', '2', '2', '1'].map((version) => seen.markSeen('a', version));
    expect(verdicts).toEqual(['unknown', 'known', 'changed', 'known', 'changed']);
    expect(seen.markSeen('b', '1')).toBe('unknown');
  });
  test('is the same when it is read again, in eleven letters an entry', () => {
    const seen = createSeenEntries();
    for (const id of ['a', 'b', 'c']) seen.markSeen(id, '1');
    expect(seen.toString()).toHaveLength(33);
    const again = createSeenEntries(seen.toString());
    expect(['a', 'b', 'c', 'd'].map((id) => again.has(id))).toEqual([true, true, true, false]);
    expect([again.markSeen('b', '1'), again.markSeen('c', '2')]).toEqual(['known', 'changed']);
  });
  test('is empty before the first entry, and not after it', () => {
    for (const seen of [createSeenEntries(), createSeenEntries('')]) {
      expect([seen.isEmpty(), seen.has('a'), seen.toString()]).toEqual([true, false, '']);
      seen.markSeen('a', '1');
      expect([seen.isEmpty(), seen.has('a')]).toEqual([false, true]);
    }
  });
  test('is too much beyond 20,000 entries, which is what the platform keeps', () => {
    const seen = createSeenEntries(
      Array.from({ length: 19_999 }, (_, at) => `${at}`.padStart(7, '0').padEnd(11, '-')).join(''),
    );
    expect(seen.isFull()).toBe(false);
    seen.markSeen('one more', '1');
    expect(seen.isFull()).toBe(true);
  });
});

describe('of a list that is not read whole, news is', () => {
  const looks = () => createPollStateStore(zapStep(() => undefined).z, bundleOf({}), 'new_room');
  const walked = { kind: 'whole', items: ITEMS } as const;
  const part = { kind: 'part', readItems: ITEMS, reason: 'too long' } as const;
  test.each<[string, PollState, string[]]>([
    ['in the first round what is dated since the Zap is on', { since: SINCE }, ['new']],
    ['later also what has no date', { since: SINCE, completedPasses: 1 }, ['new', 'undated']],
  ])('%s', async (_, known, ids) => {
    expect(idsOf(await findChangesInScan(poll, looks(), { state: known, result: walked }))).toEqual(ids);
    expect(idsOf(await saveTail(poll, looks(), { state: known, result: walked }))).toEqual(ids);
  });
  test('what was read of it so far: a look that is cut short has reached no end', async () => {
    const own = looks();
    const cursor = createStub<PageCursor>({
      steps: [{ by: 'cursor', query: { cursor: 'c' } }],
      explicit: true,
      fingerprint: 'p',
      read: 3,
    });
    const kept = { since: SINCE, partial: true, seen: expect.any(String), from: cursor };
    await saveTail(poll, own, { state: { since: SINCE }, result: { ...part, cursor } });
    expect(await own.load()).toEqual({ ...kept, mode: 'tail', completedPasses: 0 });
    await saveTail(poll, own, { state: { since: SINCE }, result: { ...walked, lastCursor: cursor } });
    expect(await own.load()).toEqual({ ...kept, mode: 'tail', completedPasses: 1, anchor: 'undated' });
    await findChangesInScan(poll, own, { state: { since: SINCE }, result: { ...part, cursor } });
    expect(await own.load()).toMatchObject({ ...kept, mode: 'scan', completedPasses: 0 });
  });
  test('what differs from what was seen, once', async () => {
    const own = looks();
    const entry = (version: string) => ({ kind: 'whole', items: [{ id: 'a', version }] }) as const;
    await findChangesInScan(poll, own, { state: { since: SINCE }, result: entry('1') });
    const known = async () => (await own.load()) ?? { since: SINCE };
    expect(await findChangesInScan(poll, own, { state: await known(), result: entry('1') })).toEqual([]);
    expect(idsOf(await findChangesInScan(poll, own, { state: await known(), result: entry('2') }))).toEqual(['a']);
    expect(await findChangesInScan(poll, own, { state: await known(), result: entry('2') })).toEqual([]);
  });
});

describe('with a cache that fails', () => {
  const down = async () => {
    throw new Error('down');
  };
  // Longer than is read whole each time, and it ends with the newest.
  const rooms = () =>
    Array.from({ length: 500 }, (_, index) => ({
      id: `r${index}`,
      created_at: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
    }));
  const watch = () => {
    const all = rooms();
    const step = zapStep(({ query }) => {
      const at = Number(query['cursor'] ?? 0);
      const more = at + 100 < all.length ? { next_cursor: String(at + 100) } : {};
      return { json: { data: all.slice(at, at + 100), ...more } };
    });
    const look = async () => idsOf(await step.run<Item[]>(perform(newRoom), { meta: { zap: { id: '1' } } as never }));
    return { all, look, cache: step.z.cache, kept: step.cache };
  };
  test('for long a look is put off, and the next one gives what came since the last', async () => {
    const { all, look, cache, kept } = watch();
    await look();
    for (const [key, value] of kept) kept.set(key, { ...(value as Item), since: SINCE });
    all.push({ id: 'new', created_at: NEW });
    const { get } = cache;
    cache.get = down;
    await expect(look()).rejects.toMatchObject({
      name: 'ThrottledError',
      message: expect.stringContaining(texts.soItSkippedThisCheck),
    });
    cache.get = get;
    expect(await look()).toEqual(['new']);
  });
  test('now and then, it is asked again', async () => {
    const { all, look, cache, kept } = watch();
    await look();
    for (const [key, value] of kept) kept.set(key, { ...(value as Item), since: SINCE });
    all.push({ id: 'new', created_at: NEW });
    const { get } = cache;
    let asked = 0;
    cache.get = async (key: string) => (asked++ ? get(key) : down());
    expect(await look()).toEqual(['new']);
  });
  test('so that nothing can be kept, the trigger says so where it would pass over what comes', async () => {
    const { look, cache } = watch();
    cache.set = down;
    await expect(look()).rejects.toThrow(texts.triggerCouldCheckWhole);
  });
});

test('an old record that comes up where newer ones were deleted runs no Zap', async () => {
  const first = Date.UTC(2026, 0, 1);
  const room = (day: number) => ({ id: `r${day}`, created_at: new Date(first + day * 86_400_000).toISOString() });
  let rooms = Array.from({ length: 130 }, (_, index) => room(129 - index));
  const step = zapStep(({ query }) => {
    const at = Number(query['cursor'] ?? 0);
    const more = at + 100 < rooms.length ? { next_cursor: String(at + 100) } : {};
    return { json: { data: rooms.slice(at, at + 100), ...more } };
  });
  const look = async () => idsOf(await step.run<Item[]>(perform(newRoom), { meta: { zap: { id: '1' } } as never }));
  expect(await look()).toHaveLength(100);
  // Those that the first look saw, but the newest and the oldest; and a new one.
  rooms = [room(130), ...rooms.slice(0, 1), ...rooms.slice(60)];
  expect(await look()).toEqual(['r130', 'r129']);
});

test('records that were made in the very moment of the last one run the Zap, on a second page too', async () => {
  const room = (index: number, second: number) => ({
    id: `r${index}`,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  });
  let rooms = [room(1, 5), room(0, 0)];
  const step = zapStep(({ query }) => {
    const at = Number(query['cursor'] ?? 0);
    const more = at + 100 < rooms.length ? { next_cursor: String(at + 100) } : {};
    return { json: { data: rooms.slice(at, at + 100), ...more } };
  });
  const look = async () => idsOf(await step.run<Item[]>(perform(newRoom), { meta: { zap: { id: '1' } } as never }));
  expect(await look()).toEqual(['r1', 'r0']);
  const others = Array.from({ length: 120 }, (_, index) => room(200 - index, 5));
  rooms = [room(300, 6), ...others, ...rooms];
  expect(await look()).toEqual(expect.arrayContaining(['r300', 'r200', 'r81']));
});

test('a contact that says only when it was made is news again when it holds something else', async () => {
  const contact = { id: 'c1', email: 'a@a.test', created_at: OLD };
  const look = (item: Item) => zapStep(() => ({ json: { data: [item] } })).run<Item[]>(perform(updatedContact));
  const [before] = await look(contact);
  expect(idsOf(await look({ ...contact }))).toEqual([before?.['id']]);
  const [after] = await look({ ...contact, company: 'Acme' });
  expect(after).toMatchObject({ contact_id: 'c1', company: 'Acme' });
  expect(after?.['id']).not.toBe(before?.['id']);
});
