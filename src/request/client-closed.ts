import { NetworkError } from '../errors.ts';
import { CLIENT_CLOSED_CODE, isRequestUnsent } from '../retry/retry.ts';
import { type Cancellation, createCancellation, releaseCancellation } from './cancellation.ts';

interface Closable {
  readonly closing?: AbortSignal | undefined;
}

/** Runs a transfer until it ends, the caller aborts it or the client is closed; `name` starts that error. */
export async function runUntilClosed<Result>(
  context: Closable,
  { name, signal }: { name: string; signal: AbortSignal | undefined },
  run: (cancellation: Cancellation) => Promise<Result>,
): Promise<Result> {
  const cancellation = createCancellation(signal, context.closing);
  try {
    return await run(cancellation);
  } catch (error) {
    throw explainClientClosed(error, context, `${name}: not sent again`);
  } finally {
    releaseCancellation(cancellation);
  }
}

/** Explains a wait that closing the client ended, starting with `prefix`; returns other errors unchanged. */
export function explainClientClosed(error: unknown, { closing }: Closable, prefix: string): unknown {
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
