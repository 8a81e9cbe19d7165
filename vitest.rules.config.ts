import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What loads much, or takes longer than milliseconds: a mutant that another test finds never comes to these. */
const LAST =
  /\/(?:own-share|one-key|upload-ways|list-ends|list-oddities|event-delivery|options|typos|save|storage-address|before-request|forms|hooks-once|resume|subscription|safe-name)\.test\.ts$/;

/** A class because the runner makes it by `new`. */
class LightestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification) => (LAST.test(moduleId) ? 1 : 0);
    return files.toSorted((a, b) => weight(a) - weight(b));
  }
}

/** The direct tests alone, for `npm run mutate`: a mutant costs a run of those that reach it. */
export default defineConfig({
  test: {
    include: [
      'test/rules/**/*.test.ts',
      'test/core/{events,event-delivery,signature,verify-event,safe-name,storage-address}.test.ts',
      'test/core/{list-oddities,options,typos}.test.ts',
      'test/mcp/{save,typos}.test.ts',
    ],
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 60_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000, interval: 20 } },
    isolate: false,
    unstubEnvs: true,
    sequence: { sequencer: LightestFirst },
  },
});
