import { z } from 'zod';
import { LATEST } from './clock.ts';

const day = z.iso.date();
const time = z.iso.datetime({ offset: true, local: true });

/**
 * Epoch milliseconds of a date, or of a day or time in ISO 8601. One that names no zone is in UTC, wherever the machine stands.
 *
 * @throws RangeError for what is none, such as the 30th of February
 */
export function readMoment(moment: unknown): number {
  const at = typeof moment === 'string' ? parseMoment(moment) : ofClock(moment);
  if (at >= 0 && at <= LATEST) return at;
  const given = typeof moment === 'string' ? moment.slice(0, 100) : String(moment);
  throw new RangeError(`The clock can't start at "${given}": give a date such as 2026-01-01T09:00Z`);
}

/** The parser of dates makes something of nearly anything: of -1, the year 2001; of what names no zone, another time in each country. */
function parseMoment(given: string): number {
  const text = given.trim().toUpperCase().replace(' ', 'T');
  if (day.safeParse(text).success) return Date.parse(text);
  // Seconds may be left out.
  const whole = text.replace(/^(.{10}T\d\d:\d\d)(?!:)/, '$1:00');
  if (!time.safeParse(whole).success) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(whole) ? whole : `${whole}Z`);
}

function ofClock(moment: unknown): number {
  return typeof moment === 'number' || moment instanceof Date ? Number(moment) : Number.NaN;
}
