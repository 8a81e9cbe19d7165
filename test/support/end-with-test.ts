import { onTestFinished } from 'vitest';

/** Ends with the test what was begun in it. `await using` says the same, in words that Node 22 does not read. */
export function endWithTest<Begun extends AsyncDisposable>(begun: Begun): Begun {
  onTestFinished(() => begun[Symbol.asyncDispose]());
  return begun;
}
