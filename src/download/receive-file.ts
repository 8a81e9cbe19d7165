import { NetworkError, TimeoutError } from '../errors.ts';
import { SNIFF_BYTES } from '../media-type.ts';
import { getSignal } from '../request/cancellation.ts';
import { runUntilClosed } from '../request/client-closed.ts';
import { getBackoffMs, getErrorCode, isClientClosed } from '../retry/retry.ts';
import { sleep } from '../timer.ts';
import { createTruncatedError, getContentLength } from '../transport/guard-body.ts';
import { drainBody, type TransportResponse } from '../transport/transport.ts';
import { type DownloadSource, fetchSource } from './download-source.ts';
import type { DownloadOptions } from './fetch-from-storage.ts';
import type { PartFile } from './part-file.ts';

interface ReceiveOptions extends DownloadOptions {
  readonly signal: AbortSignal;
  readonly resume?: boolean | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export interface DownloadProgress {
  /** Received bytes; falls when a file has to be downloaded from its start again. */
  readonly receivedBytes: number;
  /** Undefined if the storage does not report it. */
  readonly totalBytes: number | undefined;
}

interface FileTarget {
  readonly part: PartFile;
  /** Inspects the first bytes before many more arrive. */
  readonly checkStart: (response: TransportResponse, start: Uint8Array) => void;
}

/** Progress after which a broken connection resets the retry count. */
const MIN_PROGRESS_BYTES = 1024 * 1024;

/** Ranges of compressed bytes would not match the file's. */
export const IDENTITY_ENCODING_HEADER = { 'accept-encoding': 'identity' };

/**
 * Writes all bytes of a file. After a broken connection it requests the rest if the storage proves that the
 * file is unchanged; otherwise it starts again.
 * @param initial the response to a request for the whole file.
 */
export async function receiveFile(
  initial: { source: DownloadSource; response: TransportResponse },
  target: FileTarget,
  options: ReceiveOptions,
): Promise<{ sizeBytes: number; response: TransportResponse }> {
  const { context } = initial.source;
  const { retry } = context;
  const retries = options.retries ?? retry.retries;
  let { source, response } = initial;
  let version = getVersion(response);
  let offset = 0;
  let failures = 0;
  let lastFailureOffset = 0;
  let fileStart: FileStart = { bytes: Buffer.alloc(0) };
  for (;;) {
    try {
      const { onProgress } = options;
      offset = await readIntoPart(response, target, { offset, version, fileStart, onProgress });
      return { sizeBytes: offset, response };
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof TruncatedBodyError)) throw error;
      offset = error.offset;
      failures = offset - lastFailureOffset >= MIN_PROGRESS_BYTES ? 1 : failures + 1;
      lastFailureOffset = offset;
      const isLast = failures > retries || isClientClosed(getErrorCode(error.cause));
      if (options.resume === false || isLast) throw error.cause;
    }
    const waitMs = getBackoffMs(failures - 1, retry);
    await runUntilClosed(context, { name: 'storage.get', signal: options.signal }, (cancellation) =>
      sleep(waitMs, getSignal(cancellation)),
    );
    // Bytes that came without a URL are requested again.
    if (source.url === undefined) source = await source.renew(options.signal);
    const range = createRangeHeaders(offset, version);
    ({ source, response } = await fetchSource(source, options, {
      headers: { ...IDENTITY_ENCODING_HEADER, ...range },
      acceptedStatuses: [416],
    }));
    const resumedVersion =
      range && response.status === 206 ? getResumedVersion(response, { from: offset, version }) : undefined;
    if (resumedVersion) {
      version = resumedVersion;
      continue;
    }
    if (response.status === 206 || response.status === 416) {
      await drainBody(response);
      ({ source, response } = await fetchSource(source, options, { headers: IDENTITY_ENCODING_HEADER }));
    }
    version = getVersion(response);
    offset = 0;
    lastFailureOffset = 0;
    fileStart = { bytes: Buffer.alloc(0) };
    await target.part.truncate(0);
  }
}

/** Body that ended early, with the offset it reached. */
class TruncatedBodyError extends Error {
  readonly offset: number;
  declare readonly cause: Error;
  constructor(offset: number, cause: Error) {
    super('', { cause });
    this.offset = offset;
  }
}

/** First bytes of a file; kept across connections. */
interface FileStart {
  bytes: Buffer;
}

async function readIntoPart(
  response: TransportResponse,
  { part, checkStart }: FileTarget,
  position: { offset: number; version: Version; fileStart: FileStart } & Pick<ReceiveOptions, 'onProgress'>,
): Promise<number> {
  const { version, fileStart, onProgress } = position;
  let { offset } = position;
  try {
    for await (const chunk of response.body) {
      if (fileStart.bytes.byteLength < SNIFF_BYTES) {
        fileStart.bytes = Buffer.concat([fileStart.bytes, chunk.subarray(0, SNIFF_BYTES)]);
        if (fileStart.bytes.byteLength >= SNIFF_BYTES) checkStart(response, fileStart.bytes);
      }
      await part.write(chunk, offset);
      offset += chunk.byteLength;
      onProgress?.({ receivedBytes: offset, totalBytes: version.sizeBytes });
    }
    if (version.sizeBytes !== undefined && offset !== version.sizeBytes)
      throw createTruncatedError(offset, version.sizeBytes);
  } catch (error) {
    if (error instanceof NetworkError || error instanceof TimeoutError) throw new TruncatedBodyError(offset, error);
    throw error;
  }
  if (fileStart.bytes.byteLength < SNIFF_BYTES) checkStart(response, fileStart.bytes);
  return offset;
}

/** Identifies one version of a stored file. */
interface Version {
  readonly sizeBytes: number | undefined;
  /** For `If-Range`; undefined without a validator that is valid for ranges (RFC 9110, 13.1.5). */
  readonly validator: string | undefined;
  readonly validatorHeader: 'etag' | 'last-modified';
}

function getVersion({ headers }: TransportResponse): Version {
  const sizeBytes = getContentLength({ headers });
  const { etag, 'last-modified': lastModified, date } = headers;
  const isStrong = etag !== undefined && /^"[^"]*"$/.test(etag);
  // A time is a valid validator only if the file was unchanged for a while.
  const isStable = etag === undefined && Date.parse(date ?? '') - Date.parse(lastModified ?? '') >= 60_000;
  const validator = isStrong ? etag : isStable ? lastModified : undefined;
  const validatorHeader = etag === undefined ? 'last-modified' : 'etag';
  return { sizeBytes, validator: isEncoded(headers) ? undefined : validator, validatorHeader };
}

function isEncoded(headers: TransportResponse['headers']): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity';
}

/** Headers that request the rest; undefined at the start, or without a validator. */
function createRangeHeaders(from: number, { validator }: Version): Record<string, string> | undefined {
  if (from === 0 || validator === undefined) return undefined;
  return { range: `bytes=${from}-`, 'if-range': validator };
}

/** The version with the range's total size; undefined for another range or version. */
function getResumedVersion(
  { headers }: TransportResponse,
  { from, version }: { from: number; version: Version },
): Version | undefined {
  const [, start, total] = headers['content-range']?.match(/^bytes (\d+)-\d+\/(\d+|\*)$/i) ?? [];
  if (Number(start) !== from || isEncoded(headers)) return undefined;
  // Not every storage supports `If-Range`.
  const validator = headers[version.validatorHeader];
  if (validator !== undefined && validator !== version.validator) return undefined;
  const sizeBytes = total === '*' ? version.sizeBytes : Number(total);
  if (version.sizeBytes !== undefined && sizeBytes !== version.sizeBytes) return undefined;
  return { ...version, sizeBytes };
}
