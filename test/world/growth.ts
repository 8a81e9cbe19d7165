/** What reading costs as its text grows, told by the ratio of processor times and never by the clock alone. */

/** Milliseconds of processor time, the least of three runs: a busy machine does not count. */
function costOf<Input>(read: (input: Input) => unknown, input: Input): number {
  const runs = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage();
    read(input);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

/**
 * Whether eight times the size costs about eight times as much: a quadratic reader takes 64 times. Less than 40 ms is
 * never quadratic at a size that is worth a test, and its ratio is noise.
 */
export function isLinear<Input>(
  read: (input: Input) => unknown,
  make: (size: number) => Input,
  size: number,
): boolean {
  const isBad = () => {
    const long = costOf(read, make(size * 8));
    return long >= 40 && long / costOf(read, make(size)) > 24;
  };
  // Again where it looks bad: a pause of the machine is no growth.
  return !(isBad() && isBad() && isBad());
}
