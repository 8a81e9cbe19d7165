import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, the longest first: begun last, it would be waited for when all else is done. Files that mostly wait
 * stand among those that burn, so that the processors have work at any time. What is new, and not named here, comes after
 * them: nothing has to be entered.
 */
const FIRST = [
  'zapier/scale',
  'zapier/deliveries',
  'zapier/searches',
  'zapier/hooks',
  'zapier/time',
  'zapier/large',
  'zapier/signing',
  'zapier/actions',
  'learn/kills',
  'sandbox/pages-console',
  'sandbox/demo',
  'sandbox/raw-sockets',
  'mcp/hosted-pages',
  'sandbox/pages-signing',
  'sandbox/pages-reader',
  'mcp/redis-state',
  'house/packages',
  'mcp/hosted-browser',
  'mcp/hosted-killed-halfway',
  'sandbox/pages-reading',
  'learn/hostile',
  'sandbox/pages-pdfs',
  'mcp/hosted-killed',
  'mcp/views/acts',
  'sandbox/learned-hostile',
  'sandbox/learned-again',
  'sandbox/bad-requests',
  'learn/events',
  'mcp/state',
  'core/calls',
  'learn/secrets',
  'house/installs',
  'house/browser',
  'core/matrix',
  'core/profile-stale',
  'core/linear',
  'mcp/views/odd-answers',
  'learn/table',
  'mcp/views/cards',
  'house/release',
  'sandbox/pages-access',
  'sandbox/repeatable',
  'core/upload-failures',
  'mcp/resources',
  'mcp/hosted-people',
  'mcp/first-minute',
  'mcp/hosted-replicas',
  'mcp/views/views',
  'core/shared-limit',
  'learn/canaries',
  'core/limiter',
  'learn/check',
  'mcp/conformance',
  'mcp/trace',
  'core/profile-learned',
];

/** Zapier's platform changes the HTTP of its whole process: these share workers among themselves. */
export const ZAPIER = ['test/zapier/**/*.test.ts', 'test/learn/canaries.test.ts'];

/** These load nock, which does too, each in its own way: each has a worker of its own. */
export const ALONE = ['test/core/wire.test.ts', 'test/rules/{before-request,hooks-once,resume}.test.ts'];
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
    // Node's own loader and its own reading of TypeScript: nothing is rewritten on the way.
    experimental: { viteModuleRunner: false },
    // Short-lived things are most of what tests make: room for them spares a tenth of the collector's work.
    execArgv: ['--max-semi-space-size=32'],
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
