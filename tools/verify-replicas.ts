/**
 * Verifies in real time, with processes and a real Redis, what tests verify with shorter windows:
 *   node tools/verify-replicas.ts limit [REPLICAS]   400 calls under one key while Redis and a replica are killed
 *   node tools/verify-replicas.ts crowd [SECONDS]    200 clients with 50 grants: nobody sees another's data
 *   node tools/verify-replicas.ts hand-over          a replica is killed twice while a file goes through it
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../sandbox/index.ts';
import { exitWithUsageError, readNumber, readOptionsAndFiles } from '../scripts/read-options.ts';
import { startReplicas } from '../scripts/replicas.ts';
import { callAt } from '../test/support/hosted-calls.ts';
import { registerHost } from '../test/support/hosted-oauth.ts';
import { tokensAt } from '../test/support/hosted-visitor.ts';
import { startRedis } from '../test/support/redis-server.ts';
import { verifyFileTransfer } from './verify-file-transfer.ts';

const { positionals } = readOptionsAndFiles({});
const [part = 'limit', argument, ...extraArguments] = positionals;
const bounds = {
  limit: { name: 'REPLICAS', default: '2', max: 32 },
  crowd: { name: 'SECONDS', default: '60', max: 86_400 },
}[part];
if (!bounds && part !== 'hand-over') exitWithUsageError(`There is no part "${part}". Known: limit, crowd, hand-over.`);
if (extraArguments.length > 0 || (!bounds && argument !== undefined))
  exitWithUsageError('That is more than this part takes.');
const value = bounds ? readNumber(argument ?? bounds.default, { name: bounds.name, min: 1, max: bounds.max }) : 0;
const sandbox = await createSandbox({ data: 'empty' });
const redis = await startRedis();
const count = part === 'limit' ? value : 2;
const replicas = await startReplicas({
  count,
  baseUrl: sandbox.url,
  env: {
    DOCSHARE_SECRETS: randomBytes(32).toString('base64url'),
    DOCSHARE_REDIS_URL: redis.url,
    // Memory in use is known only after garbage collection.
    NODE_OPTIONS: "--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())",
  },
  args: ['--log-level', 'warn'],
});
// With an empty Redis, no call starts for a moment.
await sleep(3000);
try {
  if (part === 'limit') await verifyRateLimit();
  else if (part === 'hand-over') await verifyFileTransfer({ replicas, sandbox });
  else await verifyIsolation(value);
} finally {
  await replicas.close();
  await redis.close();
  await sandbox.close();
}

/** Returns the maximum number of these times within 60 s. */
function maxPerMinute(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let from = 0;
  return sorted.reduce((max, at, index) => {
    while (at - (sorted[from] ?? at) >= 60_000) from += 1;
    return Math.max(max, index - from + 1);
  }, 0);
}

async function verifyRateLimit(): Promise<void> {
  const calls = 400;
  const key = sandbox.key();
  const { tokens } = await tokensAt(replicas.origin, { key });
  const startedAt = Date.now();
  const log = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(1)} s  ${text}`);
  let succeeded = 0;
  let retried = 0;

  async function call(): Promise<void> {
    for (;;) {
      const { status, data } = await callAt(replicas.origin, tokens.access_token, 'get_usage').catch(() => ({
        status: 0,
        data: {} as Record<string, unknown>,
      }));
      const error = data['error'] as { code?: string; retry_after_s?: number } | undefined;
      if (status === 200 && !error) {
        succeeded += 1;
        if (succeeded % 100 === 0) log(`${succeeded} answered`);
        return;
      }
      // A wait of over 50 s is an error that says when to retry.
      retried += 1;
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
  log('Redis killed');
  await sleep(15_000);
  await redis.start();
  log('Redis is back');
  await sleep(45_000);
  await replicas.all[0]?.kill();
  log('a replica killed');
  await replicas.add();
  log('another one started');
  await all;
  const requests = sandbox.log.entries().filter(({ path }) => path.startsWith('/api/'));
  console.log({
    replicas: count,
    calls,
    succeeded,
    retried,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    maxPerMinute: maxPerMinute(requests.map(({ at }) => new Date(at).getTime())),
    rateLimitedByService: requests
      .filter(({ status }) => status === 429)
      .map(({ at }) => `at ${((new Date(at).getTime() - startedAt) / 1000).toFixed(1)} s`),
  });
}

async function verifyIsolation(seconds: number): Promise<void> {
  const host = await registerHost(replicas.origin);
  const users: { token: string; idPrefix: string }[] = [];
  for (let index = 0; index < 50; index++) {
    const key = sandbox.key();
    const { tokens } = await tokensAt(replicas.origin, { key, host });
    users.push({ token: tokens.access_token, idPrefix: `asked-by-${index}-` });
    // All sign-ins come from one address, which may try 30 keys a minute per replica.
    await sleep(2200);
  }
  console.log('50 grants');
  const readHeapMegabytes = () =>
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
  const heapSamples: number[][] = [];
  const clients = Array.from({ length: 200 }, async (_, index) => {
    const user = users[index % users.length];
    while (user && Date.now() < end) {
      const id = `${user.idPrefix}${randomBytes(4).toString('hex')}`;
      const { status, data } = await callAt(replicas.origin, user.token, 'get_document', { id });
      const error = data['error'] as { code?: string } | undefined;
      const outcome = error?.code ?? (status === 200 ? 'answered' : String(status));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      // Four clients per key stay just below its limit.
      await sleep(2000 + Math.random() * 400);
    }
  });
  const watcher = (async () => {
    while (Date.now() < end) {
      heapSamples.push(await readHeapMegabytes());
      await sleep(5000);
    }
  })();
  await Promise.all([...clients, watcher]);
  const keysByUser = new Map<string, Set<string>>();
  for (const { path, key = 'none' } of sandbox.log.entries()) {
    const idPrefix = /asked-by-\d+-/.exec(path)?.[0];
    if (idPrefix) keysByUser.set(idPrefix, (keysByUser.get(idPrefix) ?? new Set()).add(key));
  }
  const keys = [...keysByUser.values()];
  console.log({
    grants: keys.length,
    maxKeysPerGrant: Math.max(...keys.map(({ size }) => size)),
    totalKeys: new Set(keys.flatMap((values) => [...values])).size,
  });
  console.log({ outcomes, heapMegabytes: heapSamples.map((values) => values.join('/')).join(' ') });
}
