import type { Plugin } from 'esbuild';
import { FONTS } from '../../sandbox/pdf/pdf-lib.ts';

/** Replacement of a dependency's module by a smaller one. */
interface ModuleReplacement {
  readonly module: RegExp;
  /** @param path of the module @returns its source in the bundle; undefined to keep it */
  readonly getReplacement: (path: string) => string | undefined;
}

/** Source of a removed feature: using it throws an error that names this file. */
const throwingStub = (feature: string) =>
  `throw new Error('${feature} was left out of the bundle: see scripts/pack/trim-dependencies.ts');`;

const REPLACEMENTS: readonly ModuleReplacement[] = [
  {
    // undici's main module includes fetch, caches and mocks. The bundle fails if another export is used.
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
    // The parser is compiled twice; the version without vector instructions is as fast here.
    module: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp_simd-wasm\.js$/,
    getReplacement: () => `module.exports = require('./llhttp-wasm.js');`,
  },
  {
    // Bodies are text, bytes or streams here. undici loads this module only for forms.
    module: /[\\/]undici[\\/]lib[\\/]web[\\/](fetch[\\/](body|formdata)|webidl[\\/]index)\.js$/,
    getReplacement: () => throwingStub('Sending form bodies'),
  },
  {
    // Without push gateway, cluster aggregation and quantiles.
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
    // The JSON Schema validator is larger than the rest of the SDK; `mcp/server-factory.ts` has its own for the one schema in use.
    module: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    getReplacement: () => `
      import process from 'node:process';
      export class DefaultJsonSchemaValidator {
        getValidator() {
          ${throwingStub('The JSON Schema validator')}
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
    getReplacement: () => `export default class { static of() { ${throwingStub('Filling PDF forms')} } }`,
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]utils[\\/]png\.js$/,
    getReplacement: () => `export class PNG { static load() { ${throwingStub('Embedding PNG images')} } }`,
  },
  {
    module: /[\\/]pdf-lib[\\/]es[\\/]core[\\/]interactive[\\/]ViewerPreferences\.js$/,
    getReplacement: () => `
      export default class { static create() { ${throwingStub('Setting viewer preferences of PDFs')} } }
      export const [NonFullScreenPageMode, ReadingDirection, PrintScaling, Duplex] = [{}, {}, {}, {}];
    `,
  },
  {
    // The sandbox reads multipart forms only.
    module: /[\\/]busboy[\\/]lib[\\/]types[\\/]urlencoded\.js$/,
    getReplacement: () => 'module.exports = {};',
  },
  {
    // Node decompresses by itself; its compression differs between machines.
    module: /[\\/]pako[\\/]index\.js$/,
    getReplacement: () => `
      import { inflateSync } from 'node:zlib';
      import { deflate } from './lib/deflate.js';
      export default { deflate, inflate: (bytes) => inflateSync(bytes) };
    `,
  },
];

/** Marks a resolution started below, so that it does not start another one. */
const RESOLVING = {};

/** Exports in use of packages that bundlers can't tree-shake. */
export const trimDependencies: Plugin = {
  name: 'trim-dependencies',
  setup({ onLoad, onResolve, resolve }) {
    for (const { module, getReplacement } of REPLACEMENTS)
      onLoad({ filter: module }, ({ path }) => {
        const contents = getReplacement(path);
        return contents === undefined ? undefined : { contents };
      });
    // pdf-lib does not declare `sideEffects: false`, so all of its modules would stay.
    onResolve({ filter: /^\.|^pdf-lib$/ }, async ({ path, importer, pluginData, ...options }) => {
      if (pluginData === RESOLVING || !(path === 'pdf-lib' || /[\\/]pdf-lib[\\/]es[\\/]/.test(importer)))
        return undefined;
      return { ...(await resolve(path, { importer, ...options, pluginData: RESOLVING })), sideEffects: false };
    });
    // `require` would load another copy than `import`.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, kind, resolveDir }) =>
      kind === 'require-call' ? resolve(path, { kind: 'import-statement', resolveDir }) : undefined,
    );
  },
};
