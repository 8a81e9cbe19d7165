import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** Zapier's platform changes the HTTP of its whole process: these share workers among themselves. */
export const ZAPIER = ['test/zapier/**/*.test.ts', 'test/learn/canaries.test.ts'];

/** Loads nock, which does too, in its own way: it has a worker of its own. */
export const ALONE = ['test/core/wire.test.ts'];
const ALL = ['test/**/*.test.ts'];
/** Those of Zapier last: what they run is built meanwhile. */
const PROJECTS = ['alone', 'shared', 'zapier'];

const CONTEXTS = '--experimental-async-context-frame';
/** A worker that once drove a browser pays for its contexts at each promise from then on; newer Nodes do without by themselves. */
const CHEAP_CONTEXTS = process.allowedNodeEnvironmentFlags.has(CONTEXTS) ? [CONTEXTS] : [];

/**
 * Runs one project after the other: a worker that is handed to another starts anew. Inside a project the runner's own
 * order holds: the longest of the last run first, and what has not run yet by its size.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    setupFiles: ['test/support/own-environment.ts'],
    // Two for the processors, two that wait for a process or a socket, whatever the machine: each more has to load and to
    // compile all anew, which costs more than it wins.
    maxWorkers: 4,
    // Node's own loader and its own reading of TypeScript: nothing is rewritten on the way.
    experimental: { viteModuleRunner: false },
    // Short-lived things are most of what tests make: room for them spares a tenth of the collector's work.
    execArgv: [
      '--max-semi-space-size=32',
      // Tests run much once: making it fast for later, as for a server, took a fifth of a worker's time.
      '--invocation-count-for-turbofan=12000',
      ...CHEAP_CONTEXTS,
      // Half of what loading a worker costs is taking the types out.
      '--import',
      new URL('test/support/strip-once.ts', import.meta.url).href,
    ],
    sequence: { sequencer: ProjectByProject },
    reporters: ['default', new SkippedTests()],
    projects: [
      // A worker keeps what it has loaded from file to file: loading it again for each took a third of the time.
      {
        extends: true,
        test: { name: 'shared', include: ALL, exclude: [...ZAPIER, ...ALONE], isolate: false, unstubEnvs: true },
      },
      {
        extends: true,
        test: {
          name: 'zapier',
          include: ZAPIER,
          globalSetup: 'test/support/artefact-ahead.ts',
          isolate: false,
          unstubEnvs: true,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, unstubEnvs: true } },
    ],
  },
});
