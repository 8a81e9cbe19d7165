/** What an answer's headers say about when to come back. */
import { expect, test } from 'vitest';
import { parseRetryAfterMs } from '../../../../src/retry/retry-after.ts';

/** A round second, so that dates of whole seconds are exact. */
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const at = (ms: number) => new Date(NOW + ms);
const S = 1000;

test.each<[string, Record<string, string>, number | undefined]>([
  ['nothing', {}, undefined],
  ['seconds', { 'retry-after': '7' }, 7 * S],
  ['parts of a second', { 'retry-after': ' 0.5 ' }, 500],
  ['smaller parts of a second', { 'retry-after': '0.125' }, 125],
  ['none', { 'retry-after': '0' }, undefined],
  ['less than none', { 'retry-after': '-3' }, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a number with words', { 'retry-after': '7 apples' }, undefined],
  ['a number of two points', { 'retry-after': '1.2.3' }, undefined],
  ['a number with an exponent', { 'retry-after': '1e3' }, undefined],
  ['nothing in the header', { 'retry-after': '' }, undefined],
  ['a number after words', { 'retry-after': 'in 9999' }, undefined],
  ['a day that no month has', { 'retry-after': 'Sat, 99 Nov 2026 12:00:30 GMT' }, undefined],
  ['Unix seconds', { 'retry-after': String((NOW + 4 * S) / S) }, 4 * S],
  ['Unix milliseconds', { 'retry-after': String(NOW + 4321) }, 4321],
  ['a day', { 'retry-after': '86400' }, 86_400 * S],
  ['more than a day', { 'retry-after': '86401' }, 86_400 * S],
  ['twenty digits', { 'retry-after': '9'.repeat(20) }, 86_400 * S],
  ['a date in years', { 'retry-after': 'Sun, 21 Nov 2100 12:00:00 GMT' }, 86_400 * S],
  ['a reset in years', { 'x-ratelimit-reset': String(NOW * 2) }, 86_400 * S],
  ['more than can be counted', { 'retry-after': '9'.repeat(400) }, undefined],
  ['a date', { 'retry-after': at(9 * S).toUTCString() }, 9 * S],
  ['a date that is now', { 'retry-after': at(0).toUTCString() }, undefined],
  ['a date gone by', { 'retry-after': at(-S).toUTCString() }, undefined],
  ['a date of RFC 850', { 'retry-after': 'Saturday, 21-Nov-26 12:00:04 GMT' }, 4 * S],
  ['a date of asctime, which means GMT', { 'retry-after': 'Sat Nov 21 12:00:03 2026' }, 3 * S],
  ['a date with an offset', { 'retry-after': 'Sat, 21 Nov 2026 13:00:05 +0100' }, 5 * S],
  ['a date in UTC', { 'retry-after': 'Sat, 21 Nov 2026 12:00:06 UTC' }, 6 * S],
  ['ISO 8601', { 'retry-after': at(2500).toISOString() }, 2500],
  ['ISO 8601 in small letters', { 'retry-after': at(2500).toISOString().toLowerCase() }, 2500],
  ['a year in other text', { 'retry-after': 'in 2030' }, undefined],
  ['a date behind other text', { 'retry-after': `x ${at(9 * S).toUTCString()}` }, undefined],
  ['a date with blanks around it', { 'retry-after': ` ${at(9 * S).toUTCString()} ` }, 9 * S],
  ['a month in other text', { 'retry-after': '21 Nov 2030' }, undefined],
  ['a day before the date', { 'retry-after': 'x 2030-01-01T00:00:00Z' }, undefined],
  ['RateLimit', { ratelimit: '"default";r=0;t=8' }, 8 * S],
  ['RateLimit at its start', { ratelimit: 't=8' }, 8 * S],
  ['RateLimit of more than nine seconds', { ratelimit: 't=18' }, 18 * S],
  ['RateLimit of the older draft', { ratelimit: 'limit=10, remaining=0, reset=6' }, 6 * S],
  ['RateLimit without a time', { ratelimit: '"default";r=0' }, undefined],
  ['RateLimit with another name that ends so', { ratelimit: '"default";reset_at=6;part=9' }, undefined],
  ['RateLimit that has none left to wait', { ratelimit: 't=0' }, undefined],
  ['ratelimit-reset', { 'ratelimit-reset': '5' }, 5 * S],
  ['retry-after-ms', { 'retry-after-ms': '250' }, 250],
  ['x-ratelimit-reset as Unix seconds', { 'x-ratelimit-reset': String((NOW + 4 * S) / S) }, 4 * S],
  ['x-ratelimit-reset as Unix milliseconds', { 'x-ratelimit-reset': String(NOW + 4321) }, 4321],
  ['x-ratelimit-reset as a date', { 'x-ratelimit-reset': at(3 * S).toUTCString() }, 3 * S],
  ['x-ratelimit-reset as seconds from now, up to 1e9', { 'x-ratelimit-reset': '1000000000' }, 86_400 * S],
  ['x-ratelimit-reset gone by', { 'x-ratelimit-reset': String((NOW - 4 * S) / S) }, undefined],
  ['Retry-After before all else', { 'retry-after': '2', ratelimit: 't=3', 'ratelimit-reset': '4' }, 2 * S],
  ['RateLimit before the resets', { ratelimit: 't=3', 'ratelimit-reset': '4' }, 3 * S],
  ['what follows where the first says nothing', { 'retry-after': '0', ratelimit: 't=3' }, 3 * S],
  ['the reset where RateLimit says nothing', { ratelimit: 't=0', 'ratelimit-reset': '4' }, 4 * S],
  [
    'nothing if none of them says anything',
    { 'retry-after': '0', 'ratelimit-reset': '0', 'x-ratelimit-reset': '-1' },
    undefined,
  ],
  ['the next reset where one says nothing', { 'retry-after-ms': '0', 'x-ratelimit-reset': '4' }, 4 * S],
])('%s', (_, headers, wait) => {
  expect(parseRetryAfterMs(headers, NOW)).toBe(wait);
});
