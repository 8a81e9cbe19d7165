import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Hono } from 'hono';
import { readPdfjsPart } from '../../pdf/pdfjs-parts.ts';
import type { Env } from '../../server/exchange.ts';

export const PDFJS_PATH = '/assets/pdfjs/';

const SERVED_FOLDERS = /^(legacy\/build\/pdf(\.worker)?\.min\.mjs|(cmaps|iccs|standard_fonts|wasm)\/[\w-]+\.\w+)$/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Only the worker may compile WebAssembly (JPEG 2000, JBIG2). */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** About a quarter of the size, in 75 ms. Quality 10 saves 10% more, but the first page would wait nearly 2 s for it. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress = promisify(brotliCompress);

/** Serves pdf.js locally; each file is compressed once. */
export function addPdfjs(app: Hono<Env>): void {
  const encoded = new Map<string, Promise<Uint8Array>>();
  app.get(`${PDFJS_PATH}*`, async (context) => {
    const name = new URL(context.req.url).pathname.slice(PDFJS_PATH.length);
    const bytes = SERVED_FOLDERS.test(name) ? readPdfjsPart(name) : undefined;
    if (!bytes) return context.notFound();
    const isBrotli = /\bbr\b/.test(context.req.header('accept-encoding') ?? '');
    const encode = isBrotli ? (encoded.get(name) ?? compress(bytes, BROTLI_OPTIONS)) : bytes;
    if (encode instanceof Promise) encoded.set(name, encode);
    const body = new Uint8Array(await encode);
    const headers = {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      ...(isBrotli ? { 'content-encoding': 'br' } : {}),
      'content-length': String(body.length),
      // For the page's progress, which counts decoded bytes.
      'x-decoded-length': String(bytes.length),
      'content-security-policy': WORKER_POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
      vary: 'accept-encoding',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    return context.body(body, 200, headers);
  });
}
