/** A body that can also be had in one piece: a small one has mostly arrived when somebody asks. */
export interface BufferableBody extends AsyncIterable<Uint8Array> {
  /** All chunks, or those that hold `limit` bytes and one more; then the rest is given up. */
  buffer(limit: number): Promise<readonly Uint8Array[]>;
}

export function isBufferable(body: AsyncIterable<Uint8Array>): body is BufferableBody {
  return 'gather' in body;
}

/** A body as it arrives, between the one who brings the bytes and the one who reads them. */
export interface BodyStream {
  /** To be read once; giving it up early calls `cancel`. */
  readonly body: BufferableBody;
  push(chunk: Uint8Array): void;
  /** The last byte came, or the error that took its place. Only the first call counts. */
  end(error?: Error): void;
}

/** More than this waits with the sender. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * What a stream would do, without its cost on each small answer: an error that nobody reads harms nobody, and a slow
 * reader holds the sender back.
 */
export function createBodyStream(source: { pause(): void; resume(): void; cancel(): void }): BodyStream {
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
  async function buffer(limit: number): Promise<readonly Uint8Array[]> {
    const bufferedChunks: Uint8Array[] = [];
    let size = 0;
    // What is there already needs no promise of its own.
    while (chunks.length > 0 || !isEnded || streamError) {
      const chunk = chunks.length > 0 ? takeChunk() : (await next()).value;
      if (!chunk) break;
      bufferedChunks.push(chunk);
      size += chunk.byteLength;
      if (size > limit) {
        close();
        break;
      }
    }
    return bufferedChunks;
  }

  return {
    body: { [Symbol.asyncIterator]: () => iterator, buffer },
    push(chunk) {
      if (isEnded) return;
      chunks.push(chunk);
      bufferedBytes += chunk.byteLength;
      if (bufferedBytes >= MAX_BUFFERED_BYTES) source.pause();
      wakeReader();
    },
    end(error) {
      if (isEnded) return;
      isEnded = true;
      streamError = error;
      wakeReader();
    },
  };
}
