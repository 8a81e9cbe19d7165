import { describe, expect, test, vi } from 'vitest';
import {
  DEFAULT_RETRY,
  getBackoffMs,
  getErrorCode,
  isClientClosed,
  isOutcomeUnknown,
  isPermanentFailure,
  isRepeatable,
  isRequestUnsent,
  isRetryableStatus,
  mayHaveRun,
} from '../../../../src/retry/retry.ts';
import { parseRetryAfterMs } from '../../../../src/retry/retry-after.ts';

const STATUSES = Array.from({ length: 200 }, (_, at) => 400 + at);
const PASSING = [408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527];
const NOT_RUN = [425, 429, 529];

test('GET, PUT and DELETE are idempotent, POST and PATCH are not', () => {
  expect(['GET', 'PUT', 'DELETE', 'POST', 'PATCH'].filter(isRepeatable)).toEqual(['GET', 'PUT', 'DELETE']);
});

test('a repeatable call is retried after a temporary failure, any call if it did not run, and no call otherwise', () => {
  expect(STATUSES.filter((status) => isRetryableStatus(status, true))).toEqual(
    [...PASSING, ...NOT_RUN].toSorted((a, b) => a - b),
  );
  expect(STATUSES.filter((status) => isRetryableStatus(status, false))).toEqual(NOT_RUN);
});

test('a request may have run after any failure of the service and after a timeout', () => {
  expect(STATUSES.filter(mayHaveRun)).toEqual([408, ...STATUSES.filter((status) => status >= 500)]);
});

describe('the outcome of a write is unknown', () => {
  const open = (effect: 'create' | 'read' | 'send', repeatable: boolean) =>
    STATUSES.filter((status) => isOutcomeUnknown(status, effect, repeatable));

  test("after a timeout, a gateway error or an error of the edge, but not after the service's own error", () => {
    const gateway = [408, 502, 504, 520, 521, 522, 523, 524, 525, 526, 527];
    expect(open('create', false)).toEqual(gateway);
    expect(open('send', false)).toEqual(gateway);
  });
  test('but never for a read or a repeatable write', () => {
    expect([...open('read', false), ...open('create', true)]).toEqual([]);
  });
});

const fault = (code: string) => Object.assign(new Error('x'), { code });

/** A code, whether nothing was sent, whether a retry must fail too, whether this side is closed. */
test.each([
  ['ECONNREFUSED', true, false, false],
  ['EAI_AGAIN', true, false, false],
  ['UND_ERR_CONNECT_TIMEOUT', true, false, false],
  ['ECONNRESET', false, false, false],
  ['ETIMEDOUT', false, false, false],
  ['UND_ERR_SOCKET', false, false, false],
  ['CERT_HAS_EXPIRED', true, true, false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true, true, false],
  ['SELF_SIGNED_CERT_IN_CHAIN', true, true, false],
  ['INVALID_CAUSE', false, false, false],
  ['HOSTNAME_MISMATCH', true, true, false],
  ['ERR_INVALID_URL', true, true, false],
  ['UND_ERR_INVALID_ARG', true, true, false],
  ['UND_ERR_DESTROYED', false, true, true],
  ['UND_ERR_CLOSED', false, true, true],
])('an error with the code %s: unsent %j, permanent %j, closed %j', (code, unsent, lasting, closed) => {
  const told = getErrorCode(fault(code));
  expect([isRequestUnsent(fault(code)), isPermanentFailure(told), isClientClosed(told)]).toEqual([
    unsent,
    lasting,
    closed,
  ]);
  expect(told).toBe(closed ? 'CLIENT_CLOSED' : code);
});

test('a transport may report that nothing was sent, only with the value true', () => {
  expect(isRequestUnsent(Object.assign(new Error('x'), { unsent: true }))).toBe(true);
  expect(isRequestUnsent(Object.assign(new Error('x'), { unsent: 1 }))).toBe(false);
  expect(isRequestUnsent({ unsent: true })).toBe(false);
  expect(isRequestUnsent(undefined)).toBe(false);
  expect([isPermanentFailure(undefined), isClientClosed(undefined)]).toEqual([false, false]);
});

/** An error whose code is this many causes below it. */
const nested = (depth: number): Error =>
  depth === 0 ? fault('ECONNRESET') : new Error('outer', { cause: nested(depth - 1) });

test.each([
  ['its own', fault('EPIPE'), 'EPIPE'],
  ['its own, not that of its cause', Object.assign(nested(1), { code: 'EPIPE' }), 'EPIPE'],
  ['that of its third cause', nested(3), 'ECONNRESET'],
  ['not that of its fourth cause', nested(4), undefined],
  ['that of the first of many addresses', new AggregateError([fault('ECONNREFUSED'), fault('EPIPE')]), 'ECONNREFUSED'],
  ['not a sentence', fault('it broke'), undefined],
  ['not two letters', fault('EP'), undefined],
  ['41 letters', fault(`E${'X'.repeat(40)}`), `E${'X'.repeat(40)}`],
  ['not 42 letters', fault(`E${'X'.repeat(41)}`), undefined],
  ['not that of a plain object', { code: 'EPIPE' }, undefined],
])('the code of an error is %s', (_, error, code) => {
  expect(getErrorCode(error)).toBe(code);
});

test('the backoff doubles from 400 ms up to its maximum, with jitter over its upper half', () => {
  const policy = DEFAULT_RETRY;
  const between = (attempt: number) =>
    [0, 0.5, 1 - Number.EPSILON].map((at) => {
      vi.spyOn(Math, 'random').mockReturnValue(at);
      return Math.round(getBackoffMs(attempt, policy));
    });
  expect([0, 1, 2, 3].map(between)).toEqual([
    [200, 300, 400],
    [400, 600, 800],
    [800, 1200, 1600],
    [1600, 2400, 3200],
  ]);
  expect(between(20)).toEqual([60_000, 90_000, 120_000]);
  expect(policy).toEqual({ retries: 3, baseDelayMs: 400, maxDelayMs: 120_000 });
});

/** A whole second, so that dates without milliseconds are exact. */
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const at = (ms: number) => new Date(NOW + ms);
const S = 1000;

test.each<[string, Record<string, string>, number | undefined]>([
  ['nothing', {}, undefined],
  ['seconds', { 'retry-after': '7' }, 7 * S],
  ['a fraction of a second', { 'retry-after': ' 0.5 ' }, 500],
  ['zero', { 'retry-after': '0' }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a number before words', { 'retry-after': '7 apples' }, undefined],
  ['an impossible day', { 'retry-after': 'Sat, 99 Nov 2026 12:00:30 GMT' }, undefined],
  ['Unix seconds', { 'retry-after': String((NOW + 4 * S) / S) }, 4 * S],
  ['Unix milliseconds', { 'retry-after': String(NOW + 4321) }, 4321],
  ['a day', { 'retry-after': '86400' }, 86_400 * S],
  ['more than a day', { 'retry-after': '86401' }, 86_400 * S],
  ['a date years ahead', { 'retry-after': 'Sun, 21 Nov 2100 12:00:00 GMT' }, 86_400 * S],
  ['a number too large to represent', { 'retry-after': '9'.repeat(400) }, undefined],
  ['a date', { 'retry-after': at(9 * S).toUTCString() }, 9 * S],
  ['a past date', { 'retry-after': at(-S).toUTCString() }, undefined],
  ['an RFC 850 date', { 'retry-after': 'Saturday, 21-Nov-26 12:00:04 GMT' }, 4 * S],
  ['an asctime date, which is in GMT', { 'retry-after': 'Sat Nov 21 12:00:03 2026' }, 3 * S],
  ['a date with an offset', { 'retry-after': 'Sat, 21 Nov 2026 13:00:05 +0100' }, 5 * S],
  ['ISO 8601', { 'retry-after': at(2500).toISOString() }, 2500],
  ['a date after other text', { 'retry-after': `x ${at(9 * S).toUTCString()}` }, undefined],
  ['a date without a weekday and time', { 'retry-after': '21 Nov 2030' }, undefined],
  ['RateLimit', { ratelimit: '"default";r=0;t=8' }, 8 * S],
  ['RateLimit of an older draft', { ratelimit: 'limit=10, remaining=0, reset=6' }, 6 * S],
  ['RateLimit without a time', { ratelimit: '"default";r=0' }, undefined],
  ['RateLimit with similar names', { ratelimit: '"default";reset_at=6;part=9' }, undefined],
  ['ratelimit-reset', { 'ratelimit-reset': '5' }, 5 * S],
  ['retry-after-ms', { 'retry-after-ms': '250' }, 250],
  ['x-ratelimit-reset as Unix seconds', { 'x-ratelimit-reset': String((NOW + 4 * S) / S) }, 4 * S],
  ['x-ratelimit-reset as Unix milliseconds', { 'x-ratelimit-reset': String(NOW + 4321) }, 4321],
  ['x-ratelimit-reset as a date', { 'x-ratelimit-reset': at(3 * S).toUTCString() }, 3 * S],
  ['x-ratelimit-reset as seconds from now, up to 1e9', { 'x-ratelimit-reset': '1000000000' }, 86_400 * S],
  ['x-ratelimit-reset in the past', { 'x-ratelimit-reset': String((NOW - 4 * S) / S) }, undefined],
  ['Retry-After before all others', { 'retry-after': '2', ratelimit: 't=3', 'ratelimit-reset': '4' }, 2 * S],
  ['the next header if the first one has no wait', { 'retry-after': '0', ratelimit: 't=3' }, 3 * S],
  ['the next reset if one has no wait', { 'retry-after-ms': '0', 'x-ratelimit-reset': '4' }, 4 * S],
])('the wait of %s', (_, headers, wait) => {
  expect(parseRetryAfterMs(headers, NOW)).toBe(wait);
});
