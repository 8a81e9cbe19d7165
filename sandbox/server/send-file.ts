import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { getContentDisposition } from '../render/file-response.ts';
import type { Version } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { openContent } from '../storage/content.ts';

/** The policy keeps code in a file that is opened directly from running. */
const FILE_HEADERS = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, no-store',
};

/** Sends a file, or the requested range. */
export async function sendFile(
  context: Context,
  input: { service: Service; version: Version; name: string; download: boolean },
): Promise<Response> {
  const { service, version, name, download } = input;
  if (version.content.kind === 'file' && !service.files.has(version.content.key))
    return context.text('the stored file is missing', 404);
  const rangeMatch = /^bytes=(\d*)-(\d*)$/.exec(context.req.header('range') ?? '');
  const content = await openContent(service, version.content);
  const headers = {
    ...FILE_HEADERS,
    'content-type': version.content_type,
    'content-disposition': download ? getContentDisposition(name) : 'inline',
  };
  const range = rangeMatch && parseRange(rangeMatch, content.size);
  if (range === 'outside') return context.body(null, 416, { ...headers, 'content-range': `bytes */${content.size}` });
  const { start, end } = range ?? { start: 0, end: content.size };
  const responseHeaders = {
    ...headers,
    'content-length': String(end - start),
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${content.size}` } : {}),
  };
  const status = range ? 206 : 200;
  if (context.req.method === 'HEAD' || end === start) return context.body(null, status, responseHeaders);
  const bytes = content.read({ start, end });
  const body = bytes instanceof Readable ? (Readable.toWeb(bytes) as ReadableStream) : Uint8Array.from(bytes);
  return context.body(body, status, responseHeaders);
}

/** `end` is exclusive. */
function parseRange(
  [, from = '', to = '']: RegExpExecArray,
  size: number,
): { start: number; end: number } | 'outside' | null {
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  if (from === '') return start < size ? { start, end: size } : 'outside';
  const end = to === '' ? size : Math.min(size, Number(to) + 1);
  if (to !== '' && Number(to) < start) return null;
  return start < size ? { start, end } : 'outside';
}
