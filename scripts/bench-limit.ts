/** Measures the limiter under a crowd: what many queued calls cost, and how long one pause or their abort blocks the process. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { failByClock } from './fail-by-clock.ts';
import { readOptions } from './read-options.ts';

readOptions({});

/** The built limiter, as its users run it. */
const core: typeof import('../src/index.ts') = await import(
  new URL('../dist/src/index.js', import.meta.url).href
);

setFlagsFromString('--expose-gc');
/** Before each crowd, so that none pays for what an earlier one left. */
const collectGarbage: () => void = runInNewContext('gc');
const ignore = () => undefined;

const FEW = 10_000;
const LARGE_BATCH = 100_000;
const ROUNDS = 5;

interface Costs {
  readonly queueMs: number;
  readonly pauseMs: number;
  readonly abortMs: number;
}

async function measure(calls: number): Promise<Costs> {
  const limiter = core.createLimiter();
  const control = new AbortController();
  const { signal } = control;
  let told = 0;
  const onWait = () => void told++;
  const task = async () => undefined;
  collectGarbage();
  const queuedAt = performance.now();
  const runs = Array.from({ length: calls }, (_, index) =>
    limiter.run(task, { signal, onWait, priority: index % 2 }).catch(ignore),
  );
  const queueMs = performance.now() - queuedAt;
  await setImmediate();
  const before = told;
  const pauseMs = await longestTurn(
    () => limiter.pause(60_000),
    // Those that start before the pause are not told.
    () => told - before >= calls - 240,
  );
  let ended = false;
  void Promise.all(runs).then(() => {
    ended = true;
  });
  const abortedAt = performance.now();
  control.abort();
  while (!ended) await setImmediate();
  return { queueMs, pauseMs, abortMs: performance.now() - abortedAt };
}

/** The longest time that nothing else could run, from the act until its last effect. */
async function longestTurn(act: () => void, isDone: () => boolean): Promise<number> {
  let turnedAt = performance.now();
  let longest = 0;
  act();
  do {
    longest = Math.max(longest, performance.now() - turnedAt);
    turnedAt = performance.now();
    await setImmediate();
  } while (!isDone());
  return Math.max(longest, performance.now() - turnedAt);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** As many calls in crowds of few as in the one of many, so that what else the machine does meets both alike. */
async function measureFew(): Promise<Pick<Costs, 'queueMs' | 'abortMs'>> {
  const crowds = LARGE_BATCH / FEW;
  let [queueMs, abortMs] = [0, 0];
  for (let crowd = 0; crowd < crowds; crowd++) {
    const costs = await measure(FEW);
    queueMs += costs.queueMs / crowds;
    abortMs += costs.abortMs / crowds;
  }
  return { queueMs, abortMs };
}

const rounds: { few: Awaited<ReturnType<typeof measureFew>>; many: Costs }[] = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push({ few: await measureFew(), many: await measure(LARGE_BATCH) });
const rows = [
  {
    what: `queue ${LARGE_BATCH} calls, ms`,
    is: median(rounds.map(({ many }) => many.queueMs)),
    'at most': 2000,
  },
  {
    what: `queue ${LARGE_BATCH} calls, times ${FEW}`,
    is: median(rounds.map(({ few, many }) => many.queueMs / few.queueMs)),
    'at most': 12,
  },
  {
    what: `one pause with ${LARGE_BATCH} queued, longest block, ms`,
    is: median(rounds.map(({ many }) => many.pauseMs)),
    'at most': 50,
  },
  {
    what: `abort ${LARGE_BATCH} queued, times ${FEW}`,
    is: median(rounds.map(({ few, many }) => many.abortMs / few.abortMs)),
    'at most': 12,
  },
];
console.log(`Calls that wait for the limit, median of ${ROUNDS}`);
console.table(rows.map((row) => ({ ...row, is: Number(row.is.toFixed(1)) })));
if (rows.some((row) => row.is > row['at most'])) failByClock();
