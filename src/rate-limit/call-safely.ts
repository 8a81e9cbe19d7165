/**
 * Runs a callback and ignores its errors and rejections. Call it last, when the state is consistent: the
 * callback may call back.
 */
export function callSafely(callback: () => unknown): void {
  try {
    const result = callback();
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // An observer must not affect what it observes.
  }
}
