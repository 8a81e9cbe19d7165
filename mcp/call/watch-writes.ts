import type { RequestOptions } from '../../src/index.ts';
import { ToolError } from '../tool-error.ts';

/** These leave nothing behind at the service that anybody sees: what they begin, a later call registers. */
const BEGINNINGS: readonly string[] = ['documents.startUpload'];

/** Notes whether a call has asked the service for a change, so that one that is cancelled says what it left. */
export function watchWrites({ signal, onWait }: RequestOptions & { readonly signal: AbortSignal }) {
  let written = 0;
  let asked = false;
  const options: RequestOptions = {
    signal,
    onWait,
    onRequest({ operation, method }) {
      asked = method !== 'GET' && !BEGINNINGS.includes(operation);
      if (asked) written += 1;
    },
    onResponse({ status }) {
      // What was refused did not happen.
      if (asked && status >= 400 && status < 500 && status !== 408) written -= 1;
    },
  };
  return {
    options,
    /** @throws ToolError instead of the bare abort: `cancelled` where nothing was asked for, else `unknown_outcome`. */
    async explained<Result>(act: () => Promise<Result>): Promise<Result> {
      try {
        return await act();
      } catch (error) {
        if (!signal.aborted) throw error;
        throw written > 0
          ? new ToolError(
              'unknown_outcome',
              'The call was cancelled after the service was asked: it may have happened. Look before you repeat it.',
            )
          : new ToolError(
              'cancelled',
              'The call was cancelled before the service was asked; nothing was done.',
            );
      }
    },
  };
}
