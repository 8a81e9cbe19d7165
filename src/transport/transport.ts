import { isBufferable } from './body-stream.ts';

/** Bytes or text to send; an async iterable needs a `content-length` header beside it (stores refuse chunked bodies). */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface TransportRequest {
  readonly method: string;
  /** Absolute address, path and query already encoded. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decompressed, to be read once or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The one door to the network: sends exactly one request, follows no redirect, retries nothing, and throws only where
 * no complete answer head came (with the system's `code` on the error or its `cause`, and `unsent: true` on it where the
 * transport knows that no byte of the request went out).
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Reads at most `limit` bytes of a body; `complete` is false where there was more. */
export async function readBodyBytes(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  const chunks = isBufferable(body) ? await body.buffer(limit) : await readChunks(body, limit);
  const [onlyChunk] = chunks;
  const bytes = chunks.length === 1 && onlyChunk ? onlyChunk : Buffer.concat(chunks);
  const complete = bytes.byteLength <= limit;
  return { bytes: complete ? bytes : bytes.subarray(0, limit), complete };
}

async function readChunks(body: AsyncIterable<Uint8Array>, limit: number): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > limit) break;
  }
  return chunks;
}

/**
 * Gives the connection back: reads what little is left of a body, and cuts a longer one. (Ending an iterator that was
 * never started would do nothing at all, and hold the connection for ever.)
 */
export async function drainBody(response: TransportResponse): Promise<void> {
  await readBodyBytes(response.body, 64 * 1024).catch(() => undefined);
}

/** Gives up bytes of which nothing was read yet, and their connection. */
export async function cancelBody(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) return;
}

/** The first bytes of a body as text, and the whole body again. */
export async function peekBody(
  body: AsyncIterable<Uint8Array>,
): Promise<{ start: string; body: AsyncIterable<Uint8Array> }> {
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* replayBody() {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return {
    start: first.done ? '' : new TextDecoder().decode(first.value.subarray(0, 64)),
    body: replayBody(),
  };
}
