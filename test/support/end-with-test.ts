import { onTestFinished } from 'vitest';

/** Disposes of a value when the test ends, like `await using`, which Node 22 does not support. */
export function endWithTest<Begun extends AsyncDisposable>(begun: Begun): Begun {
  onTestFinished(() => begun[Symbol.asyncDispose]());
  return begun;
}
