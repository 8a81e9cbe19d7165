import type { Sandbox, SandboxOptions } from './control/sandbox.ts';
import { createSandbox } from './create-sandbox.ts';

/** The hooks of vitest, jest, mocha (`before`, `after`) or node:test. */
export interface TestHooks {
  readonly beforeAll: (run: () => Promise<void>) => unknown;
  readonly beforeEach: (run: () => void) => unknown;
  readonly afterAll: (run: () => Promise<void>) => unknown;
}

/**
 * Starts a sandbox for a test file, resets it before each test and closes it at the end. By default its clock
 * is manual and its output repeatable.
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
    if (!sandbox) throw new Error('The sandbox starts before the first test: call this function inside a test');
    return sandbox;
  };
}
