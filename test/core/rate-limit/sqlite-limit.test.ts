/** The SQLite file in which processes count their starts: keys and pauses are independent. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteLimitStore } from '../../../src/index.ts';
import { createFolderForTest } from '../../support/cleanup.ts';

const WINDOW_MS = 60_000;

async function openFile() {
  const store = await openSqliteLimitStore(join(createFolderForTest('docshare-sqlite-limit-'), 'limit.db'));
  onTestFinished(() => void store.close());
  let starts = 0;
  const take = (id: string) =>
    Number(store.take({ id, requests: 2, windowMs: WINDOW_MS, start: `s${++starts}`, now: Date.now() }));
  return { store, take };
}

test('the starts of one key do not count for another', async () => {
  const { take } = await openFile();
  expect([take('a'), take('a'), take('b'), take('b')]).toEqual([0, 0, 0, 0]);
  expect(take('a')).toBeGreaterThan(WINDOW_MS / 2);
  expect(take('c')).toBe(0);
});

test('a pause stops only its own key, for the longest requested time, even beyond a window', async () => {
  const { store, take } = await openFile();
  for (const [ms, least, most] of [
    [20_000, 10_000, 20_000],
    [1000, 10_000, 20_000],
    [3_600_000, 3_000_000, 3_600_000],
    [-5000, 3_000_000, 3_600_000],
  ] as const) {
    await store.pause('a', Date.now() + ms);
    expect(take('a')).toBeGreaterThan(least);
    expect(take('a')).toBeLessThanOrEqual(most);
  }
  expect(take('b')).toBe(0);
});

test('a start that cannot be recorded leaves the file unlocked', async () => {
  const { store, take } = await openFile();
  const wrong = { id: {} as never, requests: 2, windowMs: WINDOW_MS, start: 's', now: 0 };
  expect(() => store.take(wrong)).toThrow();
  expect(take('a')).toBe(0);
});
