import { DocshareError, InputError } from '../errors.ts';
import { checkOptionNames } from '../option-names.ts';
import { createExcerpt } from '../redact/redact.ts';
import { REQUEST_OPTION_NAMES, type RequestOptions } from './client-context.ts';

/** Call site of a list, whose requests begin later than its call; other call sites are read when a call fails. */
export interface Caller {
  readonly stack?: string;
}

/** @param method the called function: its frame and those below are left out. */
export function captureCaller(method: (...args: never[]) => unknown): Caller {
  const caller: Caller = {};
  Error.captureStackTrace(caller, method);
  return caller;
}

/** Runs a client method: errors become `DocshareError`s with the caller's stack, except abort reasons. */
export async function runForCaller<Result>(
  { name, options, caller }: { name: string; options: RequestOptions; caller?: Caller | undefined },
  action: () => Promise<Result>,
  optionNames: Readonly<Record<string, true>> = REQUEST_OPTION_NAMES,
): Promise<Result> {
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
    // Only after a pause does V8 know who awaits this call: the stack of each call would cost more than most calls.
    await undefined;
    throw setCallerStack(caller ?? captureCaller(runForCaller), docshareError);
  }
}

/** First line of a foreign error, such as a failed stream or `onProgress`. */
function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return createExcerpt(message.split('\n', 1)[0] ?? '', { limit: 200 }) || 'unknown error';
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
  const frames = stack.split('\n').filter((line, index) => index > 0 && !line.includes('(node:internal/'));
  if (frames.length > 0) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
