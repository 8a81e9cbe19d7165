/**
 * Runs the caller's code; what it throws, or rejects with later, is its own affair. To be called last, when one's own
 * state is whole: that code may call back.
 */
export function callSafely(callback: () => unknown): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // What an observer does must not change what it observes.
  }
}
