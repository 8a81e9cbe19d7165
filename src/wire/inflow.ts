/** A body that can also be had in one piece: a small one has mostly arrived when somebody asks. */
export interface GatheredBody extends AsyncIterable<Uint8Array> {
  /** All chunks, or those that hold `limit` bytes and one more; then the rest is given up. */
  gather(limit: number): Promise<readonly Uint8Array[]>;
}

export function isGathered(body: AsyncIterable<Uint8Array>): body is GatheredBody {
  return 'gather' in body;
}

/** A body as it arrives, between the one who brings the bytes and the one who reads them. */
export interface Inflow {
  /** To be read once; giving it up early calls `cancel`. */
  readonly body: GatheredBody;
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

  function take(): Uint8Array | undefined {
    const chunk = chunks.shift();
    if (!chunk) return undefined;
    const full = heldBytes >= HELD_BYTES;
    heldBytes -= chunk.byteLength;
    if (full && heldBytes < HELD_BYTES && !ended) source.resume();
    return chunk;
  }

  async function next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = take();
      if (chunk) return { done: false, value: chunk };
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
  async function gather(limit: number): Promise<readonly Uint8Array[]> {
    const gathered: Uint8Array[] = [];
    let size = 0;
    // What is there already needs no promise of its own.
    while (chunks.length > 0 || !ended || failure) {
      const chunk = chunks.length > 0 ? take() : (await next()).value;
      if (!chunk) break;
      gathered.push(chunk);
      size += chunk.byteLength;
      if (size > limit) {
        close();
        break;
      }
    }
    return gathered;
  }

  return {
    body: { [Symbol.asyncIterator]: () => iterator, gather },
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
