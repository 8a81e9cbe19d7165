import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, generateVersionModule, importZodAsNamespace } from './bundle.ts';
import { copyDeclarations, toPublishedText } from './copy-declarations.ts';
import { copyExampleFiles } from './example-files.ts';
import { compatibleVersions, createManifest, rootManifest } from './manifest.ts';
import { NODE_VERSION_CHECK_FILE, prependNodeVersionCheck } from './node-version-check.ts';
import { packPdfjs } from './pack-pdfjs.ts';
import { writeBin } from './write-bin.ts';

const PDFJS = 'dist/sandbox/pdf/pdfjs';

export const PACKAGES = ['docshare', 'docshare-mcp', 'docshare-sandbox'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Brotli quality for pdf.js. Default: the best, which takes 15 seconds. */
export interface PackOptions {
  readonly quality?: number;
  /** Builds only this package. */
  readonly only?: PackageName;
}

/** Creates the packages from the build, each in its own folder. Run it in the repository folder. */
export async function buildPackages(outFolder: string, options: PackOptions = {}): Promise<void> {
  rmSync(outFolder, { recursive: true, force: true });
  for (const name of options.only === undefined ? PACKAGES : [options.only])
    await BUILDERS[name](join(outFolder, name), options);
}

const BUILDERS: Readonly<Record<PackageName, (folder: string, options: PackOptions) => Promise<void>>> = {
  docshare: buildClientPackage,
  'docshare-mcp': buildServerPackage,
  'docshare-sandbox': buildSandboxPackage,
};

function startPackage(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync('LICENSE', join(folder, 'LICENSE'));
  cpSync('CHANGELOG.md', join(folder, 'CHANGELOG.md'));
  const { name } = manifest as { name: string };
  cpSync(`docs/packages/${name}.md`, join(folder, 'README.md'));
}

/** Dependencies of the client's package. */
const CLIENT_DEPENDENCIES = ['p-queue', 'undici', 'zod'];

/** Client package: one file per module, so that bundlers keep only what is used. */
async function buildClientPackage(folder: string): Promise<void> {
  const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
  startPackage(
    folder,
    createManifest({
      name: 'docshare',
      description: 'Typed client for the Docshare document-sharing API: links, rooms, agreements, analytics.',
      keywords: ['docshare', 'documents', 'sharing', 'e-signature', 'data room', 'api client'],
      // webpack 5.113 in development mode runs unused modules of `assumptions` without what they import.
      sideEffects: [`./dist/**/${NODE_VERSION_CHECK_FILE}`, './dist/**/assumptions/*.js'],
      exports: {
        '.': entry('index'),
        './opentelemetry': entry('opentelemetry'),
        './tools': entry('tools/create-tools'),
        './package.json': './package.json',
      },
      bin: { docshare: 'bin.cjs' },
      files: ['bin.cjs', 'dist', 'CHANGELOG.md'],
      dependencies: compatibleVersions(...CLIENT_DEPENDENCIES),
      peerDependencies: rootManifest.peerDependencies,
      peerDependenciesMeta: rootManifest.peerDependenciesMeta,
    }),
  );
  const target = join(folder, 'dist');
  for (const name of readdirSync('dist/src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.(d\.ts|js)$/.test(name) || !statSync(join('dist/src', name)).isFile()) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(
      join(target, name),
      importZodAsNamespace(toPublishedText(readFileSync(join('dist/src', name), 'utf8'))),
    );
  }
  for (const name of readdirSync('dist/learn', { recursive: true, encoding: 'utf8' })) {
    if (!/\.js(on)?$/.test(name)) continue;
    mkdirSync(dirname(join(target, 'learn', name)), { recursive: true });
    writeFileSync(join(target, 'learn', name), rebaseClientImports(readFileSync(join('dist/learn', name), 'utf8')));
  }
  await bundle({
    rootFolder: 'dist',
    entries: { 'create-tools': 'dist/mcp/function-tools/create-tools.js' },
    outFolder: join(target, 'tools'),
    external: { folder: 'src', packages: CLIENT_DEPENDENCIES },
  });
  prependNodeVersionCheck(join(target, 'tools/create-tools.js'), 'docshare');
  copyDeclarations({
    rootFolder: 'dist/mcp/function-tools',
    entries: ['create-tools.d.ts'],
    outFolder: join(target, 'tools'),
  });
  writeBin(join(folder, 'bin.cjs'), { name: 'docshare', main: './dist/learn/main.js' });
  writeFileSync(join(target, 'version.js'), generateVersionModule());
  prependNodeVersionCheck(join(target, 'index.js'), 'docshare');
}

/** Adapts imports of the learner, which is in the client's folder in the package. */
function rebaseClientImports(text: string): string {
  return importZodAsNamespace(toPublishedText(text)).replace(/(['"])((?:\.\.\/)+)src\//g, '$1$2');
}

/** Server package: one bundle without dependencies. */
async function buildServerPackage(folder: string, options: PackOptions): Promise<void> {
  startPackage(
    folder,
    createManifest({
      name: 'docshare-mcp',
      // MCP registries read it here.
      mcpName: rootManifest.mcpName,
      description: 'MCP server for Docshare: share documents, fill rooms, send agreements, see who viewed what.',
      keywords: ['mcp', 'model context protocol', 'docshare', 'documents', 'e-signature', 'data room'],
      bin: { 'docshare-mcp': 'bin.cjs' },
      files: ['bin.cjs', 'dist', 'CHANGELOG.md'],
    }),
  );
  const target = join(folder, 'dist');
  cpSync('dist/whole', target, { recursive: true });
  packPdfjs(PDFJS, { outFolder: target, ...options });
  writeBin(join(folder, 'bin.cjs'), { name: 'docshare-mcp', main: './dist/main.js' });
}

/** Sandbox package: one bundle, as a program and for tests. */
async function buildSandboxPackage(folder: string, options: PackOptions): Promise<void> {
  startPackage(
    folder,
    createManifest({
      name: 'docshare-sandbox',
      description: 'The Docshare service, emulated on your machine: for tests, demos and trying things out.',
      keywords: ['docshare', 'emulator', 'sandbox', 'mock server', 'testing'],
      bin: { 'docshare-sandbox': 'bin.cjs' },
      exports: {
        '.': { types: './types/sandbox/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
      files: ['bin.cjs', 'dist', 'types', 'CHANGELOG.md'],
    }),
  );
  const target = join(folder, 'dist');
  const entries = {
    index: 'dist/sandbox/index.js',
    main: 'dist/sandbox/main.js',
    'pdf-thread': 'dist/sandbox/pdf/pdf-thread.js',
  };
  await bundle({ rootFolder: 'dist', entries, outFolder: target });
  copyExampleFiles({ built: 'dist', into: target });
  prependNodeVersionCheck(join(target, 'index.js'), 'docshare-sandbox');
  packPdfjs(PDFJS, { outFolder: target, ...options });
  copyDeclarations({
    rootFolder: 'dist',
    entries: ['sandbox/index.d.ts'],
    outFolder: join(folder, 'types'),
    overrides: { 'src/operations/index.d.ts': await generateOperationNames() },
  });
  writeBin(join(folder, 'bin.cjs'), { name: 'docshare-sandbox', main: './dist/main.js' });
}

/** Catalog types for the sandbox's declarations, without zod, which its users need not install. */
async function generateOperationNames(): Promise<string> {
  const { operations } = await import('../../src/operations/index.ts');
  const names = operations.map(({ name }) => `  | '${name}'`);
  return `/** \`group.name\` of each operation. */\nexport type OperationName =\n${names.join('\n')};\n`;
}
