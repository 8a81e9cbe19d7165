/**
 * When a call that stands at `position` will start, by the strict window alone: the start `requests` places before it
 * must be one window old. Calls that are still to come are foreseen by the same rule.
 * @returns a Unix time in milliseconds.
 */
export function expectedStart(queue: {
  /** Calls before it. */
  readonly position: number;
  /** Unix times of the starts in the window, oldest first. */
  readonly starts: readonly number[];
  /** Nothing starts before this time. */
  readonly base: number;
  readonly gapMs: number;
  readonly requests: number;
  readonly windowMs: number;
}): number {
  const { starts, base, gapMs, requests, windowMs } = queue;
  let position = queue.position;
  let windows = 0;
  // Steps back one window at a time, to a start that is known or one that only the pause holds back.
  for (;;) {
    const blocking = starts.length + position - requests;
    if (blocking < 0) return base + windows * windowMs + gapMs * position;
    const known = starts[blocking];
    if (known !== undefined) return Math.max(base + gapMs * position, known + windowMs) + windows * windowMs;
    position = blocking - starts.length;
    windows += 1;
  }
}
