import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait for processes, not for the processor: three at a time, whatever the machine.
    maxWorkers: 3,
    unstubEnvs: true,
  },
});
