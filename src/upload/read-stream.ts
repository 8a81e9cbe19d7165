import { Readable } from 'node:stream';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { InputError, TimeoutError } from '../errors.ts';
import { runAfter } from '../timer.ts';

/** A stream of bytes: Node's, a web stream, or any async iterable. Texts in it are taken as UTF-8. */
export type StreamSource = AsyncIterable<unknown> | { getReader(): unknown };

export function isStream(source: object): source is StreamSource {
  return Symbol.asyncIterator in source || ('getReader' in source && typeof source.getReader === 'function');
}

export interface StreamReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest time without bytes; as long as it takes unless told. */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * The bytes of a stream, to be read once. An abort ends the reading even where the stream never answers.
 * @throws InputError for a stream that was read before, or gives something else than bytes; TimeoutError for one that
 * falls silent.
 */
export async function* readStream(
  source: StreamSource,
  { signal, idleTimeoutMs = Number.POSITIVE_INFINITY }: StreamReadOptions,
): AsyncGenerator<Uint8Array> {
  if (isConsumed(source))
    throw new InputError('The stream was read before, or is being read: pass a fresh one.');
  const iterator = getIterator(source);
  let rejectRead = (_reason: unknown) => {};
  const onAbort = () => rejectRead(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const onIdleTimeout = () =>
    rejectRead(
      new TimeoutError(
        `The stream gave no bytes for ${idleTimeoutMs} ms and was given up; nothing was registered.`,
      ),
    );
  let cancelTimer = () => {};
  let done = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A source that never answers must not hold an aborted upload. (Promise.race would keep every chunk.)
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
    signal?.removeEventListener('abort', onAbort);
    if (!done) abandonStream(source, iterator);
  }
}

/** Ends a stream that nobody will read on. */
export function abandonStream(source: StreamSource, iterator?: AsyncIterator<unknown>): void {
  if (source instanceof Readable) source.destroy();
  // Not awaited: a generator that hangs in its own await would never come back.
  else void Promise.resolve((iterator ?? getIterator(source)).return?.()).catch(() => undefined);
}

function isConsumed(source: StreamSource): boolean {
  // One that failed says why when it is read.
  if (source instanceof Readable) return source.readableEnded || (source.destroyed && !source.errored);
  return 'locked' in source && source.locked === true;
}

function getIterator(source: StreamSource): AsyncIterator<unknown> {
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  // A web stream of another maker.
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
  throw new InputError('The stream must give bytes.');
}
