import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { englishOnly } from '../english-only.ts';
import { root } from './manifest.ts';

/** A bundle lies elsewhere than its sources, and finds no manifest from there. */
const knownVersion: Plugin = {
  name: 'known-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist[\\/]src[\\/]version\.js$/ }, () => ({ contents: versionModule() })),
};

/**
 * undici comes as one module with all that it can: fetch, caches, mocks. This is the part that is used here; where another
 * is asked for, the bundle fails.
 */
const undiciInPart: Plugin = {
  name: 'undici-in-part',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: `
        import Agent from './lib/dispatcher/agent.js';
        import Dispatcher from './lib/dispatcher/dispatcher.js';
        import EnvHttpProxyAgent from './lib/dispatcher/env-http-proxy-agent.js';
        import request from './lib/api/api-request.js';
        Dispatcher.prototype.request = request;
        export { Agent, EnvHttpProxyAgent };
      `,
    })),
};

/** Of a namespace that was imported as one a bundler keeps what is used; of one that was handed on, all. */
const zodInPart: Plugin = {
  name: 'zod-in-part',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist[\\/](src|mcp|sandbox)[\\/].*\.js$/ }, ({ path }) => ({
      contents: zodAsNamespace(readFileSync(path, 'utf8')),
    })),
};

export function zodAsNamespace(text: string): string {
  return text.replace("import { z } from 'zod';", "import * as z from 'zod';");
}

/**
 * The SDK takes along a validator of JSON Schemas, a tenth of a start, and asks it only about filled-in forms: it is made
 * when it is asked.
 */
const validatorWhenAsked: Plugin = {
  name: 'validator-when-asked',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, ({ path }) => {
      const [, name, from] =
        /import \{ (\w+) as AjvJsonSchemaValidator \} from "(.+?)"/.exec(readFileSync(path, 'utf8')) ?? [];
      if (!name || !from) throw new Error(`${path} has another form than it had: look what it gives`);
      return {
        contents: `
          import process from 'node:process';
          export class DefaultJsonSchemaValidator {
            getValidator(schema) {
              this.made ??= new (require('${from}').${name})();
              return this.made.getValidator(schema);
            }
          }
          export { process };
        `,
      };
    }),
};

export function versionModule(): string {
  return `export const version = ${JSON.stringify(root.version)};\n`;
}

/**
 * Bundles built modules with all that they stand on, in chunks that load when they are asked for, and writes the licences
 * of what comes along.
 */
export async function bundle(options: {
  /** Name of an output, without its ending, to the built module that it starts from. */
  readonly entries: Readonly<Record<string, string>>;
  readonly into: string;
}): Promise<Metafile> {
  const { entries, into } = options;
  const { metafile } = await build({
    entryPoints: { ...entries },
    outdir: into,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // Some packages give ES modules under this name alone: only of those is left out what nobody uses.
    mainFields: ['module', 'main'],
    chunkNames: 'chunk-[hash]',
    minify: true,
    // undici's own word for a bundle: without its experimental parser, which nothing here turns on.
    define: { esbuildDetection: 'true' },
    legalComments: 'none',
    // CommonJS that came along asks for Node's modules by `require`.
    banner: {
      js: "import{createRequire as docshareRequire}from'node:module';const require=docshareRequire(import.meta.url);",
    },
    plugins: [englishOnly, knownVersion, undiciInPart, validatorWhenAsked, zodInPart],
    metafile: true,
    logLevel: 'warning',
  });
  writeLicences(metafile, into);
  return metafile;
}

/** Packages that a bundle holds, by their folder. */
export function packagesIn(metafile: Metafile): readonly string[] {
  const folders = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Each text once, under all packages that come by it: some are long, and many are the same. */
function writeLicences(metafile: Metafile, into: string): void {
  const byText = new Map<string, string[]>();
  for (const folder of packagesIn(metafile)) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'license.md', 'License']
      .map((one) => join(folder, one))
      .find((path) => existsSync(path));
    const text = file ? readFileSync(file, 'utf8').trim() : '';
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  writeFileSync(join(into, 'LICENCES.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
}
