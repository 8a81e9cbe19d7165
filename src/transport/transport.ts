import { acquireBodySlot, HUGE_BODY_BYTES, LARGE_BODY_BYTES } from './body-budget.ts';
import { isBufferable } from './body-stream.ts';

/** Body to send; an async iterable needs a `content-length` header (stores reject chunked bodies). */
export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface TransportRequest {
  readonly method: string;
  /** Absolute URL with encoded path and query. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed body, which must be read once or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends exactly one request: no redirects, no retries. Throws only if no complete response head came, with
 * the system's `code` on the error or its `cause`, and `unsent: true` if certainly no byte was sent.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Creates the error of a request of which nothing was sent. */
export function createUnsentError(options?: ErrorOptions): Error {
  return Object.assign(new Error('The request was not sent', options), { unsent: true });
}

/** A decompressed body that knows how many compressed bytes it was made of. */
export interface DecodedBody extends AsyncIterable<Uint8Array> {
  readonly compressedBytes: () => number;
}

/** A body that knows which API key it belongs to, and how to end it with an error. */
interface OwnedBody extends AsyncIterable<Uint8Array> {
  readonly owner: string;
  readonly cancel: () => void;
}

/** Decompressed to compressed bytes of large bodies: regular lists reach 200 with Brotli, bombs 1000 and more. */
export const MAX_COMPRESSION_RATIO = 500;

/**
 * Reads at most `limit` bytes of a body; `complete` is false if there were more, or if it is a decompression bomb.
 * @param chunks receives what arrives, also before a failure.
 */
export async function readBodyBytes(
  body: AsyncIterable<Uint8Array> | DecodedBody | OwnedBody,
  limit: number,
  chunks: Uint8Array[] = [],
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  let size = 0;
  let complete = true;
  const releases: (() => void)[] = [];
  const reader = {
    ...('owner' in body ? { owner: body.owner, cancel: body.cancel } : { owner: '', cancel: () => undefined }),
    receivedBytes: () => size,
  };
  const isBomb = () =>
    size > LARGE_BODY_BYTES &&
    'compressedBytes' in body &&
    size > MAX_COMPRESSION_RATIO * Math.max(1, body.compressedBytes());
  async function waitForPlace(kind: 'large' | 'huge'): Promise<boolean> {
    releases.push(await acquireBodySlot(kind, reader));
    return true;
  }
  /** Returns false if the rest is not wanted. */
  function add(chunk: Uint8Array): boolean | Promise<boolean> {
    chunks.push(chunk);
    size += chunk.byteLength;
    complete = size <= limit && !isBomb();
    if (!complete || size <= LARGE_BODY_BYTES) return complete;
    if (releases.length === 0) return waitForPlace('large');
    return size > HUGE_BODY_BYTES && releases.length === 1 ? waitForPlace('huge') : true;
  }
  try {
    if (isBufferable(body)) await body.buffer(add);
    else for await (const chunk of body) if (!(await add(chunk))) break;
    const [onlyChunk] = chunks;
    const bytes = chunks.length === 1 && onlyChunk ? onlyChunk : Buffer.concat(chunks);
    return { bytes: bytes.byteLength > limit ? bytes.subarray(0, limit) : bytes, complete };
  } finally {
    for (const release of releases) release();
  }
}

/**
 * Releases the connection: reads a short rest of a body, and cuts a longer one. (Ending an iterator that was
 * never started would keep the connection open.)
 */
export async function drainBody(response: TransportResponse): Promise<void> {
  await readBodyBytes(response.body, 64 * 1024).catch(() => undefined);
}

/** Cancels an unread body and releases its connection. */
export async function cancelBody(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) return;
}

/** Returns the first chunk of a body, and the whole body. */
export async function peekBody(
  body: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array | undefined; body: AsyncIterable<Uint8Array> }> {
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* replayBody() {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first: first.done ? undefined : first.value, body: replayBody() };
}
