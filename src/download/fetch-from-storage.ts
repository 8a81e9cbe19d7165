import { NetworkError, TimeoutError } from '../errors.ts';
import { explainClientClosed } from '../request/client-closed.ts';
import type { ExchangeContext } from '../request/client-context.ts';
import type { Failure, RequestPolicy } from '../request/request-policy.ts';
import { runWithRetries } from '../request/run-with-retries.ts';
import {
  getErrorCode,
  isClientClosed,
  isPermanentFailure,
  isRetryableStatus,
  MAX_STORAGE_WAIT_MS,
} from '../retry/retry.ts';
import { parseRetryAfterMs } from '../retry/retry-after.ts';
import { createCancellation } from '../timer.ts';
import { BODY_IDLE_TIMEOUT_MS, guardBody } from '../transport/guard-body.ts';
import { isFollowedRedirect, resolveStorageUrl } from '../transport/storage-url.ts';
import type { TransportResponse } from '../transport/transport.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest silence of the storage, before its answer or between bytes; 60 s unless told. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

export interface StorageRequest {
  readonly url: URL;
  /** What is asked beyond the whole file, such as a range of it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Gets stored bytes from a short-lived address, which carries its own permission: the key never goes there, whatever the
 * host, and the limit does not count it. Follows redirects; repeats what failed before the bytes began.
 * @returns the answer's head and guarded body; a status other than 2xx is returned too, without its body.
 */
export async function fetchFromStorage(
  context: ExchangeContext,
  { url, headers }: StorageRequest,
  options: DownloadOptions,
): Promise<TransportResponse> {
  const { signal } = options;
  signal?.throwIfAborted();
  const cancellation = createCancellation(signal, context.closing);
  try {
    return await runWithRetries(
      context,
      createDownloadPolicy(context, { url, headers }, options),
      cancellation,
    );
  } catch (error) {
    throw explainClientClosed(error, context, 'storage.get: not sent again');
  } finally {
    cancellation.dispose();
  }
}

/** The rules of a stored file: no key, any origin, from the given address again after a failure. */
function createDownloadPolicy(
  context: ExchangeContext,
  { url, headers: requestHeaders }: StorageRequest,
  options: DownloadOptions,
): RequestPolicy<TransportResponse> {
  const { signal, timeoutMs = BODY_IDLE_TIMEOUT_MS } = options;
  return {
    operation: 'storage.get',
    target: 'storage',
    retries: options.retries ?? context.retry.retries,
    timeoutMs,
    maxRetryWaitMs: MAX_STORAGE_WAIT_MS,
    rebuildsRequest: true,
    prepare: () => ({ method: 'GET', url: url.href, headers: { accept: '*/*', ...requestHeaders } }),
    read: async (response, detach) => ({
      ...response,
      body: guardBody(response, {
        controller: detach(),
        signal,
        closing: context.closing,
        idleTimeoutMs: timeoutMs,
      }),
    }),
    follow({ status, headers }, { request, state }) {
      const { location } = headers;
      if (!isFollowedRedirect(status, 'GET') || location === undefined) return undefined;
      if (state.hops >= 4)
        return createFailure(
          new NetworkError('The file is redirected too often.', 'TOO_MANY_REDIRECTS'),
          false,
        );
      return {
        kind: 'moved',
        request: { ...request, url: resolveStorageUrl(location, { base: request.url, createError }).href },
      };
    },
    onRejection: ({ status, headers }) => ({
      ...createFailure(
        new NetworkError(`The file's storage answered ${status}.`),
        isRetryableStatus(status, true),
      ),
      fallbackResult: { status, headers, body: emptyBody() },
      waitMs: parseRetryAfterMs(headers, Date.now()),
    }),
    onFault(fault, { isEndedEarly }) {
      if (isEndedEarly())
        return createFailure(
          new TimeoutError(`The file's storage gave no answer within ${timeoutMs} ms.`),
          false,
        );
      const code = getErrorCode(fault);
      const message = isClientClosed(code)
        ? 'storage.get: the client is closed. Make another with createClient.'
        : `The file's storage could not be reached${code ? ` (${code})` : ''}; ask for the file again.`;
      return createFailure(new NetworkError(message, code), !isPermanentFailure(code));
    },
    onTruncated: (fault) =>
      createFailure(new NetworkError('The file was cut off; ask for it again.', getErrorCode(fault)), true),
  };
}

function createFailure(error: Error, retryable: boolean): Failure<never> {
  return { kind: 'failed', error, retryable, mayHaveRun: true };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

function createError(reason: string): NetworkError {
  return new NetworkError(`The file can't be had: ${reason}.`);
}
