import type { IncomingMessage } from 'node:http';
import { Rejection } from '../base/rejection.ts';
import { createFieldRejection } from '../handlers/request-body.ts';

/** Time limit for a body in memory, and for silence in a stream. */
const BODY_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Reads at most `limit` bytes of a body into memory. The rest stays unread; `drainBody` ends it while the response is sent.
 */
export async function readBodyBytes(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new Rejection('tooLarge', `The request body is larger than ${limit} bytes`);
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge();
  assertUncompressed(incoming);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > limit) reject(tooLarge());
    else chunks.push(chunk);
  };
  const onTimeout = () =>
    reject(new Rejection('tooSlow', `The request body did not arrive in ${BODY_TIMEOUT_MS / 1000} s`));
  let isComplete = false;
  const onEnd = () => {
    isComplete = true;
    resolve();
  };
  // A close follows the end of a complete body too.
  const onCutOff = () => {
    if (!isComplete) reject(createFieldRejection([{ field: '', message: 'It is incomplete' }]));
  };
  const timer = setTimeout(onTimeout, BODY_TIMEOUT_MS);
  incoming.on('data', onData).once('end', onEnd).once('error', onCutOff).once('close', onCutOff);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    incoming.pause();
    incoming.off('data', onData).off('end', onEnd).off('close', onCutOff).off('error', onCutOff);
    // Later connection errors don't matter.
    incoming.on('error', () => undefined);
  }
  return Buffer.concat(chunks);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export async function readUtf8Body(incoming: IncomingMessage, limit: number): Promise<string> {
  const bytes = await readBodyBytes(incoming, limit);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw createFieldRejection([{ field: '', message: 'It is not UTF-8' }]);
  }
}

/** Compressed bodies have no known size. */
export function assertUncompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new Rejection(
      'wrongType',
      `Content encoding "${encoding.slice(0, 40)}" is not supported: send the body uncompressed`,
    );
}

/** Aborts a body that falls silent. */
export function abortWhenIdle(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.destroy(), IDLE_TIMEOUT_MS);
  incoming.on('data', () => timer.refresh());
  clearAtEnd(incoming, timer);
}

/** How long an unwanted body may continue before the connection is cut. */
const DRAIN_TIMEOUT_MS = 3_000;

/** Discards the rest of an unread body, so that the caller can read the response instead of a broken pipe. */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.destroy(), DRAIN_TIMEOUT_MS);
  timer.unref();
  clearAtEnd(incoming, timer);
}

function clearAtEnd(incoming: IncomingMessage, timer: NodeJS.Timeout): void {
  incoming.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}
