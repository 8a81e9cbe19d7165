import { NetworkError, TimeoutError } from '../errors.ts';
import { CLIENT_CLOSED_CODE, getErrorCode } from '../retry/retry.ts';
import { onAbort, runAfter } from '../timer.ts';
import type { TransportResponse } from './transport.ts';

export const FILE_CUT_OFF = { code: 'file_cut_off' } as const;

/** Default maximum silence while a file is downloaded. */
export const BODY_IDLE_TIMEOUT_MS = 60_000;

interface BodyGuardOptions {
  /** Aborts the request of this body. */
  readonly controller: AbortController;
  /** The caller's signal; its reason passes unchanged. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the client is closed. */
  readonly closing?: AbortSignal | undefined;
  readonly idleTimeoutMs?: number | undefined;
}

/** Turns truncation, silence and decoding errors into typed errors, and releases an unread body. */
export function guardBody(response: TransportResponse, options: BodyGuardOptions): AsyncIterable<Uint8Array> {
  const { controller, signal, closing, idleTimeoutMs = BODY_IDLE_TIMEOUT_MS } = options;
  const sizeBytes = getContentLength(response);
  let rejectRead: ((reason: unknown) => void) | undefined;
  const abort = (reason: unknown) => {
    release();
    controller.abort(reason);
    // The transport may ignore the abort.
    rejectRead?.(controller.signal.reason);
  };
  const onCallerAbort = () => abort(signal?.reason);
  signal?.addEventListener('abort', onCallerAbort, { once: true });
  const onClose = () =>
    abort(new NetworkError('The file was cut off, because the client was closed.', CLIENT_CLOSED_CODE, FILE_CUT_OFF));
  const removeCloseListener = closing && onAbort(closing, onClose);
  const failWithTimeout = (message: string) => abort(new TimeoutError(message));
  let cancelIdleTimer: (() => void) | undefined;
  const unreadTimer = setTimeout(
    () => failWithTimeout('The file was not read in time. Request it again.'),
    BODY_IDLE_TIMEOUT_MS,
  ).unref();

  function release(): void {
    clearTimeout(unreadTimer);
    cancelIdleTimer?.();
    signal?.removeEventListener('abort', onCallerAbort);
    removeCloseListener?.();
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    const iterator = response.body[Symbol.asyncIterator]();
    let receivedBytes = 0;
    try {
      for (;;) {
        cancelIdleTimer = runAfter(idleTimeoutMs, () =>
          failWithTimeout(`The file's storage sent nothing for ${idleTimeoutMs} ms.`),
        );
        clearTimeout(unreadTimer);
        const { done, value } = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
          rejectRead = reject;
          if (controller.signal.aborted) reject(controller.signal.reason);
          iterator.next().then(resolve, reject);
        });
        cancelIdleTimer();
        if (done) break;
        receivedBytes += value.byteLength;
        yield value;
      }
      if (sizeBytes !== undefined && receivedBytes !== sizeBytes) throw createTruncatedError(receivedBytes, sizeBytes);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (controller.signal.aborted) throw controller.signal.reason;
      if (error instanceof NetworkError) throw error;
      const code = getErrorCode(error);
      throw new NetworkError(`The file was cut off${code ? ` (${code})` : ''}. Request it again.`, code, FILE_CUT_OFF);
    } finally {
      release();
      const returnPromise = iterator.return?.();
      // An aborted transport may keep waiting; the error must not.
      if (controller.signal.aborted) returnPromise?.catch(() => undefined);
      else await returnPromise;
    }
  }
  return read();
}

export function createTruncatedError(receivedBytes: number, sizeBytes: number): NetworkError {
  const message = `The file was cut off after ${receivedBytes} of ${sizeBytes} bytes. Request it again.`;
  return new NetworkError(message, undefined, FILE_CUT_OFF);
}

/** `Content-Length` of an unencoded body: otherwise the header counts compressed bytes. */
export function getContentLength({ headers }: Pick<TransportResponse, 'headers'>): number | undefined {
  const length = headers['content-length'] ?? '';
  if (!/^\d+$/.test(length)) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? Number(length) : undefined;
}
