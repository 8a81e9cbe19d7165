import { availableParallelism, loadavg } from 'node:os';

/** Load by other programs in the minute before the bench. */
const initialLoad = loadavg()[0] ?? 0;

/** Handles a missed time goal: fails the bench, or reports that other programs load the machine too much to tell. */
export function failOnSlowTime(): void {
  const cores = availableParallelism();
  // Includes the load of an earlier bench.
  if (initialLoad > cores + 1)
    console.log(`  not judged: programs want ${initialLoad.toFixed(1)} processors, and there are ${cores}`);
  else process.exitCode = 1;
}
