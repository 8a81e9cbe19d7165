import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Hono } from 'hono';
import type { Env } from '../../server/exchange.ts';

/** The files of pdf.js that pages need, by their path in the package; the build copies them next to this file. */
export const PDFJS_PARTS = [
  'LICENSE',
  'legacy/build/pdf.min.mjs',
  'legacy/build/pdf.worker.min.mjs',
  'cmaps',
  'iccs',
  'standard_fonts',
  'wasm',
] as const;

export const PDFJS_PATH = '/assets/pdfjs/';

const SERVED_FOLDERS = /^(legacy\/build\/pdf(\.worker)?\.min\.mjs|(cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.\w+)$/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Only the worker may compile WebAssembly (JPEG 2000, JBIG2). */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Serves pdf.js locally: from the build's copy, the package's bundle, or the installed package. */
export function addPdfjs(app: Hono<Env>): void {
  let open: OpenFile | undefined;
  app.get(`${PDFJS_PATH}*`, (context) => {
    const name = new URL(context.req.url).pathname.slice(PDFJS_PATH.length);
    open ??= findFiles();
    const body = SERVED_FOLDERS.test(name) ? open(name) : undefined;
    if (!body) return context.notFound();
    const headers = {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': WORKER_POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    return context.body(body(), 200, headers);
  });
}

type OpenFile = (name: string) => (() => ReadableStream | Uint8Array<ArrayBuffer>) | undefined;

function findFiles(): OpenFile {
  const packed = fileURLToPath(new URL('./pdfjs.br', import.meta.url));
  if (existsSync(packed)) {
    const files = unpack(packed);
    return (name) => {
      const bytes = files.get(name);
      return bytes && (() => bytes);
    };
  }
  const copy = fileURLToPath(new URL('./pdfjs', import.meta.url));
  const folder = existsSync(copy) ? copy : dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return (name) => {
    const path = `${folder}/${name}`;
    return existsSync(path) ? () => Readable.toWeb(createReadStream(path)) as ReadableStream : undefined;
  };
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
