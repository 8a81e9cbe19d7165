/** Vitest's own provider, which traces the scripts of the views to their sources too (`cover-view.ts`). */
import { readFile } from 'node:fs/promises';
import v8 from '@vitest/coverage-v8';
import { V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js';

interface Sources {
  readonly code: string;
  readonly map?: unknown;
}

// Its declaration hides the method that finds a script's sources.
class TracingProvider extends (V8CoverageProvider as unknown as new () => {
  getSources(url: string, ...rest: unknown[]): Promise<Sources>;
}) {
  override async getSources(url: string, ...rest: unknown[]): Promise<Sources> {
    const sources = await super.getSources(url, ...rest);
    if (!/\/coverage\/views\/\w+\.js$/.test(url)) return sources;
    const map = JSON.parse(await readFile(new URL(`${url}.map`), 'utf8'));
    return {
      ...sources,
      map: { ...map, sources: map.sources.map((path: string) => new URL(path, url).href) },
    };
  }
}

// biome-ignore lint/style/noDefaultExport: the runner asks for it.
export default { ...v8, getProvider: () => new TracingProvider() };
