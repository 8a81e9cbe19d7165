import { createReadStream, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Env } from '../../http/exchange.ts';

/** What the pages need of pdf.js, as the package lays it out; the build copies it beside this file. */
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

const SERVED = /^(legacy\/build\/pdf(\.worker)?\.min\.mjs|(cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.\w+)$/;

const TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Only the worker may compile WebAssembly, for JPEG 2000 and JBIG2; the pages themselves run no such code. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Serves pdf.js from this machine: the copy of the build, else the installed package. */
export function addPdfjs(app: Hono<Env>): void {
  let folder: string | undefined;
  app.get(`${PDFJS_PATH}*`, (context) => {
    const name = new URL(context.req.url).pathname.slice(PDFJS_PATH.length);
    folder ??= findFolder();
    const path = `${folder}/${name}`;
    if (!SERVED.test(name) || !existsSync(path)) return context.notFound();
    const headers = {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'content-security-policy': WORKER_POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    return context.body(Readable.toWeb(createReadStream(path)) as ReadableStream, 200, headers);
  });
}

function findFolder(): string {
  const copy = fileURLToPath(new URL('./pdfjs', import.meta.url));
  return existsSync(copy) ? copy : dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
}
