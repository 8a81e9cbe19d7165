/** Measures how reading time grows with the size of a text, by the ratio of processor times instead of the clock. */

/** Below this, a time is never quadratic at a size worth testing, and its ratio is noise. */
const CHEAP_MS = 40;

/** Minimum processor time (ms) of three runs, so load does not matter. Stops after a run below `enough`. */
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

/** Returns true if eight times the size costs about eight times as much; a quadratic reader takes 64 times as long. */
export function isLinear<Input>(read: (input: Input) => unknown, make: (size: number) => Input, size: number): boolean {
  const isBad = () => {
    const long = costOf(read, make(size * 8), CHEAP_MS);
    return long >= CHEAP_MS && long / costOf(read, make(size)) > 24;
  };
  // Measures again after a bad ratio, because the machine may have paused.
  return !(isBad() && isBad() && isBad());
}
