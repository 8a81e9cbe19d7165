import { RESET_HEADERS } from '../assumptions/index.ts';

/**
 * Milliseconds that an answer asks to wait, in any usual form: `Retry-After` as seconds or a date, `RateLimit` (`t=`),
 * `RateLimit-Reset` and `X-RateLimit-Reset` as seconds from now, Unix seconds or Unix milliseconds.
 * @returns undefined where no header says anything readable; never negative.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const wait = /^\s*\d+(\.\d+)?\s*$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now;
    if (Number.isFinite(wait)) return Math.max(0, wait);
  }
  const limit = headers['ratelimit']?.match(/(?:^|[;,\s])(?:t|reset)=(\d+)/)?.[1];
  if (limit !== undefined) return Number(limit) * 1000;
  for (const name of RESET_HEADERS) {
    const wait = readReset(name, headers[name], now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

function readReset(name: string, value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) {
    const date = Date.parse(value);
    return Number.isFinite(date) ? Math.max(0, date - now) : undefined;
  }
  if (name.endsWith('-ms')) return Math.max(0, number);
  if (number > 1e12) return Math.max(0, number - now);
  if (number > 1e9) return Math.max(0, number * 1000 - now);
  return Math.max(0, number * 1000);
}
