/**
 * Shows in real time, on real processes and a real Redis, what tests show on shorter windows:
 *   node scripts/prove-replicas.ts limit [REPLICAS]   400 calls under one key while Redis and a replica are killed
 *   node scripts/prove-replicas.ts crowd [SECONDS]    200 clients with 50 grants: nobody sees another's data
 *   node scripts/prove-replicas.ts hand-over          a replica is killed twice while a file goes through it
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../sandbox/index.ts';
import { callAt, registerHost, tokensAt } from '../test/world/hosted-visitor.ts';
import { startRedis } from '../test/world/redis-server.ts';
import { proveHandOver } from './prove-hand-over.ts';
import { readNamed, readNumber, refuse } from './read-options.ts';
import { startReplicas } from './replicas.ts';

const { positionals } = readNamed({});
const [part = 'limit', amount, ...more] = positionals;
const bounds = {
  limit: { name: 'REPLICAS', standard: '2', most: 32 },
  crowd: { name: 'SECONDS', standard: '60', most: 86_400 },
}[part];
if (!bounds && part !== 'hand-over') refuse(`There is no part "${part}". Known: limit, crowd, hand-over.`);
if (more.length > 0 || (!bounds && amount !== undefined)) refuse('That is more than this part takes.');
const given = bounds
  ? readNumber(amount ?? bounds.standard, { name: bounds.name, least: 1, most: bounds.most })
  : 0;
const sandbox = await createSandbox({ data: 'empty' });
const redis = await startRedis();
const count = part === 'limit' ? given : 2;
const replicas = await startReplicas({
  count,
  baseUrl: sandbox.url,
  env: {
    DOCSHARE_SECRETS: randomBytes(32).toString('base64url'),
    DOCSHARE_REDIS_URL: redis.url,
    // What is in use shows only after the engine has put away the rest.
    NODE_OPTIONS: "--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())",
  },
  args: ['--log-level', 'warn'],
});
// A Redis without history lets nobody start for a moment.
await sleep(3000);
try {
  if (part === 'limit') await proveLimit();
  else if (part === 'hand-over') await proveHandOver({ replicas, sandbox });
  else await proveCrowd(given);
} finally {
  await replicas.close();
  await redis.close();
  await sandbox.close();
}

/** The most of these moments in any 60 s. */
function mostInAMinute(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let from = 0;
  return sorted.reduce((most, at, index) => {
    while (at - (sorted[from] ?? at) >= 60_000) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
}

async function proveLimit(): Promise<void> {
  const calls = 400;
  const key = sandbox.key();
  const { tokens } = await tokensAt(replicas.origin, { key });
  const startedAt = Date.now();
  const tell = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(1)} s  ${text}`);
  let answered = 0;
  let askedAgain = 0;

  async function call(): Promise<void> {
    for (;;) {
      const { status, data } = await callAt(replicas.origin, tokens.access_token, 'get_usage').catch(() => ({
        status: 0,
        data: {} as Record<string, unknown>,
      }));
      const error = data['error'] as { code?: string; retry_after_s?: number } | undefined;
      if (status === 200 && !error) {
        answered += 1;
        if (answered % 100 === 0) tell(`${answered} answered`);
        return;
      }
      // Waits beyond 50 s are left to the host, which is told when to come back.
      askedAgain += 1;
      if (error && error.code !== 'rate_limited') throw new Error(JSON.stringify(error));
      await sleep(Math.min(20_000, 1000 * (error?.retry_after_s ?? 1)));
    }
  }

  const all = Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      await sleep(index * 5);
      await call();
    }),
  );
  await sleep(20_000);
  await redis.kill();
  tell('Redis killed');
  await sleep(15_000);
  await redis.start();
  tell('Redis is back');
  await sleep(45_000);
  await replicas.all[0]?.kill();
  tell('a replica killed');
  await replicas.add();
  tell('another one started');
  await all;
  const seen = sandbox.log.entries().filter(({ path }) => path.startsWith('/api/'));
  console.log({
    replicas: count,
    calls,
    answered,
    askedAgain,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    mostInAMinute: mostInAMinute(seen.map(({ at }) => new Date(at).getTime())),
    refusedByTheService: seen
      .filter(({ status }) => status === 429)
      .map(({ at }) => `at ${((new Date(at).getTime() - startedAt) / 1000).toFixed(1)} s`),
  });
}

async function proveCrowd(seconds: number): Promise<void> {
  const host = await registerHost(replicas.origin);
  const people: { token: string; mark: string }[] = [];
  for (let index = 0; index < 50; index++) {
    const key = sandbox.key();
    const { tokens } = await tokensAt(replicas.origin, { key, host });
    people.push({ token: tokens.access_token, mark: `asked-by-${index}-` });
    // All come from one address, from which a replica takes 30 keys a minute.
    await sleep(2200);
  }
  console.log('50 grants');
  const memory = () =>
    Promise.all(
      replicas.all.map(async ({ pid, metricsUrl }) => {
        process.kill(pid, 'SIGUSR2');
        await sleep(500);
        const text = await (await fetch(`${metricsUrl}/metrics`)).text();
        return Math.round(Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]) / 1e6);
      }),
    );
  const end = Date.now() + seconds * 1000;
  const outcomes: Record<string, number> = {};
  const memories: number[][] = [];
  const clients = Array.from({ length: 200 }, async (_, index) => {
    const person = people[index % people.length];
    while (person && Date.now() < end) {
      const id = `${person.mark}${randomBytes(4).toString('hex')}`;
      const { status, data } = await callAt(replicas.origin, person.token, 'get_document', { id });
      const error = data['error'] as { code?: string } | undefined;
      const outcome = error?.code ?? (status === 200 ? 'answered' : String(status));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      // Four clients of one key stay just below its limit.
      await sleep(2000 + Math.random() * 400);
    }
  });
  const watcher = (async () => {
    while (Date.now() < end) {
      memories.push(await memory());
      await sleep(5000);
    }
  })();
  await Promise.all([...clients, watcher]);
  const keysByUser = new Map<string, Set<string>>();
  for (const { path, key = 'none' } of sandbox.log.entries()) {
    const mark = /asked-by-\d+-/.exec(path)?.[0];
    if (mark) keysByUser.set(mark, (keysByUser.get(mark) ?? new Set()).add(key));
  }
  const keys = [...keysByUser.values()];
  console.log({
    grants: keys.length,
    keysAGrant: Math.max(...keys.map(({ size }) => size)),
    keysInAll: new Set(keys.flatMap((one) => [...one])).size,
  });
  console.log({ outcomes, heapMegabytes: memories.map((one) => one.join('/')).join(' ') });
}
