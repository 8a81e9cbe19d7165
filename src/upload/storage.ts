import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientContext } from '../call/context.ts';
import { UploadError } from '../errors.ts';
import type { UploadSession } from '../operations/documents.ts';
import { backoffMs, codeOf } from '../retry/retry.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { isRedirect, resolveAddress } from '../wire/storage-address.ts';
import { discard, readBytes, type TransportResponse } from '../wire/transport.ts';
import type { FileSource } from './file-source.ts';
import { explainRefusal, type PutFailure } from './storage-refusal.ts';
import { createTransfer, type Progress, type Transfer } from './transfer.ts';

export interface PutOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence of the storage. */
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Sends the bytes to the one-time address with every signed header and an exact length (§4 step 2), never with the key.
 * A failed PUT starts a fresh session, since an address is good for one use (§8).
 * @returns the session whose bytes arrived.
 */
export async function putToStorage(
  context: ClientContext,
  params: { start: () => Promise<UploadSession>; file: FileSource; options: PutOptions },
): Promise<UploadSession> {
  const { start, file, options } = params;
  const { signal } = options;
  let listen = false;
  for (let attempt = 0; ; attempt++) {
    const session = await start();
    const failure = await putOnce(context, { session, file, options, listen });
    if (!failure) return session;
    if (!failure.again || attempt >= context.retry.retries) throw failure.error;
    listen = failure.brokenOff === true;
    const waitMs = Math.min(failure.waitMs ?? backoffMs(attempt, context.retry), context.retry.maxDelayMs);
    context.log('warn', 'retrying the upload with a fresh session', {
      attempt: attempt + 1,
      waitMs,
      sizeBytes: file.size,
    });
    await sleep(waitMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}

async function putOnce(
  context: ClientContext,
  params: { session: UploadSession; file: FileSource; options: PutOptions; listen: boolean },
): Promise<PutFailure | undefined> {
  const { session, file, options } = params;
  const transfer = createTransfer(file, { ...options, listen: params.listen });
  const signal = options.signal ? AbortSignal.any([options.signal, transfer.signal]) : transfer.signal;
  // Relative addresses are taken as relative to the request that gave them.
  const url = resolveAddress(session.uploadUrl, { base: `${context.baseUrl}/documents/uploads`, fail });
  try {
    const response = await send(context, { url, session, file, transfer, signal });
    transfer.rest();
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      await discard(response);
      return undefined;
    }
    const { bytes } = await readBytes(response.body, 16 * 1024).catch(() => ({ bytes: new Uint8Array() }));
    const refusal = explainRefusal(status, new TextDecoder().decode(bytes), session);
    const waitMs = retryAfterMs(headers, Date.now());
    return waitMs === undefined ? refusal : { ...refusal, waitMs };
  } catch (error) {
    options.signal?.throwIfAborted();
    const own = transfer.failure() ?? (error instanceof UploadError ? error : undefined);
    if (own) throw own;
    if (transfer.signal.aborted) return { error: transfer.signal.reason, again: true };
    const code = codeOf(error);
    // Such as a header that can't be sent: the same session again would fail alike.
    const again = code !== 'UND_ERR_INVALID_ARG' && code !== 'ERR_INVALID_CHAR';
    const why = again ? 'could not be reached' : 'gave headers that can not be sent';
    const failure = new UploadError(`The storage ${why}${code ? ` (${code})` : ''}; nothing was registered.`);
    // A storage that refuses and hangs up at once resets the connection under our bytes, and its words may be lost.
    const brokenOff = !transfer.isComplete() && (code === 'EPIPE' || code === 'ECONNRESET');
    return { error: failure, again, brokenOff, ...(brokenOff ? { waitMs: 50 } : {}) };
  } finally {
    transfer.rest();
  }
}

/** One PUT, and again where the storage names another address for the same bytes (307, 308: S3 does in new buckets). */
async function send(
  context: ClientContext,
  put: { url: URL; session: UploadSession; file: FileSource; transfer: Transfer; signal: AbortSignal },
): Promise<TransportResponse> {
  const { session, file, transfer, signal } = put;
  const headers = Object.entries(session.headers).map(([name, value]) => [name.toLowerCase(), value]);
  let { url } = put;
  for (let hop = 0; ; hop++) {
    transfer.watch();
    const response = await context.transport({
      method: 'PUT',
      url: url.href,
      headers: { ...Object.fromEntries(headers), 'content-length': String(file.size) },
      body: transfer.stream(),
      signal,
    });
    const { location } = response.headers;
    if (!isRedirect(response.status, 'PUT') || location === undefined || hop >= 3) return response;
    await discard(response);
    url = resolveAddress(location, { base: url.href, fail });
  }
}

function fail(reason: string): UploadError {
  return new UploadError(`The upload was given up: ${reason}. Nothing was registered.`);
}
