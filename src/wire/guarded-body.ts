import { NetworkError, TimeoutError } from '../errors.ts';
import { CLOSED_CODE, getErrorCode } from '../retry/retry.ts';
import { after, onAbort } from '../timer.ts';
import type { TransportResponse } from './transport.ts';

/** Longest silence of the other side while a file comes in, unless the caller says otherwise. */
export const BODY_IDLE_TIMEOUT_MS = 60_000;

export interface BodyGuard {
  /** Aborts the request whose body this is. */
  readonly stop: AbortController;
  /** The caller's own signal; its reason is passed on as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the client is closed. */
  readonly closing?: AbortSignal | undefined;
  readonly silenceMs?: number | undefined;
}

/**
 * The bytes of an answer, to be read once: cut bodies, silence and broken compression are typed errors, and a body that
 * nobody begins to read gives its connection back.
 */
export function guardBody(response: TransportResponse, guard: BodyGuard): AsyncIterable<Uint8Array> {
  const { stop, signal, closing, silenceMs = BODY_IDLE_TIMEOUT_MS } = guard;
  const sizeBytes = getContentLength(response);
  let fail: ((reason: unknown) => void) | undefined;
  const end = (reason: unknown) => {
    release();
    stop.abort(reason);
    // The transport may not heed the abort.
    fail?.(stop.signal.reason);
  };
  const onCaller = () => end(signal?.reason);
  signal?.addEventListener('abort', onCaller, { once: true });
  const onClose = () =>
    end(new NetworkError('The file was cut off, because the client was closed.', CLOSED_CODE));
  const leaveClient = closing && onAbort(closing, onClose);
  const abandon = (what: string) => end(new TimeoutError(what));
  let callOff: (() => void) | undefined;
  const unread = setTimeout(
    () => abandon('The file was not read in time; ask for it again.'),
    BODY_IDLE_TIMEOUT_MS,
  ).unref();

  function release(): void {
    clearTimeout(unread);
    callOff?.();
    signal?.removeEventListener('abort', onCaller);
    leaveClient?.();
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    const iterator = response.body[Symbol.asyncIterator]();
    let receivedBytes = 0;
    try {
      for (;;) {
        callOff = after(silenceMs, () => abandon(`The file's storage fell silent for ${silenceMs} ms.`));
        clearTimeout(unread);
        const { done, value } = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
          fail = reject;
          if (stop.signal.aborted) reject(stop.signal.reason);
          iterator.next().then(resolve, reject);
        });
        callOff();
        if (done) break;
        receivedBytes += value.byteLength;
        yield value;
      }
      if (sizeBytes !== undefined && receivedBytes !== sizeBytes)
        throw new NetworkError(
          `The file was cut off after ${receivedBytes} of ${sizeBytes} bytes; ask for it again.`,
        );
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (stop.signal.aborted) throw stop.signal.reason;
      if (error instanceof NetworkError) throw error;
      const code = getErrorCode(error);
      throw new NetworkError(`The file was cut off${code ? ` (${code})` : ''}; ask for it again.`, code);
    } finally {
      release();
      const returned = iterator.return?.();
      // What the transport still waits for does not hold up who is told of the end.
      if (stop.signal.aborted) returned?.catch(() => undefined);
      else await returned;
    }
  }
  return read();
}

/** From `Content-Length`, which counts compressed bytes where there is an encoding. */
export function getContentLength({ headers }: Pick<TransportResponse, 'headers'>): number | undefined {
  const length = headers['content-length'];
  if (length === undefined || !/^\d+$/.test(length)) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? Number(length) : undefined;
}
