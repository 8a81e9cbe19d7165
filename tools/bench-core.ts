/** Compares the client with undici and fetch: the cost of one call, and 1 GiB in each direction. */
import { Agent, request } from 'undici';
import { readOptions } from '../scripts/read-options.ts';
import { failOnSlowTime } from './fail-on-slow-time.ts';
import { createSparseFile, startLoopback, uploadInChild } from './loopback.ts';

readOptions({});

/** The built client, as users run it. */
const core: typeof import('../src/index.ts') = await import(new URL('../dist/src/index.js', import.meta.url).href);

/** Many short rounds, so that other load affects all contenders alike. */
const ROUNDS = 101;
/** Enough calls for each contender to pay for its own garbage collection. */
const CALLS = 150;
/** Warm-up rounds, until V8 has compiled all contenders. */
const WARM_UP_ROUNDS = 25;
const GIB = 1024 ** 3;
/** Maximum cost relative to `undici.request`. */
const CALL_GOAL = 1.2;

/** Runs one call after another; contenders take turns, so that other load affects all alike. */
async function measureCalls(origin: string): Promise<void> {
  const url = `${origin}/api/v1/documents/doc_1`;
  const dispatcher = new Agent({ allowH2: false });
  const limiter = core.createLimiter({ requests: 1_000_000 });
  const client = core.createClient({ apiKey: 'bench', baseUrl: `${origin}/api/v1`, limiter });
  const headers = { authorization: 'Bearer bench', accept: 'application/json' };
  const contenders: Record<string, () => Promise<unknown>> = {
    'undici.request': async () => (await request(url, { dispatcher, headers })).body.json(),
    'docshare client': () => client.documents.get({ id: 'doc_1' }),
    fetch: async () => (await fetch(url, { headers })).json(),
  };
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [name, call] of Object.entries(contenders)) {
      const startedAt = performance.now();
      for (let n = 0; n < CALLS; n++) await call();
      if (round >= WARM_UP_ROUNDS) times[name]?.push(((performance.now() - startedAt) * 1000) / CALLS);
    }
  }
  await client.close();
  await dispatcher.close();
  const base = times['undici.request'] ?? [];
  // Alternates the rounds, so that a slow moment affects both sides.
  const compare = (values: readonly number[]) => median(values.map((us, round) => us / (base[round] ?? us)));
  console.log(`One GET, concurrency 1, median of ${ROUNDS} rounds of ${CALLS}`);
  console.table(
    Object.entries(times).map(([call, values]) => ({
      call,
      'µs a call': Math.round(median(values)),
      'times undici.request': Number(compare(values).toFixed(2)),
    })),
  );
  const ratio = compare(times['docshare client'] ?? []);
  console.log(`  a typed call beside undici.request: ${ratio.toFixed(2)} (goal ${CALL_GOAL})`);
  if (ratio > CALL_GOAL) failOnSlowTime();
}

async function measureUploads(origin: string): Promise<void> {
  const { path, remove } = await createSparseFile(GIB);
  const results: Record<'bare' | 'direct' | 'multipart', { ms: number; peakMiB: number }[]> = {
    bare: [],
    direct: [],
    multipart: [],
  };
  try {
    for (let round = 0; round < 3; round++)
      for (const method of ['bare', 'direct', 'multipart'] as const)
        results[method].push(await uploadInChild({ origin, path, method }));
  } finally {
    await remove();
  }
  const base = median(results.bare.map(({ ms }) => ms));
  console.log('Upload of 1 GiB from disk, each in a process of its own, median of 3');
  console.table(
    Object.entries(results).map(([method, values]) => ({
      method: method === 'bare' ? 'undici PUT' : method,
      ms: median(values.map(({ ms }) => ms)),
      'throughput against undici PUT': Number((base / median(values.map(({ ms }) => ms))).toFixed(2)),
      'peak MiB': Math.max(...values.map(({ peakMiB }) => peakMiB)),
    })),
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const { origin, stop } = await startLoopback();
try {
  await measureCalls(origin);
  await measureUploads(origin);
} finally {
  stop();
}
