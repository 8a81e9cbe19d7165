import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Says that `words` changes nothing, so that bundles leave out the lists of names that they don't read. */
export const pureAnnotations: Plugin = {
  name: 'pure-words',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]assumptions([\\/][\w-]+)?\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bwords\((?=\s*['"`])/g, '/* @__PURE__ */ words('),
      loader: 'ts',
    })),
};
