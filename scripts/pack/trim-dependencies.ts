import type { Plugin } from 'esbuild';
import { FONTS } from '../../sandbox/pdf/library.ts';

/** A module of a package that is bundled as something smaller, and what it becomes. */
interface ModuleReplacement {
  readonly module: RegExp;
  /** @param path of the module @returns its text in the bundle; undefined where it stays as it is */
  readonly getReplacement: (path: string) => string | undefined;
}

/** What stands in for what nobody here uses: whoever comes to use it is told where it went. */
const throwingStub = (feature: string) =>
  `throw new Error('${feature} was left out of the bundle: see scripts/pack/trim-dependencies.ts');`;

const REPLACEMENTS: readonly ModuleReplacement[] = [
  {
    // undici comes as one module with all that it can: fetch, caches, mocks. Where another of its names is asked for, the bundle fails.
    module: /[\\/]undici[\\/]index\.js$/,
    getReplacement: () => `
      import Agent from './lib/dispatcher/agent.js';
      import Dispatcher from './lib/dispatcher/dispatcher.js';
      import EnvHttpProxyAgent from './lib/dispatcher/env-http-proxy-agent.js';
      import Pool from './lib/dispatcher/pool.js';
      import buildConnector from './lib/core/connect.js';
      import connect from './lib/api/api-connect.js';
      import request from './lib/api/api-request.js';
      Dispatcher.prototype.request = request;
      Dispatcher.prototype.connect = connect;
      export { Agent, buildConnector, EnvHttpProxyAgent, Pool };
    `,
  },
  {
    // Its parser comes compiled twice, with and without vector instructions: the one that every processor runs is as quick here.
    module: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/,
    getReplacement: () => `module.exports = require('./llhttp-wasm.js');`,
  },
  {
    // Bodies here are texts, bytes and streams: what makes one of a form is asked for only when a form comes.
    module: /[\\/]undici[\\/]lib[\\/]web[\\/](fetch[\\/](body|formdata)|webidl[\\/]index)\.js$/,
    getReplacement: () => throwingStub('What sends forms as bodies'),
  },
  {
    // One module too: the rest of it pushes, sums up clusters, and counts quantiles.
    module: /[\\/]prom-client[\\/]index\.js$/,
    getReplacement: () => `
      export { default as Counter } from './lib/counter.js';
      export { default as Gauge } from './lib/gauge.js';
      export { default as Histogram } from './lib/histogram.js';
      export { default as Registry } from './lib/registry.js';
      export { default as collectDefaultMetrics } from './lib/defaultMetrics.js';
    `,
  },
  {
    // A validator of JSON Schemas, larger than the rest of the SDK. `mcp/server-factory.ts` brings its own judge of the one form there is.
    module: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    getReplacement: () => `
      import process from 'node:process';
      export class DefaultJsonSchemaValidator {
        getValidator() {
          ${throwingStub('The validator of JSON Schemas')}
        }
      }
      export { process };
    `,
  },
  {
    module: /[\\/]standard-fonts[\\/]es[\\/][\w-]+\.compressed\.json$/,
    getReplacement: (path) => {
      const name = /([\w-]+)\.compressed\.json$/.exec(path)?.[1];
      const isUsed = name === 'all-encodings' || Object.values<string>(FONTS).includes(name ?? '');
      return isUsed ? undefined : 'module.exports = "";';
    },
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]api[\\/]form[\\/]PDFForm\.js$/,
    getReplacement: () => `export default class { static of() { ${throwingStub('What fills in the forms of PDFs')} } }`,
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]utils[\\/]png\.js$/,
    getReplacement: () => `export class PNG { static load() { ${throwingStub('What puts pictures into PDFs')} } }`,
  },
  {
    // Node unpacks by itself. It packs too, but other bytes on other machines.
    module: /[\\/]pako[\\/]index\.js$/,
    getReplacement: () => `
      import { inflateSync } from 'node:zlib';
      import { deflate } from './lib/deflate.js';
      export default { deflate, inflate: (bytes) => inflateSync(bytes) };
    `,
  },
];

/** Marks what is asked for again from here. */
const RESOLVING = {};

/** Of packages that a bundler can't take apart by itself, what is used here. */
export const trimDependencies: Plugin = {
  name: 'in-part',
  setup({ onLoad, onResolve, resolve }) {
    for (const { module, getReplacement } of REPLACEMENTS)
      onLoad({ filter: module }, ({ path }) => {
        const contents = getReplacement(path);
        return contents === undefined ? undefined : { contents };
      });
    // pdf-lib does not say that its modules only define: without the word all of them stay.
    onResolve({ filter: /^\.|^pdf-lib$/ }, async ({ path, importer, pluginData, ...options }) => {
      if (pluginData === RESOLVING || !(path === 'pdf-lib' || /[\\/]pdf-lib[\\/]es[\\/]/.test(importer)))
        return undefined;
      return { ...(await resolve(path, { importer, ...options, pluginData: RESOLVING })), sideEffects: false };
    });
    // Whoever requires it would get another copy than who imports it.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, kind, resolveDir }) =>
      kind === 'require-call' ? resolve(path, { kind: 'import-statement', resolveDir }) : undefined,
    );
  },
};
