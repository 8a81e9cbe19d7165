/** Vitest's provider, which also traces the scripts of the views to their sources (`cover-view.ts`). */
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import v8 from '@vitest/coverage-v8';
import { V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js';

interface Sources {
  readonly code: string;
  readonly map?: unknown;
}

// The declaration hides the method that finds a script's sources.
class TracingProvider extends (V8CoverageProvider as unknown as new () => {
  getSources(url: string, ...rest: unknown[]): Promise<Sources>;
}) {
  override async getSources(url: string, ...rest: unknown[]): Promise<Sources> {
    const sources = await super.getSources(url, ...rest);
    if (!/\/coverage\/views\/\w+\.js$/.test(url)) return sources;
    const map = JSON.parse(await readFile(new URL(`${url}.map`), 'utf8'));
    return { ...sources, map: { ...map, sources: map.sources.map((path: string) => new URL(path, url).href) } };
  }
}

const WAITS = '.unfinished';

/** Keeps only complete files, because the provider reads all of them: a child may still be writing, or was killed. */
async function setAside(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const plain = name.replace(WAITS, '');
    const isWhole = await readFile(join(folder, name), 'utf8')
      .then(JSON.parse)
      .then(Boolean, () => false);
    const wanted = isWhole ? plain : `${plain}${WAITS}`;
    if (wanted !== name) await rename(join(folder, name), join(folder, wanted));
  }
}

const covering = {
  ...v8,
  getProvider: () => new TracingProvider(),
  async takeCoverage(this: { extendedContextCoverageDir?: string }, ...given: unknown[]): Promise<unknown> {
    const folder = this.extendedContextCoverageDir;
    if (folder !== undefined) await setAside(folder);
    // The declaration omits the arguments.
    return (v8 as unknown as { takeCoverage(...given: unknown[]): unknown }).takeCoverage.apply(this, given);
  },
};

// biome-ignore lint/style/noDefaultExport: the runner requires it.
export default covering;
