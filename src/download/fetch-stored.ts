import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientContext } from '../call/context.ts';
import { NetworkError, TimeoutError } from '../errors.ts';
import { backoffMs, codeOf, isStatusRetried } from '../retry/retry.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { guardBody, SILENCE_MS } from '../wire/guarded-body.ts';
import { isRedirect, resolveAddress } from '../wire/storage-address.ts';
import { discard, type TransportResponse } from '../wire/transport.ts';

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** The longest silence of the storage, before its answer or between bytes; 60 s unless told. */
  readonly timeoutMs?: number;
}

/** What a fetch needs of a client: no key. */
type StorageContext = Pick<ClientContext, 'transport' | 'retry'>;

/**
 * Gets stored bytes from a short-lived address, which carries its own permission: the key never goes there, whatever the
 * host, and the limit does not count it. Follows redirects; repeats what failed before the bytes began.
 * @returns the answer's head and guarded body; a status other than 2xx is returned too, without its body.
 */
export async function fetchStored(
  context: StorageContext,
  address: URL,
  options: FetchOptions,
): Promise<TransportResponse> {
  const { signal } = options;
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= context.retry.retries;
    let waitMs = backoffMs(attempt, context.retry);
    try {
      const response = await follow(context, address, options);
      if (last || !isStatusRetried(response.status, 'GET')) return response;
      waitMs = retryAfterMs(response.headers, Date.now()) ?? waitMs;
    } catch (error) {
      if (last || !(error instanceof NetworkError)) throw error;
    }
    await sleep(Math.min(waitMs, context.retry.maxDelayMs), undefined, signal ? { signal } : {}).catch(() =>
      signal?.throwIfAborted(),
    );
  }
}

async function follow(
  context: StorageContext,
  address: URL,
  options: FetchOptions,
): Promise<TransportResponse> {
  let url = address;
  for (let hop = 0; hop < 5; hop++) {
    const response = await getOnce(context, url, options);
    const { location } = response.headers;
    if (!isRedirect(response.status, 'GET') || location === undefined) return response;
    url = resolveAddress(location, { base: url.href, fail });
  }
  throw new NetworkError('The file is redirected too often.', 'TOO_MANY_REDIRECTS');
}

async function getOnce(context: StorageContext, url: URL, options: FetchOptions): Promise<TransportResponse> {
  const { signal, timeoutMs = SILENCE_MS } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const silent = () =>
    stop.abort(new TimeoutError(`The file's storage gave no answer within ${timeoutMs} ms.`));
  const timer = setTimeout(silent, timeoutMs);
  try {
    const request = { method: 'GET', url: url.href, headers: { accept: '*/*' }, signal: stop.signal };
    const response = await context.transport(request);
    if (response.status >= 200 && response.status < 300)
      return { ...response, body: guardBody(response, { stop, signal, silenceMs: timeoutMs }) };
    await discard(response);
    return response;
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    const code = codeOf(error);
    throw new NetworkError(
      `The file's storage could not be reached${code ? ` (${code})` : ''}; ask for the file again.`,
      code,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function fail(reason: string): NetworkError {
  return new NetworkError(`The file can't be had: ${reason}.`);
}
