import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, the longest first: begun last, it would be waited for when all else is done. Files that mostly wait
 * stand among those that burn, so that the processors have work at any time. What is new, and not named here, comes after
 * them: nothing has to be entered.
 */
const FIRST = [
  'zapier/scale',
  'zapier/cli',
  'zapier/searches',
  'zapier/deliveries',
  'zapier/hooks',
  'zapier/actions',
  'sandbox/raw-sockets',
  'learn/kills',
  'mcp/views/views',
  'sandbox/pages-pdfs',
  'sandbox/demo',
  'mcp/redis-state',
  'core/matrix',
  'sandbox/pages-access',
  'mcp/conformance',
  'mcp/hosted-killed',
  'mcp/views/cards',
  'core/client-page',
  'mcp/state',
  'sandbox/bad-requests',
  'mcp/hosted-pages',
  'mcp/hosted-replicas',
  'mcp/tools',
  'sandbox/pages-console',
  'mcp/hosted-hand-over',
  'house/packages',
  'core/linear',
  'core/shared-limit',
  'mcp/trace',
  'sandbox/pages-reader',
  'core/calls',
  'core/limiter',
  'mcp/hosted-browser',
  'mcp/in-doubt',
  'sandbox/operations',
  'core/list-styles',
  'mcp/views/acts',
];

/** Zapier's platform changes the HTTP of its whole process: these share workers among themselves. */
const ZAPIER = ['test/zapier/**/*.test.ts'];

/** These load nock, which does too, each in its own way: each has a worker of its own. */
const ALONE = ['test/core/wire.test.ts', 'test/rules/{before-request,hooks-once,resume}.test.ts'];
const ALL = ['test/**/*.test.ts'];
const PROJECTS = ['alone', 'zapier', 'shared'];

/** A class because the runner makes it by `new`. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? FIRST.length : at;
    };
    // One project after the other: a worker that is handed to another starts anew.
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    // Half of their time tests wait for a process or a socket, not for the processor: five at a time, whatever the machine.
    maxWorkers: 5,
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
