import { Readable } from 'node:stream';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { InputError, TimeoutError } from '../errors.ts';
import { runAfter } from '../timer.ts';

/** A stream of bytes: Node.js, web, or any async iterable. Strings in it are encoded as UTF-8. */
export type StreamSource = AsyncIterable<unknown> | { getReader(): unknown };

export function isStream(source: object): source is StreamSource {
  return Symbol.asyncIterator in source || ('getReader' in source && typeof source.getReader === 'function');
}

export interface StreamReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum silence. Default: unlimited. */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * Reads the bytes of a stream once. An abort ends the read even if the stream never responds.
 * @throws InputError for a stream that was read before or does not contain bytes; TimeoutError for a silent
 * one.
 */
export async function* readStream(
  source: StreamSource,
  { signal = new AbortController().signal, idleTimeoutMs = Number.POSITIVE_INFINITY }: StreamReadOptions,
): AsyncGenerator<Uint8Array> {
  if (isConsumed(source)) throw new InputError('The stream was already read. Pass a new one.');
  const iterator = getIterator(source);
  let rejectRead = (_reason: unknown) => {};
  const onAbort = () => rejectRead(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const onIdleTimeout = () =>
    rejectRead(new TimeoutError(`The stream sent no bytes for ${idleTimeoutMs} ms. Nothing was registered.`));
  let cancelTimer = () => {};
  let done = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      // A silent source must not block an aborted upload. (Promise.race would retain every chunk.)
      const next = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        rejectRead = reject;
        cancelTimer = runAfter(idleTimeoutMs, onIdleTimeout);
        iterator.next().then(resolve, reject);
      }).finally(() => cancelTimer());
      if (next.done) {
        done = true;
        return;
      }
      yield toBytes(next.value);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!done) abandonStream(source, iterator);
  }
}

/** Ends a stream that is no longer needed. */
export function abandonStream(source: StreamSource, iterator?: AsyncIterator<unknown>): void {
  if (source instanceof Readable) source.destroy();
  // Not awaited: a hung generator would never return.
  else void Promise.resolve((iterator ?? getIterator(source)).return?.()).catch(() => undefined);
}

function isConsumed(source: StreamSource): boolean {
  // A failed stream reports its error when it is read.
  if (source instanceof Readable) return source.readableEnded || (source.destroyed && !source.errored);
  return 'locked' in source && source.locked === true;
}

function getIterator(source: StreamSource): AsyncIterator<unknown> {
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  // A web stream without async iteration.
  const reader = source.getReader() as ReadableStreamDefaultReader<unknown>;
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new InputError('The stream must contain bytes.');
}
