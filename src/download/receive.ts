import { explainClosed } from '../call/closed.ts';
import type { ExchangeContext } from '../call/context.ts';
import { NetworkError, TimeoutError } from '../errors.ts';
import { START_BYTES } from '../media-type.ts';
import { backoffMs, getErrorCode, isClosed } from '../retry/retry.ts';
import { createLifetime, sleep } from '../timer.ts';
import { getContentLength } from '../wire/guarded-body.ts';
import { discard, type TransportResponse } from '../wire/transport.ts';
import type { FetchOptions } from './fetch-stored.ts';
import type { PartFile } from './part-file.ts';
import { fetchFrom, type Source } from './source.ts';

export interface ReceiveOptions extends FetchOptions {
  readonly signal: AbortSignal;
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface DownloadProgress {
  /** Bytes that came; fewer again where a file has to be fetched from its start. */
  readonly receivedBytes: number;
  /** Undefined where the storage does not say. */
  readonly totalBytes: number | undefined;
}

/** As much progress as makes a broken connection count like the first. */
const PROGRESS_BYTES = 1024 * 1024;

/** Compressed bytes have other places than the file's. */
export const WHOLE = { 'accept-encoding': 'identity' };

/**
 * Writes all bytes of a file. Where the connection breaks off it asks for the rest, which counts only as long as the
 * storage proves that it is the same file; else it begins again.
 * @param first the answer to a request for the whole file.
 * @param check looks at the first bytes, before many more come.
 */
export async function receive(
  opened: { source: Source; response: TransportResponse },
  to: { part: PartFile; check: (response: TransportResponse, start: Uint8Array) => void },
  options: ReceiveOptions,
): Promise<{ sizeBytes: number; response: TransportResponse }> {
  const { part, check } = to;
  const { context } = opened.source;
  const { retry } = context;
  const retries = options.retries ?? retry.retries;
  let { source, response } = opened;
  let version = getVersion(response);
  let at = 0;
  let failures = 0;
  let failedAt = 0;
  let begin: Beginning = { bytes: Buffer.alloc(0) };
  for (;;) {
    try {
      at = await readInto(response, { part, at, version, begin, check, onProgress: options.onProgress });
      return { sizeBytes: at, response };
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof Broken)) throw error;
      at = error.at;
      failures = at - failedAt >= PROGRESS_BYTES ? 1 : failures + 1;
      failedAt = at;
      const isLast = failures > retries || isClosed(getErrorCode(error.cause));
      if (options.resume === false || isLast) throw error.cause;
    }
    await pause(backoffMs(failures - 1, retry), context, options.signal);
    // Bytes that came without an address are had by asking for them again.
    if (source.url === undefined) source = await source.renew(options.signal);
    const range = createRangeHeaders(at, version);
    const next = await fetchFrom(source, options, { headers: { ...WHOLE, ...range }, answers: [416] });
    ({ source, response } = next);
    const rest =
      range && response.status === 206 ? getResumedVersion(response, { from: at, version }) : undefined;
    if (rest) {
      version = rest;
      continue;
    }
    if (response.status === 206 || response.status === 416) {
      await discard(response);
      ({ source, response } = await fetchFrom(source, options, { headers: WHOLE }));
    }
    version = getVersion(response);
    at = 0;
    failedAt = 0;
    begin = { bytes: Buffer.alloc(0) };
    await part.cut(0);
  }
}

/** Waits, unless the caller or the client ends it. */
async function pause(ms: number, context: ExchangeContext, signal: AbortSignal): Promise<void> {
  const lifetime = createLifetime(signal, context.closing);
  try {
    await sleep(ms, lifetime.signal());
  } catch (error) {
    throw explainClosed(error, context, 'storage.get: not sent again');
  } finally {
    lifetime.end();
  }
}

/** A body that ended too early, and how far it came. */
class Broken extends Error {
  readonly at: number;
  declare readonly cause: Error;
  constructor(at: number, cause: Error) {
    super('', { cause });
    this.at = at;
  }
}

/** The first bytes of a file, of which a break may have kept some for the next answer. */
interface Beginning {
  bytes: Buffer;
}

async function readInto(
  response: TransportResponse,
  to: {
    part: PartFile;
    at: number;
    version: Version;
    begin: Beginning;
    check: (response: TransportResponse, start: Uint8Array) => void;
    onProgress: ((progress: DownloadProgress) => void) | undefined;
  },
): Promise<number> {
  const { part, version, begin, check, onProgress } = to;
  let { at } = to;
  try {
    for await (const chunk of response.body) {
      if (begin.bytes.byteLength < START_BYTES) {
        begin.bytes = Buffer.concat([begin.bytes, chunk.subarray(0, START_BYTES)]);
        if (begin.bytes.byteLength >= START_BYTES) check(response, begin.bytes);
      }
      await part.write(chunk, at);
      at += chunk.byteLength;
      onProgress?.({ receivedBytes: at, totalBytes: version.sizeBytes });
    }
    if (version.sizeBytes !== undefined && at !== version.sizeBytes)
      throw new NetworkError(
        `The file was cut off after ${at} of ${version.sizeBytes} bytes; ask for it again.`,
      );
  } catch (error) {
    if (error instanceof NetworkError || error instanceof TimeoutError) throw new Broken(at, error);
    throw error;
  }
  if (begin.bytes.byteLength < START_BYTES) check(response, begin.bytes);
  return at;
}

/** What tells one version of a stored file from another. */
interface Version {
  readonly sizeBytes: number | undefined;
  /** For `If-Range`; undefined where the storage gives none that is good for parts of a file (RFC 9110, 13.1.5). */
  readonly validator: string | undefined;
}

function getVersion({ headers }: TransportResponse): Version {
  const sizeBytes = getContentLength({ headers });
  const { etag, 'last-modified': modified, date } = headers;
  const isStrong = etag !== undefined && /^"[^"]*"$/.test(etag);
  // A time is proof only where the file had stood for a while.
  const isOld = etag === undefined && Date.parse(date ?? '') - Date.parse(modified ?? '') >= 60_000;
  const validator = isStrong ? etag : isOld ? modified : undefined;
  return { sizeBytes, validator: isCoded(headers) ? undefined : validator };
}

function isCoded(headers: TransportResponse['headers']): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity';
}

/** What asks for the rest; undefined where there is nothing to go on from, or no proof that it would be of the same file. */
function createRangeHeaders(from: number, { validator }: Version): Record<string, string> | undefined {
  if (from === 0 || validator === undefined) return undefined;
  return { range: `bytes=${from}-`, 'if-range': validator };
}

/** The version with what this rest of it tells of its size; undefined where it is no rest, or one of another version. */
function getResumedVersion(
  { headers }: TransportResponse,
  { from, version }: { from: number; version: Version },
): Version | undefined {
  const [, start, total] = headers['content-range']?.match(/^bytes (\d+)-\d+\/(\d+|\*)$/i) ?? [];
  if (Number(start) !== from || isCoded(headers)) return undefined;
  // Not every storage heeds `If-Range`.
  const validator = headers[version.validator?.startsWith('"') ? 'etag' : 'last-modified'];
  if (validator !== undefined && validator !== version.validator) return undefined;
  const sizeBytes = total === '*' ? version.sizeBytes : Number(total);
  if (version.sizeBytes !== undefined && sizeBytes !== version.sizeBytes) return undefined;
  return { ...version, sizeBytes };
}
