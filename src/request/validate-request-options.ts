import { InputError } from '../errors.ts';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry/retry.ts';
import type { RequestOptions } from './client-context.ts';

type NumericOptions = Pick<
  RequestOptions,
  'timeoutMs' | 'deadlineMs' | 'maxWaitMs' | 'retries' | 'priority'
> & {
  readonly lifetimeMs?: number | undefined;
};

/** @throws InputError that names an option whose number means nothing: a clock of NaN would never end. */
export function validateRequestOptions(options: NumericOptions): void {
  const { timeoutMs, deadlineMs, lifetimeMs, maxWaitMs, retries, priority } = options;
  if (timeoutMs !== undefined && !isNumberInRange(timeoutMs, timeoutMs > 0))
    throw createRangeError('timeoutMs', 'more than 0 milliseconds');
  if (deadlineMs !== undefined && !isNumberInRange(deadlineMs, deadlineMs > 0))
    throw createRangeError('deadlineMs', 'more than 0 milliseconds');
  if (lifetimeMs !== undefined && !isNumberInRange(lifetimeMs, lifetimeMs > 0))
    throw createRangeError('lifetimeMs', 'more than 0 milliseconds');
  if (maxWaitMs !== undefined && !isNumberInRange(maxWaitMs, maxWaitMs >= 0))
    throw createRangeError('maxWaitMs', '0 milliseconds or more');
  if (retries !== undefined && !isNumberInRange(retries, retries >= 0))
    throw createRangeError('retries', '0 or more');
  if (priority !== undefined && !Number.isFinite(priority)) throw createRangeError('priority', 'a number');
}

/** @throws InputError that names a part whose number means nothing. */
export function toRetryPolicy(
  options: { readonly [Key in keyof RetryPolicy]?: RetryPolicy[Key] | undefined },
): RetryPolicy {
  const {
    retries = DEFAULT_RETRY.retries,
    baseDelayMs = DEFAULT_RETRY.baseDelayMs,
    maxDelayMs = DEFAULT_RETRY.maxDelayMs,
  } = options;
  const policy = { retries, baseDelayMs, maxDelayMs };
  for (const [name, value] of Object.entries(policy))
    if (!isNumberInRange(value, value >= 0)) throw createRangeError(`retry.${name}`, '0 or more');
  return policy;
}

/** A text that reads as a number is none: arithmetic with it would give something else. */
function isNumberInRange(value: unknown, isInRange: boolean): boolean {
  return typeof value === 'number' && isInRange;
}

function createRangeError(name: string, expected: string): InputError {
  return new InputError(`${name} must be ${expected}.`);
}
