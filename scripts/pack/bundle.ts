import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { englishOnly } from '../english-only.ts';
import { rootManifest } from './manifest.ts';
import { trimDependencies } from './trim-dependencies.ts';

/** Inlines the version, since a bundle does not find the manifest. A running build is in `dist-PID`. */
const inlineVersion: Plugin = {
  name: 'inline-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist(-\d+)?[\\/]src[\\/]version\.js$/ }, () => ({ contents: generateVersionModule() })),
};

/** Imports zod as a namespace, so that the bundler drops the parts that are not used. */
const zodAsNamespacePlugin: Plugin = {
  name: 'zod-as-namespace',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist(-\d+)?[\\/].*\.js$/ }, ({ path }) =>
      path.includes('node_modules') ? undefined : { contents: importZodAsNamespace(readFileSync(path, 'utf8')) },
    ),
};

/** Resolves the views in the folder being bundled; the manifest names those in `dist`. */
const resolveBuiltViews: Plugin = {
  name: 'built-views',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^#view-pages$/ }, ({ importer }) => ({ path: join(dirname(importer), 'built.js') })),
};

/** Leaves the modules of a folder outside the bundle: the package contains them. */
const keepOutside = (folder: string): Plugin => ({
  name: 'keep-outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const below = relative(folder, join(resolveDir, path));
      if (below.startsWith('..')) return undefined;
      return { path: `../${below.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`, external: true };
    }),
});

/** Bundled CommonJS modules load Node modules with `require`. */
export const DEFINE_REQUIRE =
  "import{createRequire as docshareRequire}from'node:module';const require=docshareRequire(import.meta.url);";

export function importZodAsNamespace(text: string): string {
  return text.replace("import { z } from 'zod';", "import * as z from 'zod';");
}

export function generateVersionModule(): string {
  return `export const version = ${JSON.stringify(rootManifest.version)};\n`;
}

/** Bundles built modules with their dependencies into lazily loaded chunks, and writes the licences of the dependencies. */
export async function bundle(options: {
  /** Entry modules, by the name of the output without its extension. */
  readonly entries: Readonly<Record<string, string>>;
  readonly outFolder: string;
  /** Folder of the sources. Chunk names depend on paths below it only, so they are the same on every machine. */
  readonly rootFolder: string;
  /** Modules that are not bundled: a folder of the package, and its dependencies. */
  readonly external?: { readonly folder: string; readonly packages: readonly string[] };
}): Promise<Metafile> {
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
    // Some packages export ES modules only under this name, which tree shaking needs.
    mainFields: ['module', 'main'],
    chunkNames: 'chunk-[hash]',
    minify: true,
    // undici's define for bundles: leaves out its experimental parser, which is not used.
    define: { esbuildDetection: 'true' },
    legalComments: 'none',
    banner: { js: DEFINE_REQUIRE },
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
  return metafile;
}

/** Packages in a bundle, by folder. */
function getBundledPackages(metafile: Metafile, rootFolder: string): readonly string[] {
  const folders = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort().map((path) => join(rootFolder, path));
}

/** Longer text before the MIT or ISC terms belongs to another licence in the same file. */
const MAX_HEADING = 400;

/** Writes the terms of each licence once, however their lines are wrapped, below its packages and their copyright lines. */
function writeLicences(packages: readonly string[], outFolder: string): void {
  const byWords = new Map<string, { terms: string; owners: string[] }>();
  for (const folder of packages) {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE', 'license.md', 'License']
      .map((fileName) => join(folder, fileName))
      .find((path) => existsSync(path));
    const text = file ? readFileSync(file, 'utf8').trim() : '';
    // Most licences begin with their copyright, and their terms with this sentence.
    const start = text.search(/^Permission (?:is hereby granted|to use)/m);
    const heading = start < MAX_HEADING ? text.slice(0, Math.max(0, start)) : '';
    const terms = text.slice(heading.length);
    const words = terms.replace(/\s+/g, ' ');
    const entry = byWords.get(words) ?? { terms, owners: [] };
    const owner = `${name} ${version} (${license ?? licenses?.[0]?.type})`;
    entry.owners.push(`${owner}\n${heading.trim()}`.trim());
    byWords.set(words, entry);
  }
  const parts = [...byWords.values()].map(({ terms, owners }) => `${owners.join('\n\n')}\n\n${terms}\n`);
  writeFileSync(join(outFolder, 'LICENCES.txt'), parts.join(`\n${'-'.repeat(80)}\n\n`));
}
