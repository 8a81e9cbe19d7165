import { ToolError } from '../../tool-error.ts';

/** Maximum pause of the sender. */
const IDLE_TIMEOUT_MS = 30_000;
/** Slower connections are treated as holding a slot, not as uploading. */
const MIN_BYTES_PER_MS = 64;
const MIN_UPLOAD_TIMEOUT_MS = 60_000;
const MAX_UPLOAD_TIMEOUT_MS = 60 * 60_000;

/** Maximum time for a file of this size to arrive. */
export function getUploadTimeoutMs(sizeBytes: number): number {
  return Math.min(MAX_UPLOAD_TIMEOUT_MS, MIN_UPLOAD_TIMEOUT_MS + Math.ceil(sizeBytes / MIN_BYTES_PER_MS));
}

export interface StreamTimeouts {
  readonly idleTimeoutMs: number;
  /** Time for the whole body. */
  readonly totalTimeoutMs: number;
}

export function getStreamTimeouts(sizeBytes: number): StreamTimeouts {
  return { idleTimeoutMs: IDLE_TIMEOUT_MS, totalTimeoutMs: getUploadTimeoutMs(sizeBytes) };
}

/**
 * Streams the bytes of a request with backpressure.
 * @throws ToolError if the sender stalls, is too slow, or disconnects early.
 */
export async function* readRequestBytes(
  body: ReadableStream<Uint8Array> | null,
  { idleTimeoutMs, totalTimeoutMs }: StreamTimeouts,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const until = Date.now() + totalTimeoutMs;
  try {
    for (;;) {
      const { done, value } = await readChunk(reader, Math.min(idleTimeoutMs, until - Date.now()));
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a hanging connection would block this too.
    reader.cancel().catch(() => undefined);
  }
}

/** Reads one chunk with its own timer. (Promise.race with one long timer would retain every chunk.) */
function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  waitMs: number,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createStalledError()), Math.max(0, waitMs));
    reader
      .read()
      .then(resolve, () => reject(createCutOffError()))
      .finally(() => clearTimeout(timer));
  });
}

function createStalledError(): ToolError {
  return new ToolError('stalled', 'The file arrived too slowly or stopped. Nothing was saved. Upload it again.');
}

export function createCutOffError(): ToolError {
  return new ToolError('cut_off', 'The connection was lost. Nothing was saved. Upload the file again.');
}

/**
 * Returns the first bytes of a file, and the whole file. `return()` releases the connection even before
 * anything was read: a generator that has not started would not run its `finally`.
 */
export async function peekStart(
  bytes: AsyncIterable<Uint8Array>,
  minBytes: number,
): Promise<{ start: Uint8Array; bytes: AsyncGenerator<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < minBytes) {
    const { done, value } = await iterator.next();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  async function* whole() {
    try {
      yield* chunks;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  const all = whole();
  const end = all.return.bind(all);
  all.return = async (value) => {
    const ended = await end(value);
    await iterator.return?.();
    return ended;
  };
  return { start: Buffer.concat(chunks), bytes: all };
}
