import { NetworkError, TimeoutError } from '../errors.ts';
import { codeOf } from '../retry/retry.ts';
import { after } from '../timer.ts';
import type { TransportResponse } from './transport.ts';

/** Longest silence of the other side while a file comes in, unless the caller says otherwise. */
export const SILENCE_MS = 60_000;

export interface BodyGuard {
  /** Aborts the request whose body this is. */
  readonly stop: AbortController;
  /** The caller's own signal; its reason is passed on as it is. */
  readonly signal?: AbortSignal | undefined;
  readonly silenceMs?: number | undefined;
}

/**
 * The bytes of an answer, to be read once: cut bodies, silence and broken compression are typed errors, and a body that
 * nobody begins to read gives its connection back.
 */
export function guardBody(response: TransportResponse, guard: BodyGuard): AsyncIterable<Uint8Array> {
  const { stop, signal, silenceMs = SILENCE_MS } = guard;
  const sizeBytes = sizeOf(response);
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const abandon = (what: string) => stop.abort(new TimeoutError(what));
  const unread = setTimeout(
    () => abandon('The file was not read in time; ask for it again.'),
    SILENCE_MS,
  ).unref();

  async function* read(): AsyncGenerator<Uint8Array> {
    const iterator = response.body[Symbol.asyncIterator]();
    let receivedBytes = 0;
    let callOff: (() => void) | undefined;
    try {
      for (;;) {
        callOff = after(silenceMs, () => abandon(`The file's storage fell silent for ${silenceMs} ms.`));
        clearTimeout(unread);
        const { done, value } = await iterator.next();
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
      const code = codeOf(error);
      throw new NetworkError(`The file was cut off${code ? ` (${code})` : ''}; ask for it again.`, code);
    } finally {
      callOff?.();
      signal?.removeEventListener('abort', onAbort);
      await iterator.return?.();
    }
  }
  return read();
}

/** From `Content-Length`, which counts compressed bytes where there is an encoding. */
export function sizeOf({ headers }: Pick<TransportResponse, 'headers'>): number | undefined {
  const length = headers['content-length'];
  if (length === undefined || !/^\d+$/.test(length)) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? Number(length) : undefined;
}
