import { NetworkError } from '../errors.ts';
import { CLOSED_CODE, isUnsent } from '../retry/retry.ts';

/** A wait that the client's end has ended, in words that begin with `what`; any other error as it is. */
export function explainClosed(
  error: unknown,
  { closing }: { readonly closing?: AbortSignal | undefined },
  what: string,
): unknown {
  if (!closing?.aborted || error !== closing.reason) return error;
  return new NetworkError(`${what}, because the client is closed.`, CLOSED_CODE);
}

/** What a client that is closed ends everything with. */
export function closedReason(): NetworkError {
  return new NetworkError('The client is closed.', CLOSED_CODE);
}

/** The fault of an attempt that the client's end has ended, whatever its transport says to that. */
export function closedFault(word: unknown): NetworkError {
  return Object.assign(closedReason(), isUnsent(word) ? { unsent: true } : {});
}
