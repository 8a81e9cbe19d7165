import { ToolError } from '../tool-error.ts';

/** What the calls of a server are told of its end; all three abort with the error of a call that did nothing. */
export interface ServerEnd {
  /** Aborts as soon as it begins: nobody can answer a form any more, and a wait would come to nothing. */
  readonly begun: AbortSignal;
  /** Aborts when the time of what changes nothing is over. */
  readonly reads: AbortSignal;
  /** Aborts when the time of what may have changed something is over too. */
  readonly writes: AbortSignal;
  begin(time: { readonly readsMs: number; readonly writesMs: number }): void;
}

export function createServerEnd(): ServerEnd {
  const [begun, reads, writes] = [new AbortController(), new AbortController(), new AbortController()];
  return {
    begun: begun.signal,
    reads: reads.signal,
    writes: writes.signal,
    begin({ readsMs, writesMs }) {
      const reason = new ToolError(
        'cancelled',
        'The server was told to end, so the call was given up; nothing was done.',
      );
      begun.abort(reason);
      if (readsMs === 0) reads.abort(reason);
      else setTimeout(() => reads.abort(reason), readsMs).unref();
      setTimeout(() => writes.abort(reason), writesMs).unref();
    },
  };
}
