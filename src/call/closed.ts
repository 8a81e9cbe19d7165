import { NetworkError } from '../errors.ts';
import { CLOSED_CODE } from '../retry/retry.ts';

/** A wait that the client's end has ended, in words that begin with `what`; any other error as it is. */
export function explainClosed(
  error: unknown,
  { closing }: { readonly closing?: AbortSignal | undefined },
  what: string,
): unknown {
  if (!closing?.aborted || error !== closing.reason) return error;
  return new NetworkError(`${what}, because the client is closed.`, CLOSED_CODE);
}
