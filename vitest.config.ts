import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest by the clock and mostly waits: begun last, it would be waited for when all else is done. */
const FIRST = ['sandbox/raw-sockets', 'sandbox/demo', 'mcp/tools', 'mcp/trace', 'sandbox/bad-requests'];

/** Zapier's platform changes the HTTP of its whole process: these share workers among themselves. */
const ZAPIER = ['test/zapier/**/*.test.ts'];

/** These load nock, which does too, each in its own way: each has a worker of its own. */
const ALONE = ['test/core/wire.test.ts', 'test/rules/{before-request,hooks-once,resume}.test.ts'];
const ALL = ['test/**/*.test.ts'];

/** A class because the runner makes it by `new`. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    // Most tests wait for a process or a socket, not for the processor: four at a time, whatever the machine.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      // A worker keeps what it has loaded from file to file: loading it again for each took a third of the time.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ALL,
          exclude: [...ZAPIER, ...ALONE],
          isolate: false,
          unstubEnvs: true,
        },
      },
      { extends: true, test: { name: 'zapier', include: ZAPIER, isolate: false, unstubEnvs: true } },
      { extends: true, test: { name: 'alone', include: ALONE, unstubEnvs: true } },
    ],
  },
});
