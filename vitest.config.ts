import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTests } from './test/support/skipped-tests.ts';

/** Tests that load Zapier's platform, which patches HTTP for its whole process. They share workers only with each other. */
export const ZAPIER = ['test/zapier/**/*.test.ts', 'test/learn/canaries.test.ts'];

/** Tests that load nock, which patches HTTP differently. They get their own worker. */
export const ALONE = ['test/core/request/wire.test.ts'];
const ALL = ['test/**/*.test.ts'];
/** Run order of the projects. Zapier is last because its artifact is built while the others run. */
const PROJECTS = ['alone', 'shared', 'zapier'];

const CONTEXTS = '--experimental-async-context-frame';
/** Makes async contexts cheap: without the flag, a worker that once drove a browser slows down at each promise. Newer versions of Node do not need it. */
const CHEAP_CONTEXTS = process.allowedNodeEnvironmentFlags.has(CONTEXTS) ? [CONTEXTS] : [];

/**
 * Runs one project after the other, because a worker restarts when it changes projects. Within a project, Vitest's order
 * applies: the slowest files of the last run first, then files without a recorded run by size.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Catches tests that hang; slow tests on a busy machine must still pass.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    setupFiles: ['test/support/own-environment.ts', 'test/support/restore-after-test.ts'],
    // Two workers for the processors and two that wait for a process or a socket. Each additional worker has to load and
    // compile all modules again, which costs more time than it saves.
    maxWorkers: 4,
    // Uses Node's loader and its type stripping; Vite does not transform modules.
    experimental: { viteModuleRunner: false },
    // Tests create mostly short-lived objects; a larger young generation saves 10% of garbage collection.
    execArgv: [
      '--max-semi-space-size=32',
      // Most test code runs once; optimizing it for later calls took 20% of a worker's time.
      '--invocation-count-for-turbofan=12000',
      ...CHEAP_CONTEXTS,
      // Caches stripped files, because type stripping takes half of a worker's load time.
      '--import',
      new URL('test/support/strip-types-once.ts', import.meta.url).href,
    ],
    sequence: { sequencer: ProjectByProject },
    reporters: ['default', new SkippedTests()],
    projects: [
      // A worker keeps its loaded modules between files; reloading them took a third of the time.
      {
        extends: true,
        test: { name: 'shared', include: ALL, exclude: [...ZAPIER, ...ALONE], isolate: false, unstubEnvs: true },
      },
      {
        extends: true,
        test: {
          name: 'zapier',
          include: ZAPIER,
          globalSetup: 'test/support/build-zapier-app.ts',
          isolate: false,
          unstubEnvs: true,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, unstubEnvs: true } },
    ],
  },
});
