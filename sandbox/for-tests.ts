import type { Sandbox, SandboxOptions } from './control/sandbox.ts';
import { createSandbox } from './create-sandbox.ts';

/** The hooks of a test runner: vitest, jest, mocha (`before`, `after`) and node:test have them. */
export interface TestHooks {
  readonly beforeAll: (run: () => Promise<void>) => unknown;
  readonly beforeEach: (run: () => void) => unknown;
  readonly afterAll: (run: () => Promise<void>) => unknown;
}

/**
 * A sandbox for a file of tests: started once, at its start again before each test, ended with the last. Its clock stands
 * still and its bytes are the same in each run, unless the options say otherwise.
 */
export function sandboxForTests(hooks: TestHooks, options: SandboxOptions = {}): () => Sandbox {
  let sandbox: Sandbox | undefined;
  hooks.beforeAll(async () => {
    sandbox = await createSandbox({ seed: 1, clock: 'manual', ...options });
  });
  hooks.beforeEach(() => {
    sandbox?.reset();
  });
  hooks.afterAll(async () => {
    await sandbox?.close();
  });
  return () => {
    if (!sandbox) throw new Error('The sandbox starts before the first test: ask for it inside of a test');
    return sandbox;
  };
}
