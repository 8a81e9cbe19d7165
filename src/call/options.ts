import { InputError } from '../errors.ts';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry/retry.ts';
import type { RequestOptions } from './context.ts';

type Clocks = Pick<RequestOptions, 'timeoutMs' | 'deadlineMs' | 'maxWaitMs' | 'retries' | 'priority'> & {
  readonly lifetimeMs?: number | undefined;
};

/** @throws InputError that names an option whose number means nothing: a clock of NaN would never end. */
export function checkOptions(clocks: Clocks): void {
  const { timeoutMs, deadlineMs, lifetimeMs, maxWaitMs, retries, priority } = clocks;
  if (timeoutMs !== undefined && !isNumber(timeoutMs, timeoutMs > 0))
    throw refused('timeoutMs', 'more than 0 milliseconds');
  if (deadlineMs !== undefined && !isNumber(deadlineMs, deadlineMs > 0))
    throw refused('deadlineMs', 'more than 0 milliseconds');
  if (lifetimeMs !== undefined && !isNumber(lifetimeMs, lifetimeMs > 0))
    throw refused('lifetimeMs', 'more than 0 milliseconds');
  if (maxWaitMs !== undefined && !isNumber(maxWaitMs, maxWaitMs >= 0))
    throw refused('maxWaitMs', '0 milliseconds or more');
  if (retries !== undefined && !isNumber(retries, retries >= 0)) throw refused('retries', '0 or more');
  if (priority !== undefined && !Number.isFinite(priority)) throw refused('priority', 'a number');
}

/** @throws InputError that names a part whose number means nothing. */
export function checkRetry(
  given: { readonly [Key in keyof RetryPolicy]?: RetryPolicy[Key] | undefined },
): RetryPolicy {
  const {
    retries = DEFAULT_RETRY.retries,
    baseDelayMs = DEFAULT_RETRY.baseDelayMs,
    maxDelayMs = DEFAULT_RETRY.maxDelayMs,
  } = given;
  const policy = { retries, baseDelayMs, maxDelayMs };
  for (const [name, value] of Object.entries(policy))
    if (!isNumber(value, value >= 0)) throw refused(`retry.${name}`, '0 or more');
  return policy;
}

/** A text that reads as a number is none: arithmetic with it would give something else. */
function isNumber(value: unknown, holds: boolean): boolean {
  return typeof value === 'number' && holds;
}

function refused(name: string, wanted: string): InputError {
  return new InputError(`${name} must be ${wanted}.`);
}
