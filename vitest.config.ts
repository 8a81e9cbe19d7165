import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, the longest first: begun last, it would be waited for when all else is done. Files that mostly wait
 * stand among those that burn, about two side by side, so that two processors have work at any time. What is new, and not
 * named here, comes after them: nothing has to be entered.
 */
const FIRST = [
  'zapier/scale',
  'zapier/time',
  'zapier/hooks',
  'zapier/signing',
  'zapier/learned',
  'learn/canaries',
  'zapier/deliveries',
  'zapier/searches',
  'zapier/cli',
  'zapier/scale-deliveries',
  'zapier/actions',
  'zapier/sentences',
  'zapier/large',
  'sandbox/demo',
  'sandbox/pages-pdfs',
  'core/matrix',
  'sandbox/bad-requests',
  'sandbox/pages-reader',
  'repo/packages',
  'mcp/conformance',
  'sandbox/pages-access',
  'mcp/hosted-killed',
  'core/linear',
  'mcp/hosted-pages',
  'mcp/hosted-killed-halfway',
  'sandbox/pages-console',
  'core/profile-learned',
  'mcp/hosted-replicas',
  'core/profile-stale',
  'learn/kills',
  'mcp/tools',
  'mcp/views/views',
  'mcp/hosted-browser',
  'sandbox/pages-reading',
  'repo/release',
  'mcp/state/redis-state',
  'repo/script-options',
  'mcp/state/redis-full',
  'core/rate-limit/limiter',
  'core/pagination/list-styles',
  'sandbox/pages-signing',
  'core/upload/upload-failures',
  'mcp/state/redis-away',
  'mcp/views/cards',
  'learn/secrets',
  'learn/table',
  'mcp/state/state',
  'mcp/views/acts',
  'sandbox/raw-sockets',
  'mcp/trace',
  'mcp/hosted-people',
  'learn/hostile',
  'mcp/first-minute',
  'core/memory',
  'mcp/hosted-hand-over',
  'core/request/calls',
  'mcp/inspector',
  'core/rate-limit/shared-limit',
  'mcp/result/lists',
  'sandbox/uploads',
  'sandbox/operations',
  'mcp/hosted-hostile',
  'repo/browser',
  'sandbox/repeatable',
  'sandbox/learned-other',
  'mcp/hosted-refused',
  'core/redact/secrets',
  'sandbox/learned-again',
  'core/client-page',
  'mcp/files/uploads',
  'core/request/effects',
  'sandbox/client',
  'mcp/fuzz',
  'repo/installs',
  'mcp/hosted-confirm',
  'sandbox/keep',
  'sandbox/control',
  'mcp/hosted-clients',
  'sandbox/limits',
  'mcp/views/odd-answers',
];

/** Shorter ones that mostly wait: one after each four of those that are not named, which come by their last time, or by their size. */
const AMONG = [
  'mcp/hosted',
  'mcp/call/in-doubt',
  'learn/events',
  'mcp/hosted-documents',
  'core/close',
  'mcp/hosted-confirm-attack',
  'learn/not-its-own',
  'mcp/server/stdio',
  'mcp/hosted-hand-over-attack',
  'mcp/forms',
  'learn/folder',
  'mcp/call/waiting',
  'mcp/hosted-download',
  'mcp/views/served',
];

/** Zapier's platform changes the HTTP of its whole process: these share workers among themselves. */
export const ZAPIER = ['test/zapier/**/*.test.ts', 'test/learn/canaries.test.ts'];

/** These load nock, which does too, each in its own way: each has a worker of its own. */
export const ALONE = ['test/core/wire.test.ts', 'test/unit/zapier/**/{before-request,hooks-once,resume}.test.ts'];
const ALL = ['test/**/*.test.ts'];
/** Those of Zapier last: what they run is built meanwhile. */
const PROJECTS = ['alone', 'shared', 'zapier'];

const CONTEXTS = '--experimental-async-context-frame';
/** A worker that once drove a browser pays for its contexts at each promise from then on; newer Nodes do without by themselves. */
const CHEAP_CONTEXTS = process.allowedNodeEnvironmentFlags.has(CONTEXTS) ? [CONTEXTS] : [];

/** A class because the runner makes it by `new`. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankIn = (names: readonly string[], { moduleId }: TestSpecification) =>
      names.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const ranked = (names: readonly string[]) =>
      sorted.filter((file) => rankIn(names, file) !== -1).toSorted((a, b) => rankIn(names, a) - rankIn(names, b));
    const sorted = await super.sort(files);
    const [first, among] = [ranked(FIRST), ranked(AMONG)];
    const rest = sorted.filter((file) => !first.includes(file) && !among.includes(file));
    const mixed = rest.flatMap((file, at) => (at % 4 === 3 ? [file, ...among.splice(0, 1)] : [file]));
    // One project after the other: a worker that is handed to another starts anew.
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return [...first, ...mixed, ...among].toSorted((a, b) => place(a) - place(b));
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
    sequence: { sequencer: LongestFirst },
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
