import type { Plugin } from 'esbuild';
import { FONTS } from '../../sandbox/pdf/library.ts';

/** A module of a package that is bundled as something smaller, and what it becomes. */
interface Part {
  readonly module: RegExp;
  /** @param path of the module @returns its text in the bundle; undefined where it stays as it is */
  readonly become: (path: string) => string | undefined;
}

/** What stands in for what nobody here uses: whoever comes to use it is told where it went. */
const absent = (what: string) =>
  `throw new Error('${what} was left out of the bundle: see scripts/pack/in-part.ts');`;

const PARTS: readonly Part[] = [
  {
    // undici comes as one module with all that it can: fetch, caches, mocks. Where another of its names is asked for, the bundle fails.
    module: /[\\/]undici[\\/]index\.js$/,
    become: () => `
      import Agent from './lib/dispatcher/agent.js';
      import Dispatcher from './lib/dispatcher/dispatcher.js';
      import EnvHttpProxyAgent from './lib/dispatcher/env-http-proxy-agent.js';
      import request from './lib/api/api-request.js';
      Dispatcher.prototype.request = request;
      export { Agent, EnvHttpProxyAgent };
    `,
  },
  {
    // Its parser comes compiled twice, with and without vector instructions: the one that every processor runs is as quick here.
    module: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/,
    become: () => `module.exports = require('./llhttp-wasm.js');`,
  },
  {
    // Bodies here are texts, bytes and streams: what makes one of a form is asked for only when a form comes.
    module: /[\\/]undici[\\/]lib[\\/]web[\\/](fetch[\\/](body|formdata)|webidl[\\/]index)\.js$/,
    become: () => absent('What sends forms as bodies'),
  },
  {
    // One module too: the rest of it pushes, sums up clusters, and counts quantiles.
    module: /[\\/]prom-client[\\/]index\.js$/,
    become: () => `
      export { default as Counter } from './lib/counter.js';
      export { default as Gauge } from './lib/gauge.js';
      export { default as Histogram } from './lib/histogram.js';
      export { default as Registry } from './lib/registry.js';
      export { default as collectDefaultMetrics } from './lib/defaultMetrics.js';
    `,
  },
  {
    // A validator of JSON Schemas, larger than the rest of the SDK. `mcp/server.ts` brings its own judge of the one form there is.
    module: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    become: () => `
      import process from 'node:process';
      export class DefaultJsonSchemaValidator {
        getValidator() {
          ${absent('The validator of JSON Schemas')}
        }
      }
      export { process };
    `,
  },
  {
    module: /[\\/]standard-fonts[\\/]es[\\/][\w-]+\.compressed\.json$/,
    become: (path) => {
      const name = /([\w-]+)\.compressed\.json$/.exec(path)?.[1];
      const isUsed = name === 'all-encodings' || Object.values<string>(FONTS).includes(name ?? '');
      return isUsed ? undefined : 'module.exports = "";';
    },
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]api[\\/]form[\\/]PDFForm\.js$/,
    become: () => `export default class { static of() { ${absent('What fills in the forms of PDFs')} } }`,
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]utils[\\/]png\.js$/,
    become: () => `export class PNG { static load() { ${absent('What puts pictures into PDFs')} } }`,
  },
  {
    // Node unpacks by itself. It packs too, but other bytes on other machines.
    module: /[\\/]pako[\\/]index\.js$/,
    become: () => `
      import { inflateSync } from 'node:zlib';
      import { deflate } from './lib/deflate.js';
      export default { deflate, inflate: (bytes) => inflateSync(bytes) };
    `,
  },
];

/** Marks what is asked for again from here. */
const ASKED = {};

/** Of packages that a bundler can't take apart by itself, what is used here. */
export const inPart: Plugin = {
  name: 'in-part',
  setup({ onLoad, onResolve, resolve }) {
    for (const { module, become } of PARTS)
      onLoad({ filter: module }, ({ path }) => {
        const contents = become(path);
        return contents === undefined ? undefined : { contents };
      });
    // pdf-lib does not say that its modules only define: without the word all of them stay.
    onResolve({ filter: /^\.|^pdf-lib$/ }, async ({ path, importer, pluginData, ...how }) => {
      if (pluginData === ASKED || !(path === 'pdf-lib' || /[\\/]pdf-lib[\\/]es[\\/]/.test(importer)))
        return undefined;
      return { ...(await resolve(path, { importer, ...how, pluginData: ASKED })), sideEffects: false };
    });
    // Whoever requires it would get another copy than who imports it.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, kind, resolveDir }) =>
      kind === 'require-call' ? resolve(path, { kind: 'import-statement', resolveDir }) : undefined,
    );
  },
};
