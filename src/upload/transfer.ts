import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from '../errors.ts';
import { after } from '../timer.ts';
import type { FileSource } from './file-source.ts';

export interface Progress {
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
  watch(): void;
  /** Ends the watch: an answer came. */
  rest(): void;
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
    onProgress?: ((progress: Progress) => void) | undefined;
    timeoutMs?: number | undefined;
    /** Pauses after the first bytes, to hear an early refusal before the rest breaks the connection. */
    listen?: boolean;
  },
): Transfer {
  const { onProgress, timeoutMs = UPLOAD_IDLE_TIMEOUT_MS, listen = false } = options;
  const stop = new AbortController();
  let callOff: (() => void) | undefined;
  let complete = false;
  let failure: Error | undefined;

  const rest = () => callOff?.();
  const watch = () => {
    rest();
    callOff = after(timeoutMs, () =>
      stop.abort(new TimeoutError(`The upload stood still for ${timeoutMs} ms and was given up.`)),
    );
  };

  async function* stream() {
    let sentBytes = 0;
    let given = false;
    complete = false;
    try {
      for await (const chunk of file.stream()) {
        watch();
        given = true;
        yield chunk;
        given = false;
        rest();
        if (listen && sentBytes === 0) await sleep(EARLY_RESPONSE_WAIT_MS);
        sentBytes += chunk.byteLength;
        onProgress?.({ sentBytes, totalBytes: file.size });
      }
      complete = true;
      watch();
    } catch (error) {
      // Thrown in by whoever reads it: a fault of the network, or the end of the client.
      if (given) throw error;
      failure ??= error instanceof Error ? error : new Error('The file could not be read.', { cause: error });
      // Not a fault of the network: nothing may be sent again for it.
      stop.abort(failure);
      throw error;
    } finally {
      if (!complete) rest();
    }
  }

  return { stream, signal: stop.signal, watch, rest, isComplete: () => complete, failure: () => failure };
}
