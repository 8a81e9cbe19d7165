import { defineConfig, mergeConfig } from 'vitest/config';
import suite from './vitest.config.ts';

/** For `npm run coverage`: the whole suite, what its child processes ran included. */
export default mergeConfig(
  suite,
  defineConfig({
    test: {
      env: { DOCSHARE_COVERAGE: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
      setupFiles: ['test/support/cover-children.ts'],
      coverage: {
        enabled: true,
        provider: 'custom',
        customProviderModule: './test/support/coverage-provider.ts',
        autoAttachSubprocess: true,
        include: ['src/**/*.ts', 'learn/**/*.ts', 'mcp/**/*.ts', 'zapier/**/*.ts', 'coverage/views/*.js'],
        excludeAfterRemap: true,
        exclude: ['zapier/dist/**', 'zapier/build/**', '**/*.d.ts'],
        reporter: ['text', 'json-summary'],
        reportsDirectory: 'coverage',
        reportOnFailure: true,
        thresholds: { branches: 90 },
      },
    },
  }),
);
