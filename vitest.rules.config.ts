import { defineConfig } from 'vitest/config';

/** The direct tests alone, for `npm run mutate`: a mutant costs a run of those that reach it. */
export default defineConfig({
  test: {
    include: [
      'test/rules/**/*.test.ts',
      'test/core/{events,event-delivery,signature,verify-event,safe-name,storage-address}.test.ts',
      'test/core/{list-oddities,options,typos}.test.ts',
      'test/mcp/{save,typos}.test.ts',
    ],
    expect: { requireAssertions: true },
    isolate: false,
    unstubEnvs: true,
  },
});
