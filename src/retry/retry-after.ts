import { RESET_HEADERS } from '../assumptions/index.ts';

/** Longer pauses are retried after a day: the service's clock may be wrong. */
export const MAX_PAUSE_MS = 24 * 3_600_000;

/**
 * Returns the wait that a response asks for, in any usual form: `RateLimit` (`t=`); `Retry-After`,
 * `RateLimit-Reset` and `X-RateLimit-Reset` in seconds, as a date, or as Unix seconds or milliseconds. At
 * most a day.
 * @returns milliseconds; undefined without a future time: zero, past and malformed values are ignored.
 */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const parseHeader = (name: string) => parseResetMs(name, headers[name] ?? '', now);
  const rateLimitSeconds = headers['ratelimit']?.match(/(?:^|[;,\s])(?:t|reset)=(\d+)/)?.[1];
  const candidates = [parseHeader('retry-after'), Number(rateLimitSeconds) * 1000, ...RESET_HEADERS.map(parseHeader)];
  const waitMs = candidates.find((ms) => ms > 0 && Number.isFinite(ms));
  return waitMs === undefined ? undefined : Math.min(waitMs, MAX_PAUSE_MS);
}

/** Returns NaN for a malformed value. */
function parseResetMs(name: string, value: string, now: number): number {
  if (!isNumber(value)) return parseDate(value) - now;
  const number = Number(value);
  if (name.endsWith('-ms')) return number;
  if (number > 1e12) return number - now;
  if (number > 1e9) return number * 1000 - now;
  return number * 1000;
}

function isNumber(text: string): boolean {
  return /^\s*\d+(\.\d+)?\s*$/.test(text);
}

/** Parses the three HTTP date forms (RFC 9110) and ISO 8601; `Date.parse` alone accepts almost any text. */
function parseDate(text: string): number {
  const date = text.trim();
  if (/^\d{4}-\d\d-\d\dT/i.test(date)) return Date.parse(date);
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(date)) return Number.NaN;
  // The oldest form has no time zone and means GMT.
  return Date.parse(/ (?:gmt|utc|[+-]\d{4})$/i.test(date) ? date : `${date} GMT`);
}
