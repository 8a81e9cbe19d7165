import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest starts with the slowest files; a mutant is noticed sooner by the quickest. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

/** The tests of the module that `npm run mutate` mutates. */
export default defineConfig({
  test: {
    include: process.env['MUTATE_TESTS']?.split(',') ?? [],
    // Ends what hangs, not what is slow.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // As for coverage, the Zapier app runs from its sources behind the platform's handler.
    env: { DOCSHARE_COVERAGE: '1' },
    expect: { requireAssertions: true, poll: { timeout: 30_000, interval: 20 } },
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    setupFiles: ['test/support/restore-after-test.ts'],
    unstubEnvs: true,
  },
});
