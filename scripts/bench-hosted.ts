/**
 * Measures a call of a tool through the hosted server. First beside a bare `createMcpHandler` of the SDK with a token that is
 * checked: `whoami`, which asks nothing of the service, beside a tool that does nothing; `get_usage` beside a tool that asks the
 * same loopback service once. Then two replicas beside one, over the Redis that they share. Paired: each round has all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSeals } from '../mcp/hosted/oauth/seal.ts';
import { SCOPES } from '../src/scopes.ts';
import { hasRedis, NO_REDIS, startRedis } from '../test/world/redis-server.ts';
import { callMany, type Load, type Target } from './call-load.ts';
import { startLoopback } from './loopback.ts';
import { startReplicas } from './replicas.ts';

const [ROUNDS, CALLS, CLIENTS, GRANTS] = [7, 400, 32, 40];
const GOALS = { bare: 0.8, replicas: 1.7 };
const SECRET = 'a-secret-of-the-bench-that-is-long-enough';
const service = await startLoopback();
const baseUrl = `${service.origin}/api/v1`;
const bareProcess = spawn(
  process.execPath,
  [fileURLToPath(new URL('bare-endpoint.ts', import.meta.url)), service.origin],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = await once(createInterface({ input: bareProcess.stdout }), 'line');
const bare: { url: string; token: string } = JSON.parse(line);
const redis = hasRedis ? await startRedis() : undefined;
const alone = await start({ count: 1, args: ['--state', 'memory'] });
const shared = redis && (await start({ count: 2, env: { DOCSHARE_REDIS_URL: redis.url } }));
try {
  await compare();
} finally {
  await Promise.all([alone.close(), shared?.close()]);
  await redis?.close();
  bareProcess.kill();
  service.stop();
}

async function start(options: { count: number; args?: string[]; env?: Record<string, string> }) {
  const { count, args, env } = options;
  const more = ['--log-level', 'info', ...(args ?? [])];
  return startReplicas({ count, baseUrl, args: more, env: { DOCSHARE_SECRETS: SECRET, ...env } });
}

/** As many sign-ins as it takes for the limit of no key to be reached, sealed as the server seals them. */
async function tokensFor(issuer: string): Promise<string[]> {
  const seals = createSeals({ secrets: [SECRET], issuer, audience: `${issuer}/mcp` });
  const seal = (index: number) => {
    const grant = {
      ...{
        id: `grant-${index}`,
        key: `key_of_the_bench_${index}`,
        client: 'bench',
        name: 'Bench',
        place: 'bench',
      },
      ...{ scopes: SCOPES, declined: [], readOnly: false, confirm: 'auto', browser: 'none', since: 0 },
    };
    return seals.seal('access', { grant }, 3_600_000);
  };
  return Promise.all(Array.from({ length: GRANTS }, (_, index) => seal(index)));
}

async function compare(): Promise<void> {
  const targetOf = async (
    replicas: typeof alone,
    { tool, count }: { tool: string; count: number },
  ): Promise<Target> => {
    const some = replicas.all.slice(0, count);
    const urls = some.map(({ port }) => `http://127.0.0.1:${port}`);
    return { urls, pids: some.map(({ pid }) => pid), tokens: await tokensFor(replicas.origin), tool };
  };
  const bareTarget = (tool: string): Target => ({
    urls: [bare.url],
    pids: [bareProcess.pid ?? 0],
    tokens: [bare.token],
    tool,
  });
  const targets: Record<string, Target> = {
    'bare, does nothing': bareTarget('noop'),
    whoami: await targetOf(alone, { tool: 'whoami', count: 1 }),
    'bare, asks the service': bareTarget('ask'),
    get_usage: await targetOf(alone, { tool: 'get_usage', count: 1 }),
    ...(shared && {
      'whoami, one replica': await targetOf(shared, { tool: 'whoami', count: 1 }),
      'whoami, two replicas': await targetOf(shared, { tool: 'whoami', count: 2 }),
    }),
  };
  const names = Object.keys(targets);
  const rounds: Record<string, Load>[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const loads: Record<string, Load> = {};
    // In another order each time: what comes after another finds a warmer machine.
    const turn = (round + names.length) % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      const target = targets[name];
      if (target) loads[name] = await callMany(target, { calls: CALLS, clients: CLIENTS });
    }
    // The first warms them up.
    if (round >= 0) rounds.push(loads);
  }
  const middle = (pick: (loads: Record<string, Load>) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  const ratio = (key: keyof Load, [own, other]: [string, string]) =>
    middle((loads) => (loads[own]?.[key] ?? 0) / (loads[other]?.[key] ?? 1));
  console.log(
    `Calls of a tool over HTTP, ${CLIENTS} clients, median of ${ROUNDS} paired rounds of ${CALLS} calls`,
  );
  for (const name of names) {
    const perSecond = middle((loads) => loads[name]?.perSecond ?? 0).toFixed(0);
    const cpuMs = middle((loads) => loads[name]?.cpuMs ?? 0).toFixed(2);
    console.log(
      `  ${name.padEnd(26)}${perSecond.padStart(6)} a second  ${cpuMs.padStart(6)} ms of processors a call`,
    );
  }
  const tell = (what: string, { pair, goal }: { pair: [string, string]; goal: number }) => {
    const reached = ratio('perSecond', pair);
    const cpu = ratio('cpuMs', [pair[1], pair[0]]);
    console.log(`  ${what}: ${reached.toFixed(2)} (goal ${goal}); by processors ${cpu.toFixed(2)}`);
    return reached >= goal;
  };
  const [first, second] = [
    tell('whoami beside a tool that does nothing', {
      pair: ['whoami', 'bare, does nothing'],
      goal: GOALS.bare,
    }),
    tell('get_usage beside a tool that asks once', {
      pair: ['get_usage', 'bare, asks the service'],
      goal: GOALS.bare,
    }),
  ];
  if (!first || !second) process.exitCode = 1;
  if (!shared) {
    console.log(`  two replicas beside one: not measured, ${NO_REDIS}`);
    return;
  }
  const scales = tell('two replicas beside one', {
    pair: ['whoami, two replicas', 'whoami, one replica'],
    goal: GOALS.replicas,
  });
  // Two replicas, whoever calls them, and Redis: with fewer cores they take each other's time.
  const cores = availableParallelism();
  console.log(`  ${cores} cores, ${loadavg()[0]?.toFixed(1)} wanted by all programs; this takes four`);
  if (!scales && cores >= 4) process.exitCode = 1;
}
