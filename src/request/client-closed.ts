import { NetworkError } from '../errors.ts';
import { CLIENT_CLOSED_CODE, isRequestUnsent } from '../retry/retry.ts';

/** Explains a wait that closing the client ended, starting with `prefix`; returns other errors unchanged. */
export function explainClientClosed(
  error: unknown,
  { closing }: { readonly closing?: AbortSignal | undefined },
  prefix: string,
): unknown {
  if (!closing?.aborted || error !== closing.reason) return error;
  return new NetworkError(`${prefix}, because the client is closed.`, CLIENT_CLOSED_CODE);
}

export function createClientClosedError(): NetworkError {
  return new NetworkError('The client is closed.', CLIENT_CLOSED_CODE);
}

/** Error of an attempt that closing the client ended, whatever its transport reports. */
export function toClientClosedError(cause: unknown): NetworkError {
  return Object.assign(createClientClosedError(), isRequestUnsent(cause) ? { unsent: true } : {});
}
