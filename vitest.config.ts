import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // For what hangs, not for what is slow: a machine with other work takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most tests wait for processes, not for the processor: three at a time, whatever the machine.
    maxWorkers: 3,
    // A worker keeps what it has loaded from file to file: loading it again for each took a third of the time.
    isolate: false,
    unstubEnvs: true,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
