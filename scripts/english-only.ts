import type { Plugin } from 'esbuild';

/** zod words its issues in fifty languages; ours speak one, and have limits of size. */
export const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};
