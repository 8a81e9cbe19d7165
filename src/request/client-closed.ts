import { NetworkError } from '../errors.ts';
import { CLIENT_CLOSED_CODE, isRequestUnsent } from '../retry/retry.ts';

/** A wait that the client's end has ended, in words that begin with `prefix`; any other error as it is. */
export function explainClientClosed(
  error: unknown,
  { closing }: { readonly closing?: AbortSignal | undefined },
  prefix: string,
): unknown {
  if (!closing?.aborted || error !== closing.reason) return error;
  return new NetworkError(`${prefix}, because the client is closed.`, CLIENT_CLOSED_CODE);
}

/** What a client that is closed ends everything with. */
export function createClientClosedError(): NetworkError {
  return new NetworkError('The client is closed.', CLIENT_CLOSED_CODE);
}

/** The fault of an attempt that the client's end has ended, whatever its transport says to that. */
export function toClientClosedError(cause: unknown): NetworkError {
  return Object.assign(createClientClosedError(), isRequestUnsent(cause) ? { unsent: true } : {});
}
