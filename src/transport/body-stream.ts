/** A body that can also be read at once: a small one has usually arrived by then. */
interface BufferableBody extends AsyncIterable<Uint8Array> {
  /** Passes on all chunks; once `add` returns false, it stops and cancels the rest. */
  buffer(add: (chunk: Uint8Array) => boolean | Promise<boolean>): Promise<void>;
}

export function isBufferable(body: AsyncIterable<Uint8Array>): body is BufferableBody {
  return 'buffer' in body;
}

export type BodyStream = ReturnType<typeof createBodyStream>;

/** Above this, the sender is paused. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/** A body while it arrives, cheap for small responses: unread errors are harmless, a slow reader pauses the sender. */
export function createBodyStream(source: { pause(): void; resume(): void; cancel(): void }) {
  const chunks: Uint8Array[] = [];
  let bufferedBytes = 0;
  let isEnded = false;
  let streamError: Error | undefined;
  let resumeReader: (() => void) | undefined;

  function wakeReader(): void {
    resumeReader?.();
    resumeReader = undefined;
  }

  function takeChunk(): Uint8Array | undefined {
    const chunk = chunks.shift();
    if (!chunk) return undefined;
    const wasFull = bufferedBytes >= MAX_BUFFERED_BYTES;
    bufferedBytes -= chunk.byteLength;
    if (wasFull && bufferedBytes < MAX_BUFFERED_BYTES && !isEnded) source.resume();
    return chunk;
  }

  async function next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = takeChunk();
      if (chunk) return { done: false, value: chunk };
      if (streamError) throw streamError;
      if (isEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        resumeReader = resolve;
      });
    }
  }

  function close(): void {
    chunks.length = 0;
    if (isEnded) return;
    isEnded = true;
    source.cancel();
    wakeReader();
  }

  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next,
    async return() {
      close();
      return { done: true, value: undefined };
    },
  };
  async function buffer(add: Parameters<BufferableBody['buffer']>[0]): Promise<void> {
    // Chunks that already arrived need no promise.
    while (chunks.length > 0 || !isEnded || streamError) {
      const chunk = chunks.length > 0 ? takeChunk() : (await next()).value;
      if (!chunk) break;
      const isWanted = add(chunk);
      if (isWanted === true || (await isWanted)) continue;
      close();
      break;
    }
  }

  const body: BufferableBody = { [Symbol.asyncIterator]: () => iterator, buffer };
  return {
    /** Can be read once; stopping early calls `cancel`. */
    body,
    push(chunk: Uint8Array): void {
      if (isEnded) return;
      chunks.push(chunk);
      bufferedBytes += chunk.byteLength;
      if (bufferedBytes >= MAX_BUFFERED_BYTES) source.pause();
      wakeReader();
    },
    /** Ends the body, with an error if it failed. Only the first call counts. */
    end(error?: Error): void {
      if (isEnded) return;
      isEnded = true;
      streamError = error;
      wakeReader();
    },
  };
}
