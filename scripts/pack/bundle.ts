import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { englishOnly } from '../english-only.ts';
import { rootManifest } from './manifest.ts';
import { trimDependencies } from './trim-dependencies.ts';

/** A bundle lies elsewhere than its sources, and finds no manifest from there. A build that goes on has its number in its name. */
const inlineVersion: Plugin = {
  name: 'known-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist(-\d+)?[\\/]src[\\/]version\.js$/ }, () => ({ contents: generateVersionModule() })),
};

/** Of a namespace that was imported as one a bundler keeps what is used; of one that was handed on, all. */
const zodAsNamespacePlugin: Plugin = {
  name: 'zod-in-part',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist(-\d+)?[\\/].*\.js$/ }, ({ path }) =>
      path.includes('node_modules') ? undefined : { contents: importZodAsNamespace(readFileSync(path, 'utf8')) },
    ),
};

/** The manifest names the views of the build that stands; what is bundled may be the next one. */
const resolveBuiltViews: Plugin = {
  name: 'views-beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^#view-pages$/ }, ({ importer }) => ({ path: join(dirname(importer), 'built.js') })),
};

/** Leaves the modules of a folder where they are: the package has them above the bundle. */
const keepOutside = (folder: string): Plugin => ({
  name: 'keep-outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const below = relative(folder, join(resolveDir, path));
      if (below.startsWith('..')) return undefined;
      return { path: `../${below.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`, external: true };
    }),
});

export function importZodAsNamespace(text: string): string {
  return text.replace("import { z } from 'zod';", "import * as z from 'zod';");
}

export function generateVersionModule(): string {
  return `export const version = ${JSON.stringify(rootManifest.version)};\n`;
}

/**
 * Bundles built modules with all that they stand on, in chunks that load when they are asked for, and writes the licences
 * of what comes along.
 */
export async function bundle(options: {
  /** Name of an output, without its ending, to the built module that it starts from. */
  readonly entries: Readonly<Record<string, string>>;
  readonly outFolder: string;
  /** The folder of what is bundled: chunks are named by what lies below it, so that the same code has the same names anywhere. */
  readonly rootFolder: string;
  /** Folder of `rootFolder` that lies beside `outFolder` in the package, and packages that are installed with it. */
  readonly external?: { readonly folder: string; readonly packages: readonly string[] };
}): Promise<void> {
  const { entries, outFolder, external } = options;
  const rootFolder = resolve(options.rootFolder);
  const { metafile } = await build({
    absWorkingDir: rootFolder,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, resolve(path)])),
    outdir: resolve(outFolder),
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
    external: [...(external?.packages ?? [])],
    plugins: [
      ...(external ? [keepOutside(join(rootFolder, external.folder))] : []),
      resolveBuiltViews,
      englishOnly,
      trimDependencies,
      inlineVersion,
      zodAsNamespacePlugin,
    ],
    metafile: true,
    logLevel: 'warning',
  });
  writeLicences(getBundledPackages(metafile, rootFolder), outFolder);
}

/** Packages that a bundle holds, by their folder. */
function getBundledPackages(metafile: Metafile, rootFolder: string): readonly string[] {
  const folders = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((path) => join(rootFolder, path));
}

/** Each text once, under all packages that come by it: some are long, and many are the same. */
function writeLicences(packages: readonly string[], outFolder: string): void {
  const byText = new Map<string, string[]>();
  for (const folder of packages) {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'license.md', 'License']
      .map((fileName) => join(folder, fileName))
      .find((path) => existsSync(path));
    const text = file ? readFileSync(file, 'utf8').trim() : '';
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license ?? licenses?.[0]?.type})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  writeFileSync(join(outFolder, 'LICENCES.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
}
