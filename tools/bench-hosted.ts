/**
 * Measures tool calls through the hosted server, in paired rounds. Compares them with a bare `createMcpHandler` of the SDK that
 * verifies a token: `whoami`, without a request to the service, with a tool that does nothing; `get_usage` with a tool that
 * sends one request to the same loopback service. Then compares two replicas with one, over a shared Redis.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createClaimsEncryptor } from '../mcp/hosted/oauth/claims-encryptor.ts';
import { readOptions } from '../scripts/read-options.ts';
import { startReplicas } from '../scripts/replicas.ts';
import { SCOPES } from '../src/scopes.ts';
import { hasRedis, NO_REDIS, startRedis } from '../test/support/redis-server.ts';
import { callMany, type Load, type Target } from './call-load.ts';
import { startLoopback } from './loopback.ts';

readOptions({});

const [ROUNDS, CALLS, WARM_UP_CALLS, CLIENTS, GRANTS] = [7, 600, 2400, 32, 120];
const GOALS = { bare: 0.88, replicas: 1.7 };
const SECRET = createHash('sha256').update('bench').digest('base64');
// Read before this bench loads the machine.
const [cores, load] = [availableParallelism(), loadavg()[0] ?? 0];
const service = await startLoopback();
const baseUrl = `${service.origin}/api/v1`;
const redis = hasRedis ? await startRedis() : undefined;
const alone = await start({ count: 1, args: ['--state', 'memory'] });
// The bare tools return as many bytes.
const [whoamiBytes, usageBytes] = [await measureAnswer('whoami'), await measureAnswer('get_usage')];
const bareProcess = spawn(
  process.execPath,
  [fileURLToPath(new URL('bare-endpoint.ts', import.meta.url)), service.origin, `${whoamiBytes}`, `${usageBytes}`],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = await once(createInterface({ input: bareProcess.stdout }), 'line');
const bare: { url: string; token: string } = JSON.parse(line);
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
  const extraArgs = ['--log-level', 'info', ...(args ?? [])];
  return startReplicas({ count, baseUrl, args: extraArgs, env: { DOCSHARE_SECRETS: SECRET, ...env } });
}

async function measureAnswer(tool: string): Promise<number> {
  const { port, pid } = alone.all[0] ?? { port: 0, pid: 0 };
  const target = { urls: [`http://127.0.0.1:${port}`], pids: [pid], tokens: await createTokens(alone.origin), tool };
  return (await callMany(target, { calls: 1, clients: 1 })).bytes;
}

/** Creates tokens for so many sign-ins that no key reaches its limit. */
async function createTokens(issuer: string): Promise<string[]> {
  const seals = createClaimsEncryptor({ secrets: [SECRET], issuer, audience: `${issuer}/mcp` });
  const seal = (index: number) => {
    const grant = {
      ...{
        id: `grant-${index}`,
        key: `dsk_live_${createHash('sha256').update(`${index}`).digest('hex').slice(0, 35)}`,
        client: 'bench',
        name: 'Bench',
        place: 'bench',
      },
      ...{ scopes: SCOPES, declined: [], readOnly: false, confirm: 'auto', browser: 'none', since: 0 },
    };
    return seals.encrypt('access', { grant }, 3_600_000);
  };
  return Promise.all(Array.from({ length: GRANTS }, (_, index) => seal(index)));
}

async function compare(): Promise<void> {
  const createTarget = async (
    replicas: typeof alone,
    { tool, count }: { tool: string; count: number },
  ): Promise<Target> => {
    const selected = replicas.all.slice(0, count);
    return {
      urls: selected.map(({ port }) => `http://127.0.0.1:${port}`),
      pids: selected.map(({ pid }) => pid),
      tokens: await createTokens(replicas.origin),
      tool,
      ...(replicas === shared && redis ? { redis: redis.pid() } : {}),
    };
  };
  const bareTarget = (tool: string): Target => ({
    urls: [bare.url],
    pids: [bareProcess.pid ?? 0],
    tokens: [bare.token],
    tool,
  });
  const targets: Record<string, Target> = {
    'bare, does nothing': bareTarget('noop'),
    whoami: await createTarget(alone, { tool: 'whoami', count: 1 }),
    'bare, asks the service': bareTarget('ask'),
    get_usage: await createTarget(alone, { tool: 'get_usage', count: 1 }),
    ...(shared && {
      'whoami, one replica': await createTarget(shared, { tool: 'whoami', count: 1 }),
      'whoami, two replicas': await createTarget(shared, { tool: 'whoami', count: 2 }),
    }),
  };
  const names = Object.keys(targets);
  const rounds: Record<string, Load>[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const loads: Record<string, Load> = {};
    // Rotates the order, because later measurements find warmer caches.
    const offset = (round + names.length) % names.length;
    for (const name of [...names.slice(offset), ...names.slice(0, offset)]) {
      const target = targets[name];
      if (!target) continue;
      // The same load per server, however many there are.
      const servers = target.urls.length;
      // The first round is a warm-up, in which V8 optimizes the code.
      const calls = servers * (round < 0 ? WARM_UP_CALLS : CALLS);
      loads[name] = await callMany(target, { calls, clients: servers * CLIENTS });
    }
    if (round >= 0) rounds.push(loads);
  }
  const median = (pick: (loads: Record<string, Load>) => number) =>
    rounds.map(pick).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  const ratio = (key: keyof Load, [name, other]: [string, string]) =>
    median((loads) => (loads[name]?.[key] ?? 0) / (loads[other]?.[key] ?? 1));
  console.log(
    `Calls of a tool over HTTP, ${CLIENTS} clients and ${CALLS} calls a server, median of ${ROUNDS} paired rounds`,
  );
  for (const name of names) {
    const perSecond = median((loads) => loads[name]?.perSecond ?? 0).toFixed(0);
    const cpuMs = median((loads) => loads[name]?.cpuMs ?? 0).toFixed(2);
    console.log(`  ${name.padEnd(26)}${perSecond.padStart(6)} per second  ${cpuMs.padStart(6)} ms CPU per call`);
  }
  console.log(`  ${cores} cores, ${load.toFixed(1)} wanted by other programs before`);
  for (const [label, pair] of [
    ['whoami beside a tool that does nothing', ['whoami', 'bare, does nothing']],
    ['get_usage beside a tool that asks once', ['get_usage', 'bare, asks the service']],
  ] as const) {
    const throughputRatio = ratio('perSecond', [...pair]);
    const cpuRatio = ratio('cpuMs', [pair[1], pair[0]]);
    console.log(`  ${label}: ${throughputRatio.toFixed(2)} (goal ${GOALS.bare}); by CPU time ${cpuRatio.toFixed(2)}`);
    // CPU time per call does not depend on other programs.
    if (throughputRatio < GOALS.bare && !(cpuRatio >= GOALS.bare)) process.exitCode = 1;
  }
  if (shared) compareReplicas({ ratio, median });
  else console.log(`  two replicas beside one: not measured, ${NO_REDIS}`);
}

function compareReplicas({
  ratio,
  median,
}: {
  ratio: (key: keyof Load, pair: [string, string]) => number;
  median: (pick: (loads: Record<string, Load>) => number) => number;
}): void {
  const [one, two] = ['whoami, one replica', 'whoami, two replicas'] as const;
  const throughputRatio = ratio('perSecond', [two, one]);
  // With a core each, two replicas serve twice as many calls if a call costs the same.
  const capacity = 2 * ratio('cpuMs', [one, two]);
  const redisMs = median((loads) => loads[two]?.redisMs ?? Number.NaN);
  const cpuMs = median((loads) => loads[two]?.cpuMs ?? Number.NaN);
  console.log(
    `  two replicas beside one: ${throughputRatio.toFixed(2)} (goal ${GOALS.replicas}); by CPU time, with a core for each, ${capacity.toFixed(2)}`,
  );
  console.log(
    `  their Redis spends ${redisMs.toFixed(3)} ms on a call, so that its core serves about ${(cpuMs / redisMs).toFixed(0)} replicas`,
  );
  // Two replicas, the clients and Redis compete if there are fewer cores.
  if (throughputRatio < GOALS.replicas && cores >= 4 && load < cores - 3) process.exitCode = 1;
}
