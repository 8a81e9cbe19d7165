import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, type TestContext, test } from 'vitest';
import {
  hasRedis,
  NO_REDIS,
  openRedisState,
  SECRET,
  type SharedState,
  StateUnavailableError,
  startRedis,
} from '../../support/redis-server.ts';

/** Runs concurrently, because each test mostly waits. Each has its own Redis. */
async function withRedis({ expect, onTestFinished }: TestContext, args?: readonly string[]) {
  const redis = await startRedis(args);
  onTestFinished(redis.close);
  const open = ({ url = redis.url, ...options }: { secrets?: string[]; holdMs?: number; url?: string } = {}) =>
    openRedisState({ onTestFinished }, { redisUrl: url, ...options });
  const connect = async (options: Parameters<typeof open>[0] = {}) => {
    const server = await open(options);
    await until(() => server.state.getStatus().up);
    return server;
  };
  const away = (promise: Promise<unknown>) => expect(promise).rejects.toBeInstanceOf(StateUnavailableError);
  return { redis, open, connect, away, expect };
}

const soon = () => Date.now() + 60_000;
const until = async (holds: () => boolean) => {
  while (!holds()) await sleep(5);
};
const eventually = async (holds: () => Promise<boolean>) => {
  while (!(await holds().catch(() => false))) await sleep(5);
};
const up = async (...all: { state: SharedState }[]) => {
  for (const { state } of all) await until(() => state.getStatus().up);
};
const title = `servers that share a Redis${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
describe.skipIf(!hasRedis)(title, { concurrent: true }, () => {
  test('see each other’s entries, and only one wins a claim or a swap', async (context) => {
    const { connect, expect } = await withRedis(context);
    const [one, two] = [await connect(), await connect()];
    await one.state.put('k', { text: '…' }, soon());
    expect(await two.state.get('k')).toEqual({ text: '…' });
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, index) => [one, two][index % 2]?.state.putIfAbsent('c', { index }, soon())),
    );
    expect(claims.filter((standing) => standing === undefined)).toHaveLength(1);
    const from = (await one.state.get('c')) ?? {};
    const swaps = await Promise.all(
      [one, two, one, two].map(({ state }, to) => state.compareAndSwap('c', { from, to: { to }, until: soon() })),
    );
    expect(swaps.filter(Boolean)).toHaveLength(1);
    await two.state.remove('c');
    expect(await one.state.get('c')).toBeUndefined();
    await one.state.put('short', {}, Date.now() + 30);
    await sleep(40);
    expect(await two.state.get('short')).toBeUndefined();
    expect(one.state.secret.equals(two.state.secret)).toBe(true);
  });

  test('store nothing readable in it', async (context) => {
    const { connect, expect, redis } = await withRedis(context);
    const one = await connect();
    await one.state.put('the name of a link', { text: 'what a person wrote' }, soon());
    await one.state.limit?.take({ id: 'an id of a key', requests: 5, windowMs: 1000, start: 's', now: 0 });
    const { Redis } = await import('ioredis');
    const raw = new Redis(redis.url);
    const keys = await raw.keys('*');
    const values: unknown[] = [];
    for (const key of keys)
      values.push((await raw.type(key)) === 'string' ? await raw.get(key) : await raw.zrange(key, '0', '-1'));
    const all = JSON.stringify([keys, values]);
    raw.disconnect();
    expect(keys.length).toBeGreaterThan(3);
    for (const text of ['name of a link', 'person wrote', 'id of a key', SECRET, 'since'])
      expect(all).not.toContain(text);
    for (const key of keys) expect(key).toMatch(/^docshare:\{state\}:[\w-]{43}$/);
  });

  test('an entry that was moved or changed in Redis is rejected', async (context) => {
    const { away, connect, expect, redis } = await withRedis(context);
    const one = await connect();
    await one.state.put('mine', { a: 1 }, soon());
    const { Redis } = await import('ioredis');
    const raw = new Redis(redis.url);
    const before = await raw.keys('*');
    await one.state.put('yours', { b: 1 }, soon());
    const key = (await raw.keys('*')).find((one) => !before.includes(one)) ?? '';
    const sealed = await Promise.all(
      before.map(async (other) => ((await raw.type(other)) === 'string' ? raw.get(other) : null)),
    );
    for (const value of [...sealed.filter((one) => (one?.length ?? 0) > 100), 'nonsense', '']) {
      await raw.set(key, value ?? '');
      await away(one.state.get('yours'));
      await away(one.state.putIfAbsent('yours', {}, soon()));
    }
    raw.disconnect();
    expect(one.state.getStatus().up).toBe(true);
  });

  test('secrets rotate without an interruption, and another secret reads nothing', async (context) => {
    const { connect, expect } = await withRedis(context);
    const [old, both, fresh] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
    const one = await connect({ secrets: [old] });
    await one.state.put('k', { a: 1 }, soon());
    const two = await connect({ secrets: [both, old] });
    expect(await two.state.get('k')).toEqual({ a: 1 });
    const three = await connect({ secrets: [both] });
    expect(await three.state.get('k')).toEqual({ a: 1 });
    const stranger = await connect({ secrets: [fresh] });
    expect(await stranger.state.get('k')).toBeUndefined();
    expect(stranger.state.secret.equals(one.state.secret)).toBe(false);
  });

  test('while it is away or silent, one-time actions are rejected, and finished ones are stored when it is back', async (context) => {
    const { away, connect, expect, redis } = await withRedis(context);
    const [one, two] = [await connect(), await connect()];
    for (const fail of ['kill', 'freeze'] as const) {
      await redis[fail]();
      await away(one.state.putIfAbsent(fail, { by: 'one' }, soon()));
      await away(one.state.get('k'));
      await away(one.state.put('k', {}, soon()));
      expect(one.changes.at(-1)?.status).toMatchObject({ up: false, hasConnected: true });
      await one.state.writeEventually(`noted ${fail}`, { late: true }, soon());
      if (fail === 'kill') await redis.start();
      else redis.thaw();
      await up(one, two);
      expect(await two.state.get(`noted ${fail}`)).toEqual({ late: true });
      // The claim was rejected, so nobody holds it.
      expect(await two.state.putIfAbsent(fail, { by: 'two' }, soon())).toBeUndefined();
    }
    // Longer than a heartbeat, which reports nothing new.
    await sleep(2200);
    expect(one.changes.filter(({ status }) => status.up)).toHaveLength(3);
  });

  test('a Redis that comes back empty gets another secret, so that old tokens are invalid', async (context) => {
    const { connect, expect, redis } = await withRedis(context);
    const [one, two] = [await connect(), await connect()];
    const before = Buffer.from(one.state.secret);
    await one.state.putIfAbsent('spent', {}, soon());
    await redis.kill();
    await until(() => !one.state.getStatus().up && !two.state.getStatus().up);
    await redis.start({ empty: true });
    await up(one, two);
    await until(() => one.state.secret.equals(two.state.secret));
    expect(one.state.secret.equals(before)).toBe(false);
    await eventually(async () => (await two.state.get('spent')) === undefined);
    expect(await one.state.putIfAbsent('spent', { by: 'one' }, soon())).toBeUndefined();
    await eventually(async () => (await two.state.get('spent')) !== undefined);
  });

  test('a revocation while Redis is away counts at this server at once, and at the others when it is back', async (context) => {
    const { away, connect, expect, redis } = await withRedis(context);
    const [one, two] = [await connect(), await connect()];
    await redis.kill();
    await until(() => !one.state.getStatus().up && !two.state.getStatus().up);
    expect(await one.state.writeEventually('ended', {}, Date.now() + 60 * 24 * 3_600_000)).toBe(false);
    expect(await one.state.get('ended')).toEqual({});
    await away(two.state.get('ended'));
    await redis.start();
    await up(one, two);
    await eventually(async () => (await two.state.get('ended')) !== undefined);
  });

  describe('share one rate limit', () => {
    const limit = {
      ...{ requests: 12, windowMs: 1500, now: 0 },
      get start() {
        return randomUUID();
      },
    };
    /** A start was booked at some time between these two. */
    interface Start {
      readonly asked: number;
      readonly given: number;
    }

    /** Takes request slots at all servers at once until it is stopped. */
    function keepTaking(id: string, servers: { state: SharedState }[]) {
      const starts: Start[] = [];
      let isStopped = false;
      const takers = servers.map(async ({ state }) => {
        while (!isStopped) {
          const asked = performance.now();
          const waitMs = await state.limit?.take({ ...limit, id });
          if (waitMs === 0) starts.push({ asked, given: performance.now() });
          await sleep(Math.min(waitMs ?? 0, 50) + 2);
        }
      });
      return {
        starts,
        /** Resolves when `count` slots that were requested after now have been given. */
        more(count: number) {
          const from = performance.now();
          return until(() => starts.filter(({ asked }) => asked > from).length >= count);
        },
        async stop() {
          isStopped = true;
          await Promise.all(takers);
        },
      };
    }
    /** Clocks are read in whole milliseconds, by two programs. */
    const TICK_MS = 5;
    /** The maximum that certainly began within one window, however late this process was notified. */
    const most = (starts: readonly Start[]) =>
      Math.max(
        ...starts.map(
          ({ asked: from }) =>
            starts.filter(({ asked, given }) => asked >= from && given < from + limit.windowMs - TICK_MS).length,
        ),
      );

    test('and use all of it, but not more', async (context) => {
      const { connect, expect } = await withRedis(context);
      const servers = [await connect(), await connect(), await connect()];
      const taking = keepTaking('plain', servers);
      await taking.more(2 * limit.requests + 1);
      await taking.stop();
      expect(most(taking.starts)).toBeLessThanOrEqual(limit.requests);
    });

    test.for(['kill', 'freeze'] as const)(
      'and each server keeps to its share while Redis is away (%s), and for one window after that',
      async (fail, context) => {
        const { connect, expect, redis } = await withRedis(context);
        const servers = [await connect(), await connect(), await connect()];
        await until(() => servers.every(({ state }) => state.getStatus().replicas >= 3));
        const taking = keepTaking('troubled', servers);
        await taking.more(limit.requests);
        await redis[fail]();
        await until(() => servers.every(({ state }) => !state.getStatus().up));
        // The starts of the others are unknown, so only after a window do the shares alone apply.
        await sleep(limit.windowMs);
        const from = performance.now();
        await taking.more(limit.requests);
        if (fail === 'kill') await redis.start();
        else redis.thaw();
        await up(...servers);
        await until(() => servers.every(({ state }) => state.getStatus().holdMs === 0));
        await taking.more(2 * limit.requests);
        expect(most(taking.starts.filter(({ asked }) => asked >= from))).toBeLessThanOrEqual(limit.requests);
        await taking.stop();
      },
    );

    test('and a delayed start counts for all from its real time', async (context) => {
      const { connect, expect } = await withRedis(context);
      const [one, two] = [await connect(), await connect()];
      const id = 'late';
      const request = { ...limit, id, requests: 2, windowMs: 6000, start: 'own' };
      while ((await one.state.limit?.take(request)) !== 0) await sleep(20);
      const takenBy = performance.now();
      await sleep(1000);
      const renewedAt = performance.now();
      await one.state.limit?.renew?.(request);
      const other = { ...limit, id, requests: 2, windowMs: 6000 };
      while ((await two.state.limit?.take({ ...other, start: 'other' })) !== 0) await sleep(20);
      const waitMs = (await two.state.limit?.take({ ...other, start: 'third' })) ?? 0;
      // Of the two entries, the delayed one expires first, one window after it was renewed.
      const endsAt = performance.now() + waitMs;
      expect(endsAt - renewedAt).toBeGreaterThan(5900);
      expect(endsAt - takenBy).toBeGreaterThan(6900);
    });

    test('and a pause at one pauses all, and a lost history pauses all for one window', async (context) => {
      const { connect, expect, open, redis } = await withRedis(context);
      const [one, two] = [await connect(), await connect({ holdMs: 700 })];
      one.state.limit?.pause('paused', Date.now() + 60_000);
      await sleep(50);
      expect(await two.state.limit?.take({ ...limit, id: 'paused' })).toBeGreaterThan(50_000);
      await redis.kill();
      await until(() => !one.state.getStatus().up && !two.state.getStatus().up);
      await two.state.close();
      const three = await open({ holdMs: 700 });
      await redis.start({ empty: true });
      await up(three, one);
      const waitMs = (await three.state.limit?.take({ ...limit, id: 'other' })) ?? 0;
      expect(three.state.getStatus().holdMs === 0 || waitMs > 0).toBe(true);
    });
  });
});
