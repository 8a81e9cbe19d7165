import { EXCLUDED_MUTATORS } from './tools/mutants/sample.ts';

/** Configuration of the mutation tests. `tools/mutate.ts` starts Stryker and says what is mutated. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Tests also run what they don't import: a view that they build for the browser.
  vitest: { configFile: 'vitest.mutate.config.ts', related: false },
  // No such file: Stryker would otherwise rewrite tsconfig.json with a compiler of its own.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // The tests of the server take longer than five minutes in one process.
  dryRunTimeoutMinutes: 20,
  // Values made while a module loads are tables, and each mutant of one would run all tests.
  ignoreStatic: true,
  concurrency: Number(process.env['MUTATE_CONCURRENCY'] ?? 2),
  // Stryker alone would mutate only src and lib.
  mutate: ['{src,mcp,zapier,learn,sandbox}/**/*.ts'],
  ignorePatterns: ['coverage', '.stryker', 'reports'],
  mutator: { excludedMutations: EXCLUDED_MUTATORS },
  reporters: [],
  tempDirName: process.env['MUTATE_TEMP_FOLDER'] ?? '.stryker',
  timeoutMS: 20_000,
  allowEmpty: true,
};
