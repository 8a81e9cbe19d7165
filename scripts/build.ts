/** Builds `dist/` (core, MCP server, sandbox) with tsc and `zapier/dist/index.js` as one bundle with esbuild. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { PDFJS_PARTS } from '../sandbox/pages/reader/pdfjs-files.ts';

/** zod words its issues in fifty languages; the app speaks one, and its zip has a limit. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

rmSync('dist', { recursive: true, force: true });
try {
  execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
} catch {
  process.exit(1);
}
// The pages show PDFs with pdf.js, from this machine.
for (const part of PDFJS_PARTS)
  cpSync(`node_modules/pdfjs-dist/${part}`, `dist/sandbox/pages/reader/pdfjs/${part}`, { recursive: true });
for (const bin of ['dist/mcp/main.js', 'dist/sandbox/main.js']) if (existsSync(bin)) chmodSync(bin, 0o755);

// Zapier installs only the app's own dependencies, so the core has to travel inside the bundle.
if (existsSync('zapier/index.ts')) {
  await build({
    entryPoints: ['zapier/index.ts'],
    outfile: 'zapier/dist/index.js',
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['zapier-platform-core'],
    plugins: [englishOnly],
    legalComments: 'none',
    logLevel: 'warning',
  });
}
