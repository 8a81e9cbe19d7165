import { InputError } from '../errors.ts';
import { checkOptionNames } from '../option-names.ts';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry/retry.ts';
import type { RequestOptions } from './client-context.ts';

type NumericOptions = Pick<RequestOptions, 'timeoutMs' | 'deadlineMs' | 'maxWaitMs' | 'retries' | 'priority'> & {
  readonly lifetimeMs?: number | undefined;
};

/** @throws InputError that names an invalid option: a timeout of NaN would never end. */
export function validateRequestOptions(options: NumericOptions): void {
  for (const name of ['timeoutMs', 'deadlineMs', 'lifetimeMs'] as const)
    checkNumber(name, options[name], { isValid: (value) => value > 0, expected: 'more than 0 milliseconds' });
  const isNotNegative = (value: number) => value >= 0;
  checkNumber('maxWaitMs', options.maxWaitMs, { isValid: isNotNegative, expected: '0 milliseconds or more' });
  const isWhole = (value: number) => value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
  checkNumber('retries', options.retries, { isValid: isWhole, expected: 'a whole number, 0 or more' });
  checkNumber('priority', options.priority, { isValid: Number.isFinite, expected: 'a number' });
}

/** @throws InputError that names an invalid option. */
export function toRetryPolicy(
  options: { readonly [Key in keyof RetryPolicy]?: RetryPolicy[Key] | undefined },
): RetryPolicy {
  checkOptionNames('createClient: retry', options, { retries: true, baseDelayMs: true, maxDelayMs: true });
  const {
    retries = DEFAULT_RETRY.retries,
    baseDelayMs = DEFAULT_RETRY.baseDelayMs,
    maxDelayMs = DEFAULT_RETRY.maxDelayMs,
  } = options;
  const policy = { retries, baseDelayMs, maxDelayMs };
  for (const [name, value] of Object.entries(policy))
    checkNumber(`retry.${name}`, value, { isValid: (one) => one >= 0, expected: '0 or more' });
  return policy;
}

function checkNumber(
  name: string,
  value: unknown,
  { isValid, expected }: { isValid: (value: number) => boolean; expected: string },
): void {
  if (value !== undefined && !(typeof value === 'number' && isValid(value)))
    throw new InputError(`${name} must be ${expected}.`);
}
