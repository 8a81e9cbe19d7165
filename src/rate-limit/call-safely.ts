/** Runs a callback without its errors. Call it last, when the state is consistent: it may call back. */
export function callSafely(callback: () => unknown): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // An observer must not affect what it observes.
  }
}
