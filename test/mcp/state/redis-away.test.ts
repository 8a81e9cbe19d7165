import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';
import {
  hasRedis,
  NO_REDIS,
  openRedisState as open,
  openRedisState,
  StateUnavailableError,
  startRedis,
} from '../../support/redis-server.ts';

const soon = () => Date.now() + 60_000;

async function start({ onTestFinished }: TestContext, args?: readonly string[]) {
  const redis = await startRedis(args);
  onTestFinished(redis.close);
  const raw = (password?: string) => {
    const client = new Redis(redis.port, '127.0.0.1', password === undefined ? {} : { password });
    client.on('error', () => undefined);
    onTestFinished(() => client.disconnect());
    return client;
  };
  return { redis, raw };
}

// Runs concurrently, because each test mostly waits. Each has its own Redis or server.
describe('a Redis that was never reached', { concurrent: true }, () => {
  test('a cluster has only its first database', async (context) => {
    const { expect } = context;
    await expect(open(context, 'redis-cluster://127.0.0.1:1?db=5')).rejects.toThrow(/^DOCSHARE_REDIS_URL must be/);
    const { state } = await open(context, 'redis-cluster://127.0.0.1:1?db=0');
    expect(state.getStatus().up).toBe(false);
  });

  test.for(['redis', 'redis-cluster'])('an unreachable %s is reported once per reason', async (kind, context) => {
    const { expect, onTestFinished } = context;
    let refusal = 'WRONGPASS invalid username-password pair';
    let refused = 0;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => {
        refused += 1;
        // As many as can be pending at once.
        socket.write(`-${refusal}\r\n`.repeat(6));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { codes } = await open(context, `${kind}://:wrong@127.0.0.1:${port}`);
    const triedMore = async () => {
      const before = refused;
      await expect.poll(() => refused).toBeGreaterThan(before + 3);
    };
    await triedMore();
    expect(codes()).toEqual(['WRONGPASS']);
    refusal = 'LOADING Redis is loading the dataset in memory';
    await expect.poll(codes).toHaveLength(2);
    await triedMore();
    expect(codes()).toEqual(['WRONGPASS', 'LOADING']);
  });

  test.for<[url: string, code: RegExp]>([
    ['redis://127.0.0.1:1', /^ECONNREFUSED$/],
    ['redis://no.such.host.invalid', /^(ENOTFOUND|EAI_AGAIN)$/],
    // The client does not report errors of sentinels and cluster nodes unless these respond.
    ['redis-cluster://127.0.0.1:1', /^no_answer$/],
    ['redis-sentinel://127.0.0.1:1/master', /^no_answer$/],
  ])('%s is reported as unavailable, with the reason', async ([url, code], context) => {
    const { expect } = context;
    const { codes, state } = await open(context, url);
    await expect.poll(codes).toEqual([expect.stringMatching(code)]);
    expect(state.getStatus()).toMatchObject({ up: false, hasConnected: false });
  });
});

const title = `a Redis that can be used in part${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
describe.skipIf(!hasRedis)(title, { concurrent: true }, () => {
  test('a missing password is reported, and the right one connects', async (context) => {
    const { expect } = context;
    const { redis, raw } = await start(context, ['--requirepass', 'right']);
    const missing = await open(context, redis.url);
    const right = await open(context, redis.url.replace('//', '//:right@'));
    await expect.poll(missing.codes).toEqual(['NOAUTH']);
    await expect.poll(right.codes).toEqual(['up']);
    await raw('right').config('SET', 'requirepass', '');
    await expect.poll(missing.codes).toEqual(['NOAUTH', 'up']);
  });

  test('a missing database is reported, and no other database is written to', async (context) => {
    const { expect } = context;
    const { redis, raw } = await start(context);
    const { codes, state } = await open(context, `${redis.url}/99`);
    await expect.poll(codes).toEqual(['wrong_db']);
    await expect(state.put('k', {}, soon())).rejects.toBeInstanceOf(StateUnavailableError);
    await expect.poll((await open(context, `${redis.url}/15`)).codes).toEqual(['up']);
    expect(await raw().info('keyspace')).not.toMatch(/db(?!15)/);
    expect(state.getStatus()).toMatchObject({ up: false, hasConnected: false });
  });

  test('a database that is gone after a reconnect is reported, and no other database is written to', async (context) => {
    const { expect } = context;
    const { redis, raw } = await start(context);
    const { codes, state } = await open(context, `${redis.url}/15`);
    await expect.poll(codes).toEqual(['up']);
    await state.put('k', { a: 1 }, soon());
    // Fewer databases for this user: a selected database stays, and a new selection is rejected.
    await raw().call('ACL', 'SETUSER', 'default', '-select');
    await raw().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(() => codes().slice(1)).toContain('NOPERM');
    await expect(state.put('k', { a: 2 }, soon())).rejects.toBeInstanceOf(StateUnavailableError);
    const admin = raw();
    expect(await admin.info('keyspace')).not.toMatch(/db(?!15)/);
    await admin.call('ACL', 'SETUSER', 'default', '+select');
    await expect.poll(() => state.getStatus().up).toBe(true);
    expect(await state.get('k')).toEqual({ a: 1 });
  });
});

const stalled = `a server that stands still for longer than it waits for Redis takes the answer that came${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
test.skipIf(!hasRedis)(stalled, async () => {
  const redis = await closeAfterTest(startRedis());
  const { state, codes } = await openRedisState({ onTestFinished }, redis.url);
  await expect.poll(() => state.getStatus().up).toBe(true);
  for (let times = 0; times < 3; times++) {
    const until = Date.now() + 60_000;
    const asked = Promise.all([state.get('nothing'), state.putIfAbsent(`c${times}`, {}, until)]);
    // All commands are sent, then the event loop blocks, as on a sleeping machine.
    await new Promise(process.nextTick);
    for (const from = performance.now(); performance.now() - from < 700; );
    expect(await asked).toEqual([undefined, undefined]);
  }
  expect(codes()).toEqual(['up']);
});

test.skipIf(!hasRedis)('a swap that Redis answers too late is repeated and succeeds once', async () => {
  const redis = await closeAfterTest(startRedis());
  const { state } = await openRedisState({ onTestFinished }, redis.url);
  await expect.poll(() => state.getStatus().up).toBe(true);
  const until = Date.now() + 60_000;
  await state.put('turn', { turn: 1 }, until);
  expect(spawnSync('redis-cli', ['-p', String(redis.port), 'client', 'pause', '900', 'write']).status).toBe(0);
  expect(await state.compareAndSwap('turn', { from: { turn: 1 }, to: { turn: 2 }, until })).toBe(true);
  expect(await state.compareAndSwap('turn', { from: { turn: 1 }, to: { turn: 3 }, until })).toBe(false);
  expect(await state.get('turn')).toEqual({ turn: 2 });
});
