import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from '../errors.ts';
import { runAfter } from '../timer.ts';
import type { FileSource } from './file-source.ts';

export interface UploadProgress {
  /** Bytes accepted by the network; starts again at 0 when an attempt is retried. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Default maximum silence of the other side. */
export const UPLOAD_IDLE_TIMEOUT_MS = 120_000;

/** Long enough to receive a storage's rejection, and under a second with the retry. */
const EARLY_RESPONSE_WAIT_MS = 300;

export interface TransferOptions {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Maximum silence of the other side. */
  readonly timeoutMs?: number | undefined;
  /** Pauses after the first bytes, to receive an early rejection before the connection breaks. */
  readonly waitForEarlyResponse?: boolean;
}

export type Transfer = ReturnType<typeof createTransfer>;

/** Tracks the bytes of one upload attempt, as the sender sees them. */
export function createTransfer(file: FileSource, options: TransferOptions) {
  const { onProgress, timeoutMs = UPLOAD_IDLE_TIMEOUT_MS, waitForEarlyResponse = false } = options;
  const controller = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let hasSentAll = false;
  let failure: Error | undefined;

  const stopTimer = () => cancelTimer?.();
  const startTimer = () => {
    stopTimer();
    cancelTimer = runAfter(timeoutMs, () => {
      const message = `The upload made no progress for ${timeoutMs} ms and was cancelled.`;
      controller.abort(new TimeoutError(message, { problem: { code: 'upload_too_slow' } }));
    });
  };

  async function* stream() {
    let sentBytes = 0;
    let isChunkPending = false;
    hasSentAll = false;
    try {
      for await (const chunk of file.stream()) {
        startTimer();
        isChunkPending = true;
        yield chunk;
        isChunkPending = false;
        stopTimer();
        if (waitForEarlyResponse && sentBytes === 0) await sleep(EARLY_RESPONSE_WAIT_MS);
        sentBytes += chunk.byteLength;
        onProgress?.({ sentBytes, totalBytes: file.size });
      }
      hasSentAll = true;
      startTimer();
    } catch (error) {
      // Thrown into the generator by its reader: a network error, or a closed client.
      if (isChunkPending) throw error;
      failure ??= error instanceof Error ? error : new Error('The file could not be read.', { cause: error });
      // Not a network error: nothing must be retried.
      controller.abort(failure);
      throw error;
    } finally {
      if (!hasSentAll) stopTimer();
    }
  }

  return {
    /** Creates the body for an attempt. */
    stream,
    /** Aborts on a local failure, and with a TimeoutError if the other side stops reading and responding. */
    signal: controller.signal,
    /** Starts the timer before the first byte is read. */
    startTimer,
    /** Stops the timer when a response came. */
    stopTimer,
    /** True if the other side has all bytes, so the upload may have taken effect. */
    isComplete: () => hasSentAll,
    /** Local failure: of reading the file, or of the caller's `onProgress`. */
    getFailure: () => failure,
  };
}
