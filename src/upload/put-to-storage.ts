import { NetworkError, UploadError } from '../errors.ts';
import type { DocumentUpload } from '../operations/objects.ts';
import { isAbortedByCaller } from '../request/cancellation.ts';
import { runUntilClosed } from '../request/client-closed.ts';
import type { ExchangeContext } from '../request/client-context.ts';
import type { AttemptInfo, Failure, PreparedRequest, RequestPolicy } from '../request/request-policy.ts';
import { runWithRetries } from '../request/run-with-retries.ts';
import { getErrorCode, isClientClosed, MAX_STORAGE_WAIT_MS } from '../retry/retry.ts';
import { parseRetryAfterMs } from '../retry/retry-after.ts';
import { explainConnectionError } from '../transport/explain-connection.ts';
import { followStorageRedirect, resolveStorageUrl } from '../transport/storage-url.ts';
import { drainBody } from '../transport/transport.ts';
import type { FileSource } from './file-source.ts';
import { explainStorageRejection } from './storage-rejection.ts';
import { createTransfer, type Transfer, type TransferOptions, UPLOAD_IDLE_TIMEOUT_MS } from './upload-transfer.ts';

interface PutOptions extends Omit<TransferOptions, 'waitForEarlyResponse'> {
  readonly signal?: AbortSignal | undefined;
  readonly retries?: number | undefined;
}

/** Context of a PUT: without the key. */
type StorageContext = ExchangeContext & { readonly baseUrl: string };

interface UploadRequest {
  readonly startSession: () => Promise<DocumentUpload>;
  readonly file: FileSource;
  readonly options: PutOptions;
}

/**
 * Sends the bytes to the one-time URL with all signed headers and an exact length (§4 step 2), without the
 * key. A failed PUT starts a new session, since a URL can be used once (§8).
 * @returns the session whose bytes arrived.
 */
export async function putToStorage(context: StorageContext, uploadRequest: UploadRequest): Promise<DocumentUpload> {
  const { signal } = uploadRequest.options;
  return runUntilClosed(context, { name: 'storage.put', signal }, (cancellation) =>
    runWithRetries(context, createUploadPolicy(context, uploadRequest), cancellation),
  );
}

function createUploadPolicy(
  context: StorageContext,
  { startSession, file, options }: UploadRequest,
): RequestPolicy<DocumentUpload> {
  let session: DocumentUpload;
  let transfer: Transfer;
  let waitForEarlyResponse = false;
  return {
    operation: 'storage.put',
    target: 'storage',
    retries: file.isSingleUse ? 0 : (options.retries ?? context.retry.retries),
    // The transfer has its own timeout, however long it takes.
    timeoutMs: Number.POSITIVE_INFINITY,
    responseTimeoutMs: options.timeoutMs ?? UPLOAD_IDLE_TIMEOUT_MS,
    maxRetryWaitMs: MAX_STORAGE_WAIT_MS,
    rebuildsRequest: true,
    async prepare() {
      session = await startSession();
      transfer = createTransfer(file, { ...options, waitForEarlyResponse });
      return toRequest(context, { session, file, transfer });
    },
    createHandlers: () => ({
      onResponseHead: () => transfer.stopTimer(),
      onEnd: () => transfer.stopTimer(),
      async read(response) {
        await drainBody(response);
        return session;
      },
      // The bytes arrived, even if the response was truncated.
      onTruncated: () => ({ kind: 'succeeded', result: session }),
      // S3 redirects to another URL for new buckets.
      follow: (response, { request, state }) =>
        state.hops < 3 ? followStorageRedirect(request, response, createError) : undefined,
      onRejection({ status, headers, text }) {
        waitForEarlyResponse = false;
        const rejection = {
          status,
          text: text.slice(0, 16 * 1024),
          retryAfterMs: parseRetryAfterMs(headers, Date.now()),
        };
        return { kind: 'failed', mayHaveRun: true, ...explainStorageRejection(rejection, session) };
      },
      onFault(fault, attemptInfo) {
        const failure = explainPutFault(fault, attemptInfo, transfer);
        waitForEarlyResponse = failure.brokenOff;
        return failure;
      },
    }),
  };
}

function toRequest(
  context: StorageContext,
  { session, file, transfer }: { session: DocumentUpload; file: FileSource; transfer: Transfer },
): PreparedRequest {
  const headers = Object.entries(session.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method: 'PUT',
    // Relative URLs are resolved against the request that returned them.
    url: resolveStorageUrl(session.uploadUrl, { base: `${context.baseUrl}/documents/uploads`, createError }).href,
    headers: { ...Object.fromEntries(headers), 'content-length': String(file.size) },
    body: () => {
      transfer.startTimer();
      return transfer.stream();
    },
    signal: transfer.signal,
  };
}

/** @throws local failures: of reading the file, or of the caller's `onProgress`. */
function explainPutFault(
  fault: unknown,
  attemptInfo: AttemptInfo,
  transfer: Transfer,
): Failure<never> & { brokenOff: boolean } {
  const localFailure = transfer.getFailure();
  const code = getErrorCode(fault);
  if (localFailure && !isAbortedByCaller(attemptInfo.state.cancellation) && !isClientClosed(code)) throw localFailure;
  const failure = { kind: 'failed', mayHaveRun: true, brokenOff: false } as const;
  if (isClientClosed(code)) {
    const error = new NetworkError('storage.put: the client is closed; nothing was registered.', code);
    return { ...failure, error, retryable: false };
  }
  if (transfer.signal.aborted) return { ...failure, error: transfer.signal.reason, retryable: true };
  // For example an invalid header, which would fail again.
  const retryable = code !== 'UND_ERR_INVALID_ARG' && code !== 'ERR_INVALID_CHAR';
  const reason = retryable ? 'could not be reached' : 'requires headers that can not be sent';
  const cause = explainConnectionError(fault, 'the storage');
  const message = cause ? `The upload failed: ${cause}` : `The storage ${reason}${code ? ` (${code})` : ''}`;
  const error = new UploadError(`${message}. Nothing was registered.`);
  // A storage that rejects and hangs up at once resets the connection; its message may be lost.
  const brokenOff = !transfer.isComplete() && (code === 'EPIPE' || code === 'ECONNRESET');
  return { ...failure, error, retryable, brokenOff, ...(brokenOff ? { waitMs: 50 } : {}) };
}

function createError(reason: string): UploadError {
  return new UploadError(`The upload failed: ${reason}. Nothing was registered.`);
}
