import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acquireBodySlot, type BodyReader, setBodyBudget } from '../../../../src/transport/body-budget.ts';
import { readBodyBytes } from '../../../../src/transport/transport.ts';

const MIB = 1024 * 1024;
/** Four places for bodies up to 4 MiB, and one for larger ones. */
beforeEach(() => setBodyBudget(48 * MIB));
afterEach(() => setBodyBudget(256 * MIB));

const readerOf = (owner: string, more: Partial<BodyReader> = {}): BodyReader => ({
  ...{ owner, receivedBytes: () => MIB, cancel: () => undefined },
  ...more,
});
async function* bodyOf(bytes: number) {
  for (let sent = 0; sent < bytes; sent += 256 * 1024) yield new Uint8Array(256 * 1024);
}
const read = (bytes: number) => readBodyBytes(bodyOf(bytes), 32 * MIB);
const tick = () => new Promise((done) => setTimeout(done, 20));

test.each([
  ['large', 2, 1],
  ['huge', 6, 3],
] as const)('while all places are taken, a %s body waits and smaller ones do not', async (kind, mib, smallerMib) => {
  setBodyBudget(1);
  const release = await acquireBodySlot(kind, readerOf('a'));
  const order: number[] = [];
  const waiting = read(mib * MIB).then(() => order.push(mib));
  if (kind === 'large') await read(smallerMib * MIB).then(() => order.push(smallerMib));
  await tick();
  expect(order).toEqual(kind === 'large' ? [smallerMib] : []);
  release();
  await waiting;
  expect(order.at(-1)).toBe(mib);
});

test('two thirds of the budget are for huge bodies', async () => {
  setBodyBudget(96 * MIB);
  const releases = await Promise.all(['a', 'b'].map((owner) => acquireBodySlot('huge', readerOf(owner))));
  for (const release of releases) expect(release()).toBeUndefined();
});

test('a body that fails releases its place', async () => {
  setBodyBudget(1);
  async function* broken() {
    yield* bodyOf(2 * MIB);
    throw new Error('reset');
  }
  for (let n = 0; n < 3; n++) await expect(readBodyBytes(broken(), 4 * MIB)).rejects.toThrow('reset');
  (await acquireBodySlot('large', readerOf('a')))();
});

test('the bodies of one owner leave places for other owners, who take turns with it', async () => {
  const order: string[] = [];
  const held: (() => void)[] = [];
  const enter = (owner: string) =>
    void acquireBodySlot('large', readerOf(owner)).then((release) => {
      order.push(owner);
      held.push(release);
    });
  for (let n = 0; n < 20; n++) enter('a');
  await tick();
  for (const owner of ['b', 'c', 'd', 'd']) enter(owner);
  await tick();
  expect(order).toEqual(['a', 'a', 'b', 'c']);
  // The first free place goes to the owner that has none.
  held[0]?.();
  await tick();
  expect(order.at(-1)).toBe('d');
  while (held.length > 0) {
    held.pop()?.();
    await tick();
  }
  expect(order).toHaveLength(24);
});

test('a slow body loses its place only to another owner that waits for one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const cancelled: string[] = [];
  const held: (() => void)[] = [];
  const enter = async (owner: string, bytesPerMs: number) => {
    const since = Date.now();
    const reader = readerOf(owner, {
      receivedBytes: () => (Date.now() - since) * bytesPerMs,
      cancel: () => cancelled.push(owner),
    });
    held.push(await acquireBodySlot('large', reader));
  };
  await Promise.all([enter('a', 1), enter('a', 5000), enter('b', 1)]);
  void enter('a', 1);
  await vi.advanceTimersByTimeAsync(5000);
  // `a` waits only for its own bodies.
  expect(new Set(cancelled)).toEqual(new Set(['a']));
  void enter('c', 5000);
  void enter('d', 5000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(new Set(cancelled)).toEqual(new Set(['a', 'b']));
  vi.useRealTimers();
  while (held.length > 0) {
    held.pop()?.();
    await tick();
  }
});
