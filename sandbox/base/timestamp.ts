import { z } from 'zod';
import { MAX_TIMESTAMP } from './clock.ts';

const day = z.iso.date();
const time = z.iso.datetime({ offset: true, local: true });

/**
 * Returns epoch milliseconds of a date or of ISO 8601 text (UTC without a time zone).
 *
 * @throws RangeError for an invalid date, such as February 30
 */
export function parseTimestamp(input: unknown): number {
  const at = typeof input === 'string' ? parseIsoText(input) : toEpochMs(input);
  if (at >= 0 && at <= MAX_TIMESTAMP) return at;
  throw new RangeError(
    `The clock can't start at "${String(input).slice(0, 100)}": use a date such as 2026-01-01T09:00Z`,
  );
}

/** Validates first: `Date.parse` accepts "-1", and reads text without a time zone as local time. */
function parseIsoText(input: string): number {
  const text = input.trim().toUpperCase().replace(' ', 'T');
  if (day.safeParse(text).success) return Date.parse(text);
  const completeText = text.replace(/^(.{10}T\d\d:\d\d)(?!:)/, '$1:00');
  if (!time.safeParse(completeText).success) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(completeText) ? completeText : `${completeText}Z`);
}

function toEpochMs(input: unknown): number {
  return typeof input === 'number' || input instanceof Date ? Number(input) : Number.NaN;
}
