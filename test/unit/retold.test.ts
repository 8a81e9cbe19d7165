/** What a server keeps for a Redis that comes back with less than it had, or owes it. */
import { expect, test } from 'vitest';
import { decryptEntry, encryptEntry } from '../../mcp/state/encrypted-entry.ts';
import type { Encryptor } from '../../mcp/state/encryptor.ts';
import type { RedisCommands } from '../../mcp/state/redis-client.ts';
import type { RedisConnection } from '../../mcp/state/redis-connection.ts';
import { createReplayQueue } from '../../mcp/state/redis-replay.ts';
import { standIn } from '../support/stand-in.ts';

const seal: Encryptor = { encrypt: async (text) => text, decrypt: async (sealed) => sealed };
const MINUTE = 60_000;
const SOON = { entry: { at: 1 }, until: MINUTE };

function open() {
  const clock = { now: 0 };
  const asked: (readonly unknown[])[] = [];
  /** Called with each command before it is answered. */
  const road = { onAsk: async () => {} };
  const command =
    (name: string) =>
    async (...args: unknown[]) => {
      await road.onAsk();
      asked.push([name, ...args]);
      return 1;
    };
  const names = ['set', 'del', 'docsharePutIfAbsent', 'docshareCompareAndSwap'];
  const redis = standIn<RedisCommands>(Object.fromEntries(names.map((name) => [name, command(name)])));
  const link = standIn<RedisConnection>({
    runCommand: (act: (redis: RedisCommands) => Promise<unknown>) => act(redis),
    getKey: (_: string, key: string) => key,
    encryptor: seal,
  });
  const retold = createReplayQueue({ link: () => link, now: () => clock.now });
  /** The names that Redis is told by one command. */
  const told = async (all: boolean, name = 'docsharePutIfAbsent') => {
    asked.length = 0;
    await retold.replay(redis, all);
    return asked.flatMap(([command, key]) => (command === name ? [key] : []));
  };
  return { clock, asked, road, retold, told };
}

test('what was written and ends within minutes is told to a Redis that may have lost it, and to no other', async () => {
  const { retold, told, clock, asked } = open();
  retold.recordWrite('soon', SOON);
  retold.recordWrite('late', { entry: { at: 1 }, until: 12 * MINUTE });
  retold.recordWrite('gone', SOON);
  retold.recordWrite('gone', undefined);
  expect(await told(false)).toEqual([]);
  expect(await told(true)).toEqual(['soon']);
  expect(asked.at(-1)?.at(-1)).toBe(MINUTE);
  clock.now = MINUTE;
  expect(await told(true)).toEqual([]);
});

test('what happened for good is told for as long as it counts, until it is taken back', async () => {
  const { retold, told, clock } = open();
  const month = 30 * 24 * 60 * MINUTE;
  for (const key of ['ended one', 'ended two', 'long'])
    retold.queueWrite(key, { entry: key === 'long' ? { text: 'x'.repeat(64) } : {}, until: month });
  await retold.flush();
  expect(await told(true)).toEqual(['ended one', 'ended two']);
  retold.recordWrite('ended one', undefined);
  clock.now = month / 2;
  expect(await told(true)).toEqual(['ended two']);
  clock.now = month;
  expect(await told(true)).toEqual([]);
});

test('what is owed is known here, and told once: written, or removed where it has ended', async () => {
  const { retold, told, asked, clock } = open();
  retold.queueWrite('one', SOON);
  retold.queueWrite('two', { entry: undefined, until: MINUTE });
  retold.queueWrite('three', { entry: { at: 3 }, until: 1 });
  expect(retold.getPending('one')).toBe(SOON);
  clock.now = 1;
  expect(await told(false, 'set')).toEqual(['one']);
  expect(asked.filter(([name]) => name === 'del')).toEqual([
    ['del', 'two'],
    ['del', 'three'],
  ]);
  expect(retold.getPending('one')).toBeUndefined();
  expect(await told(false, 'set')).toEqual([]);
});

test('what is owed anew while the older is on its way is told behind it', async () => {
  const { retold, asked, road } = open();
  retold.queueWrite('turn', SOON);
  road.onAsk = async () => {
    road.onAsk = async () => {};
    retold.queueWrite('turn', { entry: { at: 2 }, until: MINUTE });
  };
  await retold.flush();
  const sealed = [1, 2].map((at) => `{"entry":{"at":${at}},"key":"turn"}`);
  expect(asked).toEqual(sealed.map((one) => ['set', 'turn', one, 'PX', MINUTE]));
  expect(retold.getPending('turn')).toBeUndefined();
});

test('what Redis takes makes what was owed before it void', async () => {
  const { retold, told } = open();
  retold.queueWrite('turn', { entry: undefined, until: MINUTE });
  retold.recordWrite('turn', SOON);
  expect(retold.getPending('turn')).toBeUndefined();
  expect(await told(false, 'del')).toEqual([]);
});

test('a claim whose answer was lost is taken back, exactly as it was sealed, and once', async () => {
  const { retold, told, asked } = open();
  retold.queueUndo('deed', 'sealed');
  expect(await told(false, 'docshareCompareAndSwap')).toEqual(['deed']);
  expect(asked).toEqual([['docshareCompareAndSwap', 'deed', 'sealed', '', 1]]);
  expect(await told(true, 'docshareCompareAndSwap')).toEqual([]);
});

test('of more than 5,000, or of more than 16 MB, the oldest are let go', async () => {
  const { retold, told } = open();
  for (let at = 0; at <= 5000; at += 1) {
    retold.recordWrite(`kept ${at}`, SOON);
    retold.queueWrite(`owed ${at}`, SOON);
  }
  expect([retold.getPending('owed 0'), retold.getPending('owed 1')]).toEqual([undefined, SOON]);
  expect((await told(true))[0]).toBe('kept 1');
  const large = open();
  const long = { entry: { text: 'x'.repeat(9 * 1024 * 1024) }, until: MINUTE };
  for (const key of ['a', 'b', 'b']) large.retold.recordWrite(key, long);
  expect(await large.told(true)).toEqual(['b']);
});

test('of 10,000 that last the one that stands longest is let go', async () => {
  const { retold, told } = open();
  const month = 30 * 24 * 60 * MINUTE;
  for (let at = 0; at <= 10_000; at += 1) {
    retold.queueWrite(`ended ${at}`, { entry: {}, until: month });
    if (at % 1000 === 0) await retold.flush();
  }
  await retold.flush();
  const names = await told(true);
  expect([names.length, names[0], names.at(-1)]).toEqual([10_000, 'ended 1', 'ended 10000']);
});

test.each([
  ['of another key', await encryptEntry(seal, { key: 'spent b', entry: {} })],
  ['that is no entry', '{"key":"spent a","entry":1}'],
])('an entry %s is no entry of this one: it may be a spent one', async (_, sealed) => {
  await expect(decryptEntry(seal, { key: 'spent a', sealed })).rejects.toMatchObject({ code: 'state_away' });
  const own = await encryptEntry(seal, { key: 'spent a', entry: { at: 1 } });
  expect(await decryptEntry(seal, { key: 'spent a', sealed: own })).toEqual({ at: 1 });
});
