import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Marks calls of `splitWords` as pure, so that bundlers can drop unused lists of names. */
export const pureAnnotations: Plugin = {
  name: 'pure-annotations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]assumptions([\\/][\w-]+)?\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bsplitWords\((?=\s*['"`])/g, '/* @__PURE__ */ splitWords('),
      loader: 'ts',
    })),
};
