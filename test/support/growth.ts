/** What reading costs as its text grows, told by the ratio of processor times and never by the clock alone. */

/** Less than this is never quadratic at a size that is worth a test, and its ratio is noise. */
const CHEAP_MS = 40;

/**
 * Milliseconds of processor time, the least of three runs: a busy machine does not count. Less than `enough` is looked for
 * no further, and what took less by the wall took no more of the processor.
 */
function costOf<Input>(read: (input: Input) => unknown, input: Input, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least >= enough; run++) {
    const startedAt = performance.now();
    const from = process.cpuUsage();
    read(input);
    const wallMs = performance.now() - startedAt;
    if (wallMs < enough) return wallMs;
    const { user, system } = process.cpuUsage(from);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Whether eight times the size costs about eight times as much: a quadratic reader takes 64 times. */
export function isLinear<Input>(read: (input: Input) => unknown, make: (size: number) => Input, size: number): boolean {
  const isBad = () => {
    const long = costOf(read, make(size * 8), CHEAP_MS);
    return long >= CHEAP_MS && long / costOf(read, make(size)) > 24;
  };
  // Again where it looks bad: a pause of the machine is no growth.
  return !(isBad() && isBad() && isBad());
}
