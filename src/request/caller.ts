import { DocshareError, InputError } from '../errors.ts';
import { checkOptionNames } from '../option-names.ts';
import { excerpt } from '../redact/redact.ts';
import { REQUEST_OPTION_NAMES, type RequestOptions } from './client-context.ts';

/** Call site of a client method, for error stacks. */
export interface Caller {
  readonly stack?: string;
}

/** @param method the called method: its frame and those below are left out. */
export function captureCaller(method: (...args: never[]) => unknown): Caller {
  const caller: Caller = {};
  Error.captureStackTrace(caller, method);
  return caller;
}

/** Runs a client method: errors become `DocshareError`s with the caller's stack, except abort reasons. */
export async function runForCaller<Result>(
  caller: Caller,
  call: { name: string; options: RequestOptions; optionNames?: Readonly<Record<string, true>> },
  action: () => Promise<Result>,
): Promise<Result> {
  const { name, options, optionNames = REQUEST_OPTION_NAMES } = call;
  try {
    checkOptions(name, options, optionNames);
    return await action();
  } catch (error) {
    if (options?.signal?.aborted && error === options.signal.reason) throw error;
    const docshareError =
      error instanceof DocshareError
        ? error
        : new DocshareError(`${name}: ${describeError(error)} (thrown by your callback; see \`cause\`).`, {
            cause: error,
          });
    throw setCallerStack(caller, docshareError);
  }
}

/** First line of a foreign error, such as a failed stream or `onProgress`. */
function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return excerpt(message.split('\n', 1)[0] ?? '', { limit: 200 }) || 'unknown error';
}

function checkOptions(name: string, options: RequestOptions, optionNames: Readonly<Record<string, true>>): void {
  checkOptionNames(name, options, optionNames);
  const { signal } = options;
  // Duck-typed: test runners have their own AbortSignal class.
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  if (signal !== undefined && !isSignal) throw new InputError(`${name}: the option signal must be an AbortSignal.`);
}

/**
 * The frames below a call are only library code, so the caller's replace them. The outermost call wins: the
 * inner calls of an upload have no caller.
 */
function setCallerStack({ stack = '' }: Caller, error: DocshareError): DocshareError {
  const frames = stack.indexOf('\n');
  if (frames >= 0) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`;
  return error;
}
