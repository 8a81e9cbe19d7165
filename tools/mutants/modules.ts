import { globSync, readFileSync } from 'node:fs';
import { LAYERS } from '../../test/support/layers.ts';

export interface TestedModule {
  /** For example `src/pagination`. */
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** The folder of each package's tests. */
const TEST_FOLDERS: Readonly<Record<string, string>> = { src: 'core' };

/**
 * Returns the modules that have tests at their entry point: the folders of the layers whose tests are in
 * `test/<package>/<module>` (`test/core` for `src`). A module's pure functions also have tables in
 * `test/unit/<package>/<module>`.
 */
export function getTestedModules(): readonly TestedModule[] {
  return Object.entries(LAYERS).flatMap(([packageName, layers]) =>
    layers
      .filter((layer) => !layer.endsWith('.ts') && layer !== '.')
      .map((layer) => {
        const folder = TEST_FOLDERS[packageName] ?? packageName;
        const tests = [`test/${folder}/${layer}`, `test/unit/${folder}/${layer}`]
          .flatMap((path) => globSync(`${path}/**/*.test.ts`))
          // Built files are not mutated.
          .filter((path) => !readFileSync(path, 'utf8').includes('/dist/'));
        const sources = globSync(`${packageName}/${layer}/**/*.ts`);
        return { name: `${packageName}/${layer}`, sources: sources.toSorted(), tests: tests.toSorted() };
      })
      .filter(({ tests }) => tests.length > 0),
  );
}
