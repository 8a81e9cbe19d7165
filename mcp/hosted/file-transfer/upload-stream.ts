import { ToolError } from '../../tool-error.ts';

/** Longest silence of whoever sends. */
const IDLE_TIMEOUT_MS = 30_000;
/** Slower than this on average is no line that carries a file, but one that holds a place. */
const MIN_BYTES_PER_MS = 64;
const MIN_UPLOAD_TIMEOUT_MS = 60_000;
const MAX_UPLOAD_TIMEOUT_MS = 60 * 60_000;

/** How long a file of this size may take to come in. */
export function getUploadTimeoutMs(sizeBytes: number): number {
  return Math.min(MAX_UPLOAD_TIMEOUT_MS, MIN_UPLOAD_TIMEOUT_MS + Math.ceil(sizeBytes / MIN_BYTES_PER_MS));
}

export interface StreamTimeouts {
  readonly idleTimeoutMs: number;
  /** For all of it. */
  readonly totalTimeoutMs: number;
}

export const getStreamTimeouts = (sizeBytes: number): StreamTimeouts => {
  return { idleTimeoutMs: IDLE_TIMEOUT_MS, totalTimeoutMs: getUploadTimeoutMs(sizeBytes) };
};

/**
 * The bytes of a request as they come; the sender waits while nobody reads. Silence, a line that only drips, and a
 * connection that ends early are errors that say so.
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
    // Not awaited: a connection that hangs would hold this too.
    reader.cancel().catch(() => undefined);
  }
}

/** One read of its own clock. (Promise.race with one long clock would keep every chunk.) */
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
  return new ToolError(
    'stalled',
    'The file came too slowly, or not at all. Nothing was registered: send it again.',
  );
}

export function createCutOffError(): ToolError {
  return new ToolError(
    'cut_off',
    'The connection ended in the middle. Nothing was registered: send it again.',
  );
}

/**
 * The first bytes of a file, as many as tell its kind, and the whole file again. To `return` gives it up, also before
 * anything more was read: a generator that has not begun would not come to its own end, and would hold the connection.
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
      for (let one = await iterator.next(); !one.done; one = await iterator.next()) yield one.value;
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
