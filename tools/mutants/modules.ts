import { globSync, readFileSync } from 'node:fs';
import { LAYERS } from '../../test/support/layers.ts';
import { ALONE, ZAPIER } from '../../vitest.config.ts';

export interface Package {
  readonly name: string;
  /** The folders of its layers, for example `src/pagination`. */
  readonly modules: readonly string[];
  readonly tests: readonly string[];
}

/** The folder of each package's tests. */
const TEST_FOLDERS: Readonly<Record<string, string>> = { src: 'core' };

/** Tests of size, time, crashes and processes: slow with every mutant that survives, or not possible beside other tests. */
const UNFIT_TESTS = /conformance|large|scale|kills|upload-failures|-browser|scripted-model|fuzz|deployment|pdf-thread/;

/** Tests of built files or in a browser: they see no mutant. The Zapier app and views run from their sources. */
const SEES_NO_MUTANT = /(?<!-)\bdist\/|open-browser(?![\s\S]*view-host)|zapier-(?:definition|artefact)/;

/** Functions that reach the browser as text, where a mutant could not run. */
const BROWSER_SCRIPT = /^sandbox\/pages\/.*-script\.ts$/;

/** Returns the packages with the tests that can run against a mutant: those that run sources, in the same process. */
export function getPackages(): readonly Package[] {
  return Object.entries(LAYERS).map(([name, layers]) => {
    const folder = TEST_FOLDERS[name] ?? name;
    const tests = [`test/${folder}`, `test/unit/${folder}`]
      .flatMap((path) => globSync(`${path}/**/*.test.ts`))
      .filter((path) => !UNFIT_TESTS.test(path) && !patchesHttp(path, name))
      .filter((path) => !SEES_NO_MUTANT.test(readFileSync(path, 'utf8')));
    const modules = layers
      .filter((layer) => !layer.endsWith('.ts') && layer !== '.')
      .map((layer) => `${name}/${layer}`);
    return { name, modules, tests: tests.toSorted() };
  });
}

/** Such tests would change HTTP for the others, which run in the same process. */
function patchesHttp(path: string, packageName: string): boolean {
  return ALONE.includes(path) || (packageName !== 'zapier' && ZAPIER.includes(path));
}

/** Returns the module of a source file: the innermost folder of a layer; undefined for scripts of the browser. */
export function findModule(path: string, modules: readonly string[]): string | undefined {
  if (BROWSER_SCRIPT.test(path)) return undefined;
  const containing = modules.filter((name) => path.startsWith(`${name}/`));
  return containing.toSorted((a, b) => b.length - a.length)[0];
}
