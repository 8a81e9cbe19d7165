import { defineConfig } from 'vitest/config';

/** The tests of the module that `npm run mutate` mutates. */
export default defineConfig({
  test: {
    include: process.env['MUTATE_TESTS']?.split(',') ?? [],
    // Ends what hangs, not what is slow.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As for coverage, the Zapier app runs from its sources behind the platform's handler.
    env: { DOCSHARE_COVERAGE: '1' },
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    isolate: false,
    setupFiles: ['test/support/restore-after-test.ts'],
    unstubEnvs: true,
  },
});
