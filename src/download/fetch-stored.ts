import { explainClosed } from '../call/closed.ts';
import type { ExchangeContext } from '../call/context.ts';
import { exchange } from '../call/exchange.ts';
import type { Failure, Rules } from '../call/rules.ts';
import { NetworkError, TimeoutError } from '../errors.ts';
import { getErrorCode, isClosed, isLasting, isStatusRetried, MAX_STORAGE_WAIT_MS } from '../retry/retry.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { createLifetime } from '../timer.ts';
import { BODY_IDLE_TIMEOUT_MS, guardBody } from '../wire/guarded-body.ts';
import { isRedirect, resolveAddress } from '../wire/storage-address.ts';
import type { TransportResponse } from '../wire/transport.ts';

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest silence of the storage, before its answer or between bytes; 60 s unless told. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

export interface StoredFile {
  readonly url: URL;
  /** What is asked beyond the whole file, such as a range of it. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Gets stored bytes from a short-lived address, which carries its own permission: the key never goes there, whatever the
 * host, and the limit does not count it. Follows redirects; repeats what failed before the bytes began.
 * @returns the answer's head and guarded body; a status other than 2xx is returned too, without its body.
 */
export async function fetchStored(
  context: ExchangeContext,
  { url, headers }: StoredFile,
  options: FetchOptions,
): Promise<TransportResponse> {
  const { signal } = options;
  signal?.throwIfAborted();
  const lifetime = createLifetime(signal, context.closing);
  try {
    return await exchange(context, createGetRules(context, { url, headers }, options), lifetime);
  } catch (error) {
    throw explainClosed(error, context, 'storage.get: not sent again');
  } finally {
    lifetime.end();
  }
}

/** The rules of a stored file: no key, any origin, from the given address again after a failure. */
function createGetRules(
  context: ExchangeContext,
  { url, headers: asked }: StoredFile,
  options: FetchOptions,
): Rules<TransportResponse> {
  const { signal, timeoutMs = BODY_IDLE_TIMEOUT_MS } = options;
  return {
    operation: 'storage.get',
    target: 'storage',
    retries: options.retries ?? context.retry.retries,
    timeoutMs,
    longestWaitMs: MAX_STORAGE_WAIT_MS,
    renews: true,
    prepare: () => ({ method: 'GET', url: url.href, headers: { accept: '*/*', ...asked } }),
    read: async (response, hold) => ({
      ...response,
      body: guardBody(response, {
        stop: hold(),
        signal,
        closing: context.closing,
        silenceMs: timeoutMs,
      }),
    }),
    follow({ status, headers }, { wire, turn }) {
      const { location } = headers;
      if (!isRedirect(status, 'GET') || location === undefined) return undefined;
      if (turn.hops >= 4)
        return failed(new NetworkError('The file is redirected too often.', 'TOO_MANY_REDIRECTS'), false);
      return {
        kind: 'moved',
        wire: { ...wire, url: resolveAddress(location, { base: wire.url, fail }).href },
      };
    },
    onRefusal: ({ status, headers }) => ({
      ...failed(new NetworkError(`The file's storage answered ${status}.`), isStatusRetried(status, true)),
      instead: { status, headers, body: nothing() },
      waitMs: retryAfterMs(headers, Date.now()),
    }),
    onFault(fault, { endedEarly }) {
      if (endedEarly())
        return failed(new TimeoutError(`The file's storage gave no answer within ${timeoutMs} ms.`), false);
      const code = getErrorCode(fault);
      const message = isClosed(code)
        ? 'storage.get: the client is closed. Make another with createClient.'
        : `The file's storage could not be reached${code ? ` (${code})` : ''}; ask for the file again.`;
      return failed(new NetworkError(message, code), !isLasting(code));
    },
    onCut: (fault) =>
      failed(new NetworkError('The file was cut off; ask for it again.', getErrorCode(fault)), true),
  };
}

function failed(error: Error, again: boolean): Failure<never> {
  return { kind: 'failed', error, again, mayHaveRun: true };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function fail(reason: string): NetworkError {
  return new NetworkError(`The file can't be had: ${reason}.`);
}
