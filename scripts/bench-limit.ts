/** Measures the limiter under a crowd: what many queued calls cost, and how long one pause or their abort blocks the process. */
import { setImmediate } from 'node:timers/promises';

/** The built limiter, as its users run it. */
const core: typeof import('../src/index.ts') = await import(
  new URL('../dist/src/index.js', import.meta.url).href
);

const FEW = 10_000;
const MANY = 100_000;
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
  const queuedAt = performance.now();
  const runs = Array.from({ length: calls }, (_, index) =>
    limiter.run(task, { signal, onWait, priority: index % 2 }).catch(() => undefined),
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

function median(all: readonly Costs[]): Costs {
  const middle = (name: keyof Costs) =>
    all.map((costs) => costs[name]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  return { queueMs: middle('queueMs'), pauseMs: middle('pauseMs'), abortMs: middle('abortMs') };
}

const few: Costs[] = [];
const many: Costs[] = [];
for (let round = 0; round < ROUNDS; round++) {
  few.push(await measure(FEW));
  many.push(await measure(MANY));
}
const [small, large] = [median(few), median(many)];
const rows = [
  { what: `queue ${MANY} calls, ms`, is: large.queueMs, 'at most': 2000 },
  { what: `queue ${MANY} calls, times ${FEW}`, is: large.queueMs / small.queueMs, 'at most': 12 },
  { what: `one pause with ${MANY} queued, longest block, ms`, is: large.pauseMs, 'at most': 50 },
  { what: `abort ${MANY} queued, times ${FEW}`, is: large.abortMs / small.abortMs, 'at most': 20 },
];
console.log(`Calls that wait for the limit, median of ${ROUNDS}`);
console.table(rows.map((row) => ({ ...row, is: Number(row.is.toFixed(1)) })));
if (rows.some((row) => row.is > row['at most'])) process.exitCode = 1;
