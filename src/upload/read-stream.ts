import { Readable } from 'node:stream';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { InputError, TimeoutError } from '../errors.ts';
import { after } from '../timer.ts';

/** A stream of bytes: Node's, a web stream, or any async iterable. Texts in it are taken as UTF-8. */
export type StreamSource = AsyncIterable<unknown> | { getReader(): unknown };

export function isStream(source: object): source is StreamSource {
  return Symbol.asyncIterator in source || ('getReader' in source && typeof source.getReader === 'function');
}

export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** The longest time without bytes; as long as it takes unless told. */
  readonly silenceMs?: number | undefined;
}

/**
 * The bytes of a stream, to be read once. An abort ends the reading even where the stream never answers.
 * @throws InputError for a stream that was read before, or gives something else than bytes; TimeoutError for one that
 * falls silent.
 */
export async function* bytesOfStream(
  source: StreamSource,
  { signal, silenceMs = Number.POSITIVE_INFINITY }: Reading,
): AsyncGenerator<Uint8Array> {
  if (isSpent(source))
    throw new InputError('The stream was read before, or is being read: pass a fresh one.');
  const iterator = getIterator(source);
  let interrupt = (_reason: unknown) => {};
  const onAbort = () => interrupt(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const fallSilent = () =>
    interrupt(
      new TimeoutError(
        `The stream gave no bytes for ${silenceMs} ms and was given up; nothing was registered.`,
      ),
    );
  let callOff = () => {};
  let done = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A source that never answers must not hold an aborted upload. (Promise.race would keep every chunk.)
      const next = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        interrupt = reject;
        callOff = after(silenceMs, fallSilent);
        iterator.next().then(resolve, reject);
      }).finally(() => callOff());
      if (next.done) {
        done = true;
        return;
      }
      yield bytesIn(next.value);
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (!done) drop(source, iterator);
  }
}

/** Ends a stream that nobody will read on. */
export function drop(source: StreamSource, iterator?: AsyncIterator<unknown>): void {
  if (source instanceof Readable) source.destroy();
  // Not awaited: a generator that hangs in its own await would never come back.
  else void Promise.resolve((iterator ?? getIterator(source)).return?.()).catch(() => undefined);
}

function isSpent(source: StreamSource): boolean {
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

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return Buffer.from(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new InputError('The stream must give bytes.');
}
