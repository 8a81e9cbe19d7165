import { availableParallelism, loadavg } from 'node:os';

/** Asked when a bench begins: what other programs wanted of the processors in the minute before. */
const wanted = loadavg()[0] ?? 0;

/** For a bar by the clock that was missed: fails the bench, or says that a machine which others use up can't show it. */
export function failByClock(): void {
  const cores = availableParallelism();
  // The bench before this one counts too.
  if (wanted > cores + 1)
    console.log(`  not judged: programs want ${wanted.toFixed(1)} processors, and there are ${cores}`);
  else process.exitCode = 1;
}
