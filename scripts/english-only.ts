import type { Plugin } from 'esbuild';

/** Keeps only the English messages of zod, which has fifty languages, to keep bundles small. */
export const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};
