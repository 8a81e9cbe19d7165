import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from '../errors.ts';
import { runAfter } from '../timer.ts';
import type { FileSource } from './file-source.ts';

export interface UploadProgress {
  /** Bytes that the network has taken; begins again at 0 where an attempt is repeated. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** How the bytes of one upload attempt fare, seen from the side that gives them. */
export interface Transfer {
  /** A fresh body for each attempt. */
  stream(): AsyncIterable<Uint8Array>;
  /** Aborts where `failure` is set, and with a TimeoutError once the other side neither takes a byte nor answers. */
  readonly signal: AbortSignal;
  /** Starts the watch before the first byte is asked for. */
  startTimer(): void;
  /** Ends the watch: an answer came. */
  stopTimer(): void;
  /** Whether the other side holds all bytes, so that it may have acted on them. */
  isComplete(): boolean;
  /** What went wrong on this side: reading the file, or the caller's `onProgress`. */
  failure(): Error | undefined;
}

/** Longest silence of the other side unless the caller says otherwise: a slow line is not a dead one. */
export const UPLOAD_IDLE_TIMEOUT_MS = 120_000;

/** Long enough for a storage's refusal to arrive, short enough to stay within a second with the retry around it. */
const EARLY_RESPONSE_WAIT_MS = 300;

export function createTransfer(
  file: FileSource,
  options: {
    onProgress?: ((progress: UploadProgress) => void) | undefined;
    timeoutMs?: number | undefined;
    /** Pauses after the first bytes, to hear an early refusal before the rest breaks the connection. */
    waitForEarlyResponse?: boolean;
  },
): Transfer {
  const { onProgress, timeoutMs = UPLOAD_IDLE_TIMEOUT_MS, waitForEarlyResponse = false } = options;
  const controller = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let hasSentAll = false;
  let failure: Error | undefined;

  const stopTimer = () => cancelTimer?.();
  const startTimer = () => {
    stopTimer();
    cancelTimer = runAfter(timeoutMs, () =>
      controller.abort(new TimeoutError(`The upload stood still for ${timeoutMs} ms and was given up.`)),
    );
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
      // Thrown in by whoever reads it: a fault of the network, or the end of the client.
      if (isChunkPending) throw error;
      failure ??= error instanceof Error ? error : new Error('The file could not be read.', { cause: error });
      // Not a fault of the network: nothing may be sent again for it.
      controller.abort(failure);
      throw error;
    } finally {
      if (!hasSentAll) stopTimer();
    }
  }

  return {
    stream,
    signal: controller.signal,
    startTimer,
    stopTimer,
    isComplete: () => hasSentAll,
    failure: () => failure,
  };
}
