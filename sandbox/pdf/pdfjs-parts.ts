import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** The files of pdf.js in use, by their path in the package; the build copies them next to this file. */
export const PDFJS_PARTS = [
  'LICENSE',
  'legacy/build/pdf.min.mjs',
  'legacy/build/pdf.worker.min.mjs',
  'cmaps',
  'iccs',
  'standard_fonts',
  'wasm',
] as const;

type ReadPart = (name: string) => Uint8Array<ArrayBuffer> | undefined;

let readFound: ReadPart | undefined;

/** Returns a file of pdf.js: from the build's copy, the package's bundle, or the installed package. */
export function readPdfjsPart(name: string): Uint8Array<ArrayBuffer> | undefined {
  readFound ??= findParts();
  return readFound(name);
}

function findParts(): ReadPart {
  const packed = fileURLToPath(new URL('./pdfjs.br', import.meta.url));
  if (existsSync(packed)) {
    const files = unpack(packed);
    return (name) => files.get(name);
  }
  const copy = fileURLToPath(new URL('./pdfjs', import.meta.url));
  const folder = existsSync(copy) ? copy : dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return (name) => (existsSync(`${folder}/${name}`) ? new Uint8Array(readFileSync(`${folder}/${name}`)) : undefined);
}

/** Reads the packed file of a published package: a line of names and lengths, then the contents. */
function unpack(path: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(brotliDecompressSync(readFileSync(path)));
  let at = all.indexOf(10) + 1;
  const folders: [string, number][] = JSON.parse(new TextDecoder().decode(all.subarray(0, at)));
  return new Map(
    folders.map(([name, length]) => {
      at += length;
      return [name, all.subarray(at - length, at)];
    }),
  );
}
