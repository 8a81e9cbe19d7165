import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Left out: the engine for scripts in PDFs, which the pages never run, and the fallback for WebAssembly. */
const UNUSED_FILES = /quickjs|nowasm_fallback/;

/** Best Brotli quality, which saves 160 kB over the fast ones. */
const MAX_BROTLI_QUALITY = 11;

const archives = new Map<number, Buffer>();

/**
 * Writes pdf.js as one compressed file, a third of its size, and its licences as another: two hundred small files would take
 * most of the installation time. Read by `sandbox/pdf/pdfjs-parts.ts`.
 */
export function packPdfjs(
  sourceFolder: string,
  { outFolder, quality = MAX_BROTLI_QUALITY }: { outFolder: string; quality?: number },
): void {
  const archive = archives.get(quality) ?? createArchive(sourceFolder, quality);
  archives.set(quality, archive);
  writeFileSync(join(outFolder, 'pdfjs.br'), archive);
}

function createArchive(sourceFolder: string, quality: number): Buffer {
  const names = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(sourceFolder, name)).isFile() && !UNUSED_FILES.test(name))
    .sort();
  const files = names.map((name) => readFileSync(join(sourceFolder, name)));
  const entries = names.map((name, index) => [name.replaceAll('\\', '/'), files[index]?.length]);
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...files]);
  return brotliCompressSync(all, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: all.length,
    },
  });
}
