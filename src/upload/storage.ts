import { explainClosed } from '../call/closed.ts';
import type { ExchangeContext } from '../call/context.ts';
import { exchange } from '../call/exchange.ts';
import type { Failure, Rules, Tried, Wire } from '../call/rules.ts';
import { NetworkError, UploadError } from '../errors.ts';
import type { UploadSession } from '../operations/documents.ts';
import { getErrorCode, isClosed, MAX_STORAGE_WAIT_MS } from '../retry/retry.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { createLifetime } from '../timer.ts';
import { isRedirect, resolveAddress } from '../wire/storage-address.ts';
import { discard } from '../wire/transport.ts';
import type { FileSource } from './file-source.ts';
import { explainRefusal } from './storage-refusal.ts';
import { createTransfer, type Progress, type Transfer, UPLOAD_IDLE_TIMEOUT_MS } from './transfer.ts';

export interface PutOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest silence of the storage. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a PUT needs of a client: no key. */
type StorageContext = ExchangeContext & { readonly baseUrl: string };

interface Put {
  readonly start: () => Promise<UploadSession>;
  readonly file: FileSource;
  readonly options: PutOptions;
}

/**
 * Sends the bytes to the one-time address with every signed header and an exact length (§4 step 2), never with the key.
 * A failed PUT starts a fresh session, since an address is good for one use (§8).
 * @returns the session whose bytes arrived.
 */
export async function putToStorage(context: StorageContext, put: Put): Promise<UploadSession> {
  const lifetime = createLifetime(put.options.signal, context.closing);
  try {
    return await exchange(context, createPutRules(context, put), lifetime);
  } catch (error) {
    throw explainClosed(error, context, 'storage.put: not sent again');
  } finally {
    lifetime.end();
  }
}

/** The rules of a one-time address: a session for each attempt, no key, redirects that keep the bytes. */
function createPutRules(context: StorageContext, { start, file, options }: Put): Rules<UploadSession> {
  let session: UploadSession;
  let transfer: Transfer;
  let listen = false;
  return {
    operation: 'storage.put',
    target: 'storage',
    retries: file.once ? 0 : (options.retries ?? context.retry.retries),
    // The transfer watches the bytes, however long they take.
    timeoutMs: Number.POSITIVE_INFINITY,
    answerMs: options.timeoutMs ?? UPLOAD_IDLE_TIMEOUT_MS,
    longestWaitMs: MAX_STORAGE_WAIT_MS,
    renews: true,
    async prepare() {
      session = await start();
      transfer = createTransfer(file, { ...options, listen });
      return toWire(context, { session, file, transfer });
    },
    onHead: () => transfer.rest(),
    onEnd: () => transfer.rest(),
    async read(response) {
      await discard(response);
      return session;
    },
    // The bytes arrived, whatever became of the words about it.
    onCut: () => ({ kind: 'done', result: session }),
    follow({ status, headers }, { wire, turn }) {
      const { location } = headers;
      if (!isRedirect(status, 'PUT') || location === undefined || turn.hops >= 3) return undefined;
      // S3 names another address for the same bytes in new buckets.
      return {
        kind: 'moved',
        wire: { ...wire, url: resolveAddress(location, { base: wire.url, fail }).href },
      };
    },
    onRefusal({ status, headers, text }) {
      listen = false;
      const answer = {
        status,
        text: text.slice(0, 16 * 1024),
        retryAfterMs: retryAfterMs(headers, Date.now()),
      };
      return { kind: 'failed', mayHaveRun: true, ...explainRefusal(answer, session) };
    },
    onFault(fault, tried) {
      const failure = explainFault(fault, tried, transfer);
      listen = failure.brokenOff;
      return failure;
    },
  };
}

function toWire(
  context: StorageContext,
  { session, file, transfer }: { session: UploadSession; file: FileSource; transfer: Transfer },
): Wire {
  const headers = Object.entries(session.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method: 'PUT',
    // Relative addresses are taken as relative to the request that gave them.
    url: resolveAddress(session.uploadUrl, { base: `${context.baseUrl}/documents/uploads`, fail }).href,
    headers: { ...Object.fromEntries(headers), 'content-length': String(file.size) },
    body: () => {
      transfer.watch();
      return transfer.stream();
    },
    signal: transfer.signal,
  };
}

/** @throws what went wrong on this side: reading the file, or the caller's `onProgress`. */
function explainFault(
  fault: unknown,
  tried: Tried,
  transfer: Transfer,
): Failure<never> & { brokenOff: boolean } {
  const own = transfer.failure();
  const code = getErrorCode(fault);
  if (own && !tried.turn.lifetime.abortedByCaller() && !isClosed(code)) throw own;
  const failed = { kind: 'failed', mayHaveRun: true, brokenOff: false } as const;
  if (isClosed(code)) {
    const error = new NetworkError('storage.put: the client is closed; nothing was registered.', code);
    return { ...failed, error, again: false };
  }
  if (transfer.signal.aborted) return { ...failed, error: transfer.signal.reason, again: true };
  // Such as a header that can't be sent: the same session again would fail alike.
  const again = code !== 'UND_ERR_INVALID_ARG' && code !== 'ERR_INVALID_CHAR';
  const why = again ? 'could not be reached' : 'gave headers that can not be sent';
  const error = new UploadError(`The storage ${why}${code ? ` (${code})` : ''}; nothing was registered.`);
  // A storage that refuses and hangs up at once resets the connection under our bytes, and its words may be lost.
  const brokenOff = !transfer.isComplete() && (code === 'EPIPE' || code === 'ECONNRESET');
  return { ...failed, error, again, brokenOff, ...(brokenOff ? { waitMs: 50 } : {}) };
}

function fail(reason: string): UploadError {
  return new UploadError(`The upload was given up: ${reason}. Nothing was registered.`);
}
