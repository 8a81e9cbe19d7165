/** Measures the limiter with many queued calls: cost per call, and how long a pause or an abort blocks the process. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readOptions } from '../scripts/read-options.ts';
import { failOnSlowTime } from './fail-on-slow-time.ts';

readOptions({});

/** The built limiter, as users run it. */
const core: typeof import('../src/index.ts') = await import(new URL('../dist/src/index.js', import.meta.url).href);

setFlagsFromString('--expose-gc');
/** Collects garbage before each measurement, so that none pays for an earlier one. */
const collectGarbage: () => void = runInNewContext('gc');
const ignore = () => undefined;

const SMALL_BATCH = 10_000;
const LARGE_BATCH = 100_000;
const ROUNDS = 5;

interface Costs {
  readonly queueMs: number;
  readonly pauseMs: number;
  readonly abortMs: number;
}

async function measure(calls: number): Promise<Costs> {
  const limiter = core.createLimiter();
  const controller = new AbortController();
  const { signal } = controller;
  let notified = 0;
  const onWait = () => void notified++;
  const task = async () => undefined;
  collectGarbage();
  const queuedAt = performance.now();
  const runs = Array.from({ length: calls }, (_, index) =>
    limiter.run(task, { signal, onWait, priority: index % 2 }).catch(ignore),
  );
  const queueMs = performance.now() - queuedAt;
  await setImmediate();
  const before = notified;
  const pauseMs = await measureLongestBlock(
    () => limiter.pause(60_000),
    // Calls that start before the pause are not notified.
    () => notified - before >= calls - 240,
  );
  let ended = false;
  void Promise.all(runs).then(() => {
    ended = true;
  });
  const abortedAt = performance.now();
  controller.abort();
  while (!ended) await setImmediate();
  return { queueMs, pauseMs, abortMs: performance.now() - abortedAt };
}

/** Returns the longest time that the event loop was blocked, from `act` to its last effect. */
async function measureLongestBlock(action: () => void, isDone: () => boolean): Promise<number> {
  let tickedAt = performance.now();
  let maxBlockMs = 0;
  action();
  do {
    maxBlockMs = Math.max(maxBlockMs, performance.now() - tickedAt);
    tickedAt = performance.now();
    await setImmediate();
  } while (!isDone());
  return Math.max(maxBlockMs, performance.now() - tickedAt);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The same number of calls in small and large groups, so that other load affects both alike. */
async function measureSmallBatches(): Promise<Pick<Costs, 'queueMs' | 'abortMs'>> {
  const batches = LARGE_BATCH / SMALL_BATCH;
  let [queueMs, abortMs] = [0, 0];
  for (let batch = 0; batch < batches; batch++) {
    const costs = await measure(SMALL_BATCH);
    queueMs += costs.queueMs / batches;
    abortMs += costs.abortMs / batches;
  }
  return { queueMs, abortMs };
}

const rounds: { small: Awaited<ReturnType<typeof measureSmallBatches>>; large: Costs }[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ small: await measureSmallBatches(), large: await measure(LARGE_BATCH) });
const rows = [
  {
    metric: `queue ${LARGE_BATCH} calls, ms`,
    value: median(rounds.map(({ large }) => large.queueMs)),
    'at most': 2000,
  },
  {
    metric: `queue ${LARGE_BATCH} calls, times ${SMALL_BATCH}`,
    value: median(rounds.map(({ small, large }) => large.queueMs / small.queueMs)),
    'at most': 12,
  },
  {
    metric: `one pause with ${LARGE_BATCH} queued, longest block, ms`,
    value: median(rounds.map(({ large }) => large.pauseMs)),
    'at most': 50,
  },
  {
    metric: `abort ${LARGE_BATCH} queued, times ${SMALL_BATCH}`,
    value: median(rounds.map(({ small, large }) => large.abortMs / small.abortMs)),
    'at most': 12,
  },
];
console.log(`Calls that wait for the limit, median of ${ROUNDS}`);
console.table(rows.map((row) => ({ ...row, value: Number(row.value.toFixed(1)) })));
if (rows.some((row) => row.value > row['at most'])) failOnSlowTime();
