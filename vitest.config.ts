import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, the longest first: begun last, it would be waited for when all else is done. Files that mostly wait
 * stand among those that burn, few side by side, so that the processors have work at any time. What is new, and not named
 * here, comes after them: nothing has to be entered.
 */
const FIRST = [
  'zapier/scale',
  'zapier/time',
  'zapier/hooks',
  'zapier/learned',
  'learn/canaries',
  'zapier/deliveries',
  'zapier/searches',
  'zapier/cli',
  'zapier/scale-deliveries',
  'zapier/actions',
  'zapier/signing',
  'zapier/large',
  'sandbox/demo',
  'learn/kills',
  'core/matrix',
  'core/linear',
  'core/profile-stale',
  'house/packages',
  'mcp/conformance',
  'core/list-styles',
  'core/profile-learned',
  'mcp/tools',
  'core/limiter',
  'sandbox/bad-requests',
  'sandbox/pages-pdfs',
  'sandbox/raw-sockets',
  'mcp/redis-state',
  'house/release',
  'core/upload-failures',
  'learn/table',
  'sandbox/pages-console',
  'mcp/hosted-pages',
  'sandbox/operations',
  'mcp/hosted-replicas',
  'mcp/hosted-killed-halfway',
  'mcp/hosted-browser',
  'house/script-options',
  'core/memory',
  'learn/hostile',
  'mcp/hosted-killed',
  'sandbox/pages-access',
  'house/browser',
  'sandbox/learned-again',
  'mcp/hosted-people',
  'sandbox/uploads',
  'mcp/first-minute',
  'core/calls',
  'sandbox/pages-reading',
  'sandbox/control',
  'sandbox/client',
  'sandbox/repeatable',
  'core/effects',
  'mcp/hosted-hand-over',
  'learn/events',
  'mcp/hosted-refused',
  'house/installs',
  'mcp/inspector',
  'sandbox/hostile-pdfs',
  'mcp/state',
  'sandbox/pages-reader',
  'core/shared-limit',
  'sandbox/learned-other',
  'mcp/hosted',
  'mcp/views/views',
  'mcp/hosted-hostile',
  'mcp/in-doubt',
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
    execArgv: [
      '--max-semi-space-size=32',
      // Half of what loading a worker costs is taking the types out.
      '--import',
      new URL('test/world/strip-once.ts', import.meta.url).href,
    ],
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
