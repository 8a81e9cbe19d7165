import { Redis } from 'ioredis';
import { describe, type TestContext, test } from 'vitest';
import { openRedisConnection } from '../../../mcp/state/redis-connection.ts';
import { SCRIPTS } from '../../../mcp/state/redis-scripts.ts';
import type { StateStatus } from '../../support/mcp-parts.ts';
import { hasRedis, NO_REDIS, openRedisState as open, SECRET, startRedis } from '../../support/redis-server.ts';

const AWAY = { timeout: 20_000 };

/** Runs concurrently, because each test mostly waits. Each has its own Redis. */
async function start({ expect, onTestFinished }: TestContext) {
  const redis = await startRedis(['--appendonly', 'no']);
  onTestFinished(redis.close);
  const admin = new Redis(redis.port, '127.0.0.1');
  admin.on('error', () => undefined);
  onTestFinished(() => admin.disconnect());
  const asked = async () =>
    [...(await admin.info('commandstats')).matchAll(/cmdstat_evalsha:calls=(\d+)/g)].reduce(
      (sum, [, calls]) => sum + Number(calls),
      0,
    );
  return {
    ...{ redis, admin },
    /** Resolves when the servers have tried this many times; each check takes two commands. */
    async askedMore(times: number) {
      const before = await asked();
      await expect.poll(asked, AWAY).toBeGreaterThan(before + times);
    },
  };
}

type Admin = Awaited<ReturnType<typeof start>>['admin'];
const title = `a Redis that was met and refuses some of it${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
describe.skipIf(!hasRedis)(title, { concurrent: true }, () => {
  test.for<[code: string, spoil: (admin: Admin) => unknown, mend: (admin: Admin) => unknown]>([
    ['OOM', (admin) => admin.config('SET', 'maxmemory', '500kb'), (admin) => admin.config('SET', 'maxmemory', '0')],
    ['READONLY', (admin) => admin.replicaof('127.0.0.1', '1'), (admin) => admin.replicaof('NO', 'ONE')],
    [
      'NOREPLICAS',
      (admin) => admin.config('SET', 'min-replicas-to-write', '1'),
      (admin) => admin.config('SET', 'min-replicas-to-write', '0'),
    ],
  ])('%s is reported once, and its end once, even without any requests', async ([code, spoil, mend], context) => {
    const { expect } = context;
    const { redis, admin, askedMore } = await start(context);
    const { codes, state } = await open(context, redis.url);
    await expect.poll(codes).toEqual(['up']);
    await spoil(admin);
    await expect.poll(codes, AWAY).toEqual(['up', code]);
    await askedMore(12);
    expect(codes()).toEqual(['up', code]);
    expect(state.getStatus()).toMatchObject({ up: false, hasConnected: true });
    await mend(admin);
    await expect.poll(codes, AWAY).toEqual(['up', code, 'up']);
    expect(state.getStatus().up).toBe(true);
  });

  test('a full Redis stays unavailable until it has space for more than one write', async (context) => {
    const { expect } = context;
    const { redis, admin, askedMore } = await start(context);
    const { codes } = await open(context, redis.url);
    await expect.poll(codes).toEqual(['up']);
    const leave = async (bytes: number) => {
      const used = /used_memory:(\d+)/.exec(await admin.info('memory'))?.[1];
      await admin.config('SET', 'maxmemory', String(Number(used) + bytes));
    };
    await leave(-100_000);
    await expect.poll(codes, AWAY).toEqual(['up', 'OOM']);
    await leave(100_000);
    await admin.set('a write', 'that is let through');
    await askedMore(8);
    expect(codes()).toEqual(['up', 'OOM']);
    await leave(600_000);
    await expect.poll(codes, AWAY).toEqual(['up', 'OOM', 'up']);
  });

  test('every command that the server uses must be allowed', async (context) => {
    const { expect } = context;
    const { redis, admin, askedMore } = await start(context);
    const inScripts = Object.values(SCRIPTS).flatMap(({ lua }) => [...lua.matchAll(/redis\.call\('(\w+)'/g)]);
    const needed = [...new Set(inScripts.map(([, name = '']) => name.toLowerCase())), 'evalsha'];
    for (const name of needed) await admin.call('ACL', 'SETUSER', `no-${name}`, 'on', '>p', '~*', '+@all');
    const users = await Promise.all(needed.map((name) => open(context, redis.url.replace('//', `//no-${name}:p@`))));
    const listStatuses = () => users.map(({ codes }, at) => `${needed[at]} ${codes().join(' ')}`);
    await expect.poll(listStatuses, AWAY).toEqual(needed.map((name) => `${name} up`));
    for (const name of needed) await admin.call('ACL', 'SETUSER', `no-${name}`, `-${name}`);
    await expect.poll(listStatuses, AWAY).toEqual(needed.map((name) => `${name} up NOPERM`));
    await askedMore(8 * needed.length);
    expect(listStatuses()).toEqual(needed.map((name) => `${name} up NOPERM`));
    expect(users.filter(({ state }) => state.getStatus().up)).toEqual([]);
    for (const name of needed) await admin.call('ACL', 'SETUSER', `no-${name}`, `+${name}`);
    await expect.poll(listStatuses, AWAY).toEqual(needed.map((name) => `${name} up NOPERM up`));
  });

  test('a Redis that rejects the pending writes does not count as up', async (context) => {
    const { expect, onTestFinished } = context;
    const { redis } = await start(context);
    const statuses: string[] = [];
    let isSpoilt = true;
    let spoilt = 0;
    const link = await openRedisConnection({
      address: { kind: 'single', nodes: [{ host: '127.0.0.1', port: redis.port }], tls: false },
      secrets: [SECRET],
      holdMs: 0,
      onStatusChange: ({ up }: StateStatus, code) => statuses.push(up ? 'up' : (code ?? '')),
      onUp: async () => {
        if (!isSpoilt) return;
        spoilt += 1;
        throw Object.assign(new Error('no'), { code: 'SPOILT' });
      },
    });
    onTestFinished(link.close);
    await expect.poll(() => spoilt, AWAY).toBeGreaterThan(4);
    expect(statuses).toEqual(['SPOILT']);
    expect(link.getStatus()).toMatchObject({ up: false, hasConnected: false });
    isSpoilt = false;
    await expect.poll(() => statuses, AWAY).toEqual(['SPOILT', 'up']);
  });
});
