import { expect, test } from 'vitest';
import { parseRetryAfterMs } from '../../../../src/retry/retry-after.ts';

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
])('%s', (_, headers, wait) => {
  expect(parseRetryAfterMs(headers, NOW)).toBe(wait);
});
