import { NetworkError, TimeoutError } from '../errors.ts';
import type { OptionNames } from '../option-names.ts';
import { runUntilClosed } from '../request/client-closed.ts';
import type { ExchangeContext } from '../request/client-context.ts';
import type { AttemptHandlers, Failure, RequestPolicy } from '../request/request-policy.ts';
import { runWithRetries } from '../request/run-with-retries.ts';
import {
  getErrorCode,
  isClientClosed,
  isPermanentFailure,
  isRetryableStatus,
  MAX_STORAGE_WAIT_MS,
} from '../retry/retry.ts';
import { parseRetryAfterMs } from '../retry/retry-after.ts';
import { explainConnectionError } from '../transport/explain-connection.ts';
import { BODY_IDLE_TIMEOUT_MS, FILE_CUT_OFF, guardBody } from '../transport/guard-body.ts';
import { followStorageRedirect } from '../transport/storage-url.ts';
import type { TransportResponse } from '../transport/transport.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum silence of the storage, before its response or between bytes. Default: 60 s. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

export const DOWNLOAD_OPTION_NAMES: OptionNames<DownloadOptions> = { signal: true, timeoutMs: true, retries: true };

export interface StorageRequest {
  readonly url: URL;
  /** Additional headers, such as a range. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A longer wait that the storage requests ends the retries. */
  readonly maxWaitMs?: number | undefined;
}

/**
 * Fetches bytes from a short-lived URL, which carries its own permission: without the key, for any host, and
 * outside the rate limit. Follows redirects; retries failures before the first byte.
 * @returns response head and guarded body; for a status other than 2xx without its body.
 */
export async function fetchFromStorage(
  context: ExchangeContext,
  request: StorageRequest,
  options: DownloadOptions,
): Promise<TransportResponse> {
  const { signal } = options;
  signal?.throwIfAborted();
  const policy = createDownloadPolicy(context, request, options);
  return runUntilClosed(context, { name: 'storage.get', signal }, (cancellation) =>
    runWithRetries(context, policy, cancellation),
  );
}

function createDownloadPolicy(
  context: ExchangeContext,
  { url, headers: requestHeaders, maxWaitMs = MAX_STORAGE_WAIT_MS }: StorageRequest,
  options: DownloadOptions,
): RequestPolicy<TransportResponse> {
  const { signal, timeoutMs = BODY_IDLE_TIMEOUT_MS } = options;
  return {
    operation: 'storage.get',
    target: 'storage',
    retries: options.retries ?? context.retry.retries,
    timeoutMs,
    maxRetryWaitMs: maxWaitMs,
    rebuildsRequest: true,
    prepare: () => ({ method: 'GET', url: url.href, headers: { accept: '*/*', ...requestHeaders } }),
    createHandlers: () => createDownloadHandlers(context, { signal, timeoutMs }),
  };
}

function createDownloadHandlers(
  { closing }: ExchangeContext,
  { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
): AttemptHandlers<TransportResponse> {
  return {
    read: async (response, detach) => ({
      ...response,
      body: guardBody(response, { controller: detach(), signal, closing, idleTimeoutMs: timeoutMs }),
    }),
    follow(response, { request, state }) {
      const redirect = followStorageRedirect(request, response, createError);
      if (!redirect || state.hops < 4) return redirect;
      return createFailure(new NetworkError('Too many redirects of the file.', 'TOO_MANY_REDIRECTS'), false);
    },
    onRejection: ({ status, headers }) => ({
      ...createFailure(
        new NetworkError(`The file's storage responded with status ${status}.`),
        isRetryableStatus(status, true),
      ),
      fallbackResult: { status, headers, body: createEmptyBody() },
      waitMs: parseRetryAfterMs(headers, Date.now()),
    }),
    onFault(fault, { isEndedEarly }) {
      if (isEndedEarly())
        return createFailure(new TimeoutError(`The file's storage did not respond within ${timeoutMs} ms.`), false);
      const code = getErrorCode(fault);
      const cause = explainConnectionError(fault, "the file's storage");
      const message = isClientClosed(code)
        ? 'storage.get: the client is closed. Create another with createClient.'
        : cause
          ? `The file can't be downloaded: ${cause}.`
          : `The file's storage could not be reached${code ? ` (${code})` : ''}. Request the file again.`;
      return createFailure(new NetworkError(message, code), !isPermanentFailure(code));
    },
    onTruncated: (fault) =>
      createFailure(
        new NetworkError('The file was cut off. Request it again.', getErrorCode(fault), FILE_CUT_OFF),
        true,
      ),
  };
}

function createFailure(error: Error, retryable: boolean): Failure<never> {
  return { kind: 'failed', error, retryable, mayHaveRun: true };
}

async function* createEmptyBody(): AsyncGenerator<Uint8Array> {}

function createError(reason: string): NetworkError {
  return new NetworkError(`The file can't be downloaded: ${reason}.`);
}
