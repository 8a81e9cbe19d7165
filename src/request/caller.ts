import { DocshareError, InputError } from '../errors.ts';
import { excerpt } from '../redact/redact.ts';
import type { RequestOptions } from './client-context.ts';

/** Where a method of the client was called, told only where something goes wrong. */
export interface Caller {
  readonly stack?: string;
}

/** @param method what the caller called: its own line and all below it are left out. */
export function captureCaller(method: (...args: never[]) => unknown): Caller {
  const caller: Caller = {};
  Error.captureStackTrace(caller, method);
  return caller;
}

/** Runs a method of the client: everything thrown is a `DocshareError` that leads to the caller's line, or the caller's reason. */
export async function runForCaller<Result>(
  caller: Caller,
  call: { name: string; options: RequestOptions },
  action: () => Promise<Result>,
): Promise<Result> {
  const { name, options } = call;
  try {
    checkSignal(name, options);
    return await action();
  } catch (error) {
    if (options?.signal?.aborted && error === options.signal.reason) throw error;
    const docshareError =
      error instanceof DocshareError
        ? error
        : new DocshareError(
            `${name}: ${describeError(error)} (thrown by what was handed in: see \`cause\`).`,
            {
              cause: error,
            },
          );
    throw setCallerStack(caller, docshareError);
  }
}

/** A source that broke off, an `onProgress` that threw: in its own words, as far as one line goes. */
function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return excerpt(message.split('\n', 1)[0] ?? '', { limit: 200 }) || 'something failed';
}

function checkSignal(name: string, options: RequestOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new InputError(`${name}: the options must be an object, such as { signal, timeoutMs }.`);
  const { signal } = options;
  // By its form: test runners have classes of their own.
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  if (signal !== undefined && !isSignal)
    throw new InputError(`${name}: the option signal must be an AbortSignal.`);
}

/**
 * What stands below a call are this library's own lines and those of its queue: nobody's line but the caller's helps. The
 * outermost call leads: those that an upload makes of its own were made by nobody.
 */
function setCallerStack({ stack = '' }: Caller, error: DocshareError): DocshareError {
  const frames = stack.indexOf('\n');
  if (frames >= 0) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`;
  return error;
}
