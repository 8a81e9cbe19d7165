import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Marks calls of `splitWords` as free of effects, so that bundles leave out the lists of names that they don't read. */
export const pureAnnotations: Plugin = {
  name: 'pure-annotations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]assumptions([\\/][\w-]+)?\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bsplitWords\((?=\s*['"`])/g, '/* @__PURE__ */ splitWords('),
      loader: 'ts',
    })),
};
