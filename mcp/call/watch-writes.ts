import type { RequestOptions } from '../../src/index.ts';
import { onAbort } from '../../src/timer.ts';
import { ToolError } from '../tool-error.ts';
import type { ServerEnd } from './server-end.ts';

/** These leave nothing behind at the service that anybody sees: what they begin, a later call registers. */
const BEGINNINGS: readonly string[] = ['documents.startUpload'];

/**
 * Notes whether a call has asked the service for a change, so that one that is cancelled says what it left. When the server
 * ends, it ends at once where it waits, and else in the time that it has: longer once a change was asked for.
 */
export function watchWrites({
  signal: caller,
  end,
  onWait,
}: Pick<RequestOptions, 'onWait'> & { readonly signal: AbortSignal; readonly end?: ServerEnd | undefined }) {
  let begun = 0;
  let written = 0;
  let last = { begun: 0, written: 0 };
  let waits = false;
  const control = new AbortController();
  const { signal } = control;
  const endWait = () => waits && begun === 0 && control.abort(end?.begun.reason);
  const forget = [
    endWith(caller, () => control.abort(caller.reason)),
    endWith(end?.begun, endWait),
    endWith(end?.reads, () => begun === 0 && control.abort(end?.reads.reason)),
    endWith(end?.writes, () => control.abort(end?.writes.reason)),
  ];
  const options: RequestOptions = {
    signal,
    onWait(wait) {
      waits = true;
      onWait?.(wait);
      if (end?.begun.aborted) endWait();
    },
    onRequest({ operation, method }) {
      waits = false;
      const isChange = method !== 'GET';
      last = { begun: Number(isChange), written: Number(isChange && !BEGINNINGS.includes(operation)) };
      begun += last.begun;
      written += last.written;
    },
    onResponse({ status }) {
      if (status < 400 || status >= 500 || status === 408) return;
      // What was refused did not happen.
      begun -= last.begun;
      written -= last.written;
    },
  };
  return {
    signal,
    options,
    /** Aborts with the call, and as soon as nobody can answer a form any more. */
    asking: () => (end ? AbortSignal.any([signal, end.begun]) : signal),
    /** @throws ToolError instead of the bare abort: `cancelled` where nothing was asked for, else `unknown_outcome`. */
    async explained<Result>(act: () => Promise<Result>): Promise<Result> {
      try {
        return await act();
      } catch (error) {
        if (!signal.aborted) throw error;
        const what = caller.aborted ? 'The call was cancelled' : 'The server was told to end';
        throw written > 0
          ? new ToolError(
              'unknown_outcome',
              `${what} after the service was asked: it may have happened. Look before you repeat it.`,
            )
          : new ToolError(
              'cancelled',
              begun > 0
                ? `${what} while a file was on its way: parts of it may have been stored, and no record was made.`
                : `${what} before the service was asked; nothing was done.`,
            );
      }
    },
    /** Lets go of the signals. */
    release: () => forget.forEach((callOff) => void callOff()),
  };
}

function endWith(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  return signal && !signal.aborted ? onAbort(signal, act) : () => undefined;
}
