/** A body as it arrives, between the one who brings the bytes and the one who reads them. */
export interface Inflow {
  /** To be read once; giving it up early calls `cancel`. */
  readonly body: AsyncIterable<Uint8Array>;
  push(chunk: Uint8Array): void;
  /** The last byte came, or the error that took its place. Only the first call counts. */
  end(error?: Error): void;
}

/** More than this waits with the sender. */
const HELD_BYTES = 64 * 1024;

/**
 * What a stream would do, without its cost on each small answer: an error that nobody reads harms nobody, and a slow
 * reader holds the sender back.
 */
export function createInflow(source: { pause(): void; resume(): void; cancel(): void }): Inflow {
  const chunks: Uint8Array[] = [];
  let heldBytes = 0;
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  function notify(): void {
    wake?.();
    wake = undefined;
  }

  async function next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk) {
        const full = heldBytes >= HELD_BYTES;
        heldBytes -= chunk.byteLength;
        if (full && heldBytes < HELD_BYTES && !ended) source.resume();
        return { done: false, value: chunk };
      }
      if (failure) throw failure;
      if (ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  function close(): void {
    chunks.length = 0;
    if (ended) return;
    ended = true;
    source.cancel();
    notify();
  }

  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next,
    async return() {
      close();
      return { done: true, value: undefined };
    },
  };
  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    push(chunk) {
      if (ended) return;
      chunks.push(chunk);
      heldBytes += chunk.byteLength;
      if (heldBytes >= HELD_BYTES) source.pause();
      notify();
    },
    end(error) {
      if (ended) return;
      ended = true;
      failure = error;
      notify();
    },
  };
}
