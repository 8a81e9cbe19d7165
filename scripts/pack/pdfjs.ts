import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** The engine for scripts inside of PDFs, which the pages never run, and what stands in for WebAssembly, which every browser has. */
const UNUSED = /quickjs|nowasm_fallback/;

/** Of Brotli, the best: 160 kB less than the quick ones, in a package that has to stay small. */
const BEST = 11;

const known = new Map<number, Buffer>();

/**
 * Writes pdf.js for the pages as one compressed file, a third of its size, and its licences as another: two hundred small
 * files would be most of an installation's time. `sandbox/pages/reader/pdfjs-files.ts` reads it.
 */
export function packPdfjs(from: string, { into, quality = BEST }: { into: string; quality?: number }): void {
  const made = known.get(quality) ?? compressed(from, quality);
  known.set(quality, made);
  writeFileSync(join(into, 'pdfjs.br'), made);
}

function compressed(from: string, quality: number): Buffer {
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(from, name)).isFile() && !UNUSED.test(name))
    .sort();
  const files = names.map((name) => readFileSync(join(from, name)));
  const places = names.map((name, index) => [name.replaceAll('\\', '/'), files[index]?.length]);
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...files]);
  return brotliCompressSync(all, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: all.length,
    },
  });
}
