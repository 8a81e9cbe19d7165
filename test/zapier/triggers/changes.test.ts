/** Changes in a list that is too long for one poll: several polls read it, and each change runs the Zap once. */
import { expect, test } from 'vitest';
import { type Item, serveList, type ZapCall } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const ZAP = { meta: { zap: { id: '1' } } };
const toIso = (time: number) => new Date(time).toISOString();
const contact = (at: number, more: Item = {}): Item => ({
  id: `c${at}`,
  email: `${at}@a.test`,
  updated_at: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
  ...more,
});

/** A service of 1,000 contacts, 25 per page, that neither sorts nor filters. */
function watch(items = Array.from({ length: 1000 }, (_, at) => contact(at)), rejected: readonly string[] = []) {
  const withhold = ({ query }: ZapCall) => (rejected.some((name) => name in query) ? { status: 400 } : undefined);
  const step = serveList(() => items, { pageSize: 25, withhold });
  const known = new Set<unknown>();
  let polls = 0;
  /** The contacts of one poll that are new to Zapier. Each poll has its own key, because minutes pass between two. */
  const poll = async () => {
    const authData = { apiKey: `key_of_poll_${++polls}_${Math.random()}`, baseUrl: 'https://api.test/api/v1' };
    const records = await step.trigger('updated_contact', { ...ZAP, authData });
    const news = records.filter(({ id }) => !known.has(id));
    for (const { id } of records) known.add(id);
    return news.map((record) => record['contact_id']);
  };
  const reported = async (count: number) => {
    const ids: unknown[] = [];
    for (let turn = 0; turn < count; turn++) ids.push(...(await poll()));
    return ids;
  };
  return { ...step, items, poll, reported };
}

test('a change on any page is reported once', async () => {
  const { items, poll, reported, calls } = watch();
  await poll();
  expect(await reported(5)).toEqual([]);
  items[730] = contact(730, { updated_at: new Date().toISOString() });
  expect(await reported(5)).toEqual(['c730']);
  expect(await reported(4)).toEqual([]);
  calls.length = 0;
  await poll();
  expect(calls.length).toBeLessThanOrEqual(15);
});

test('a list with the latest changes first is read back to the last known change only', async () => {
  const created = (at: number) => ({ created_at: new Date(Date.UTC(2025, 0, 1) - at * 1000).toISOString() });
  const { items, poll, calls } = watch(Array.from({ length: 1000 }, (_, at) => contact(at, created(at))).toReversed());
  await poll();
  items.unshift(contact(1000, { ...created(5), updated_at: new Date().toISOString() }));
  calls.length = 0;
  expect(await poll()).toContain('c1000');
  expect(calls).toHaveLength(1);
});

test.each([
  [0, 'limit'],
  [30, 'updated_since'],
])('a poll with %i new contacts sends at most 15 requests if sort and %s are rejected', async (count, name) => {
  const added = (at: number, time: number) => contact(at, { created_at: toIso(time), updated_at: toIso(time) });
  const old = Array.from({ length: 1000 }, (_, at) => added(at, Date.UTC(2026, 0, 1) - at * 1000));
  const { items, poll, calls } = watch(old, ['sort', name]);
  await poll();
  items.unshift(...Array.from({ length: count }, (_, at) => added(1000 + at, Date.now() + 9000 - at)));
  calls.length = 0;
  expect(await poll()).toHaveLength(count);
  expect(calls.length).toBeLessThanOrEqual(15);
});

test('an edit of the first of many imported contacts, which share their times, hides no later change', async () => {
  const imported = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const { items, reported } = watch(Array.from({ length: 1000 }, (_, at) => contact(at, imported)));
  await reported(2);
  for (const at of [0, 730]) {
    items[at] = contact(at, { ...imported, updated_at: new Date().toISOString() });
    expect(await reported(5)).toEqual([`c${at}`]);
  }
});

test.each([20, 1000])("of %i contacts, a change is reported at once if the service's clock is late", async (count) => {
  const late = (at: number) => contact(at, { updated_at: new Date(Date.now() - 5 * 3_600_000 + at).toISOString() });
  const { items, poll, reported } = watch(Array.from({ length: count }, (_, at) => late(at)));
  await poll();
  items[5] = late(2000);
  items.push(...Array.from({ length: 10 }, (_, at) => late(3000 + at)));
  expect(await reported(5)).toHaveLength(11);
});

test('a contact without times is reported if its content differs, or if it is new after a whole scan', async () => {
  const untimed = (at: number, more: Item = {}) => ({ id: `c${at}`, email: `${at}@a.test`, ...more });
  const { items, reported } = watch(Array.from({ length: 1000 }, (_, at) => untimed(at)));
  await reported(6);
  items[730] = untimed(730, { company: 'Acme' });
  items.push(untimed(1000));
  expect((await reported(6)).toSorted()).toEqual(['c1000', 'c730']);
  expect(await reported(4)).toEqual([]);
});

test('a trigger that could not store its state says so instead of reporting twice', async () => {
  const { poll, z } = watch();
  await poll();
  z.cache.set = () => Promise.reject(new Error('down'));
  await expect(poll()).rejects.toThrow(texts.triggerCouldCheckWhole);
});
