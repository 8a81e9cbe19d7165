import { availableParallelism, loadavg } from 'node:os';

/** Asked when a bench begins: what other programs wanted of the processors in the minute before. */
const initialLoad = loadavg()[0] ?? 0;

/** For a bar by the clock that was missed: fails the bench, or says that a machine which others use up can't show it. */
export function failOnSlowTime(): void {
  const cores = availableParallelism();
  // The bench before this one counts too.
  if (initialLoad > cores + 1)
    console.log(`  not judged: programs want ${initialLoad.toFixed(1)} processors, and there are ${cores}`);
  else process.exitCode = 1;
}
