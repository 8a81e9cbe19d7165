import { defineConfig } from 'vitest/config';

/** The direct tests of the file that `npm run mutate` breaks just now: a mutant costs a run of those that reach it. */
export default defineConfig({
  test: {
    include: process.env['MUTATE_TESTS']?.split(',') ?? ['test/unit/**/*.test.ts'],
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 60_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    isolate: false,
    unstubEnvs: true,
  },
});
