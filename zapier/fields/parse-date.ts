import type { TimeFormat } from '../platform/app-profile.ts';
import { InputError } from '../platform/client-core.ts';

/** False for a duration, such as `expires_in_days`. */
export function isDateFieldName(snakeName: string): boolean {
  return /^expir(?!.*_(?:in|after|minutes|hours|days|weeks|months)$)|(^|_)(expiry|expiration|deadline)$|_(at|on|date|until)$|^(date|due|until)$/.test(
    snakeName,
  );
}

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const CLOCK_PATTERN = /^(?:[T,\s]+(\d{1,2})(?::(\d{2}))(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?)?$/i;

/**
 * Parses a date as people and steps write it, to ISO 8601. A date without a time means the end of the day in `zone`; a
 * time without an offset is in `zone`.
 * @throws InputError for an invalid or ambiguous date.
 */
export function parseDateTime(value: unknown, { label, zone }: { label: string; zone: string }): string | undefined {
  if (value === undefined || value === null || String(value).trim() === '') return undefined;
  const text = String(value).trim();
  if (/^\d{10}$|^\d{13}$/.test(text)) return new Date(Number(text) * (text.length === 10 ? 1000 : 1)).toISOString();
  const [, date = '', clock = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.exec(text) ?? [];
  if (date) {
    parseDay(date, label);
    const time = new Date(`${date}T${clock}${/^[a-z]/i.test(offset) ? 'Z' : offset}`);
    if (Number.isNaN(time.getTime())) throw createInvalidDateError(text, label);
    return time.toISOString();
  }
  const { day, remainder } = parseDay(text, label);
  const [match, hour, minute, second, meridiem] = CLOCK_PATTERN.exec(remainder) ?? [];
  if (match === undefined) throw createInvalidDateError(text, label);
  const clockTime =
    hour === undefined ? { hours: 23, minutes: 59, seconds: 59 } : parseClock({ hour, minute, second, meridiem });
  if (clockTime.hours > 23 || clockTime.minutes > 59 || clockTime.seconds > 59)
    throw createInvalidDateError(text, label);
  const local = Date.UTC(day.year, day.month - 1, day.day, clockTime.hours, clockTime.minutes, clockTime.seconds);
  return new Date(local - getZoneOffsetMs(local, zone)).toISOString();
}

/** @throws InputError for a time in ISO 8601 that has passed. A date ends in the last time zone. */
export function requireFuture(time: string, label: string): void {
  if (!/^\d{4}-\d\d-\d\d/.test(time)) return;
  const end = /^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T23:59:59-12:00` : time;
  if (Date.parse(end) <= Date.now())
    throw new InputError(`The time in the field "${label}" is in the past. Enter a later time in this step.`);
}

export function formatTime(time: string, format: TimeFormat): string | number {
  if (format === 'date') return time.slice(0, 10);
  if (format === 'date-time') return time;
  return Math.floor(Date.parse(time) / (format === 'epoch-seconds' ? 1000 : 1));
}

/** Turns a date with slashes or dots into ISO 8601; any other text stays as it is. */
export function normalizeDateText(text: string, label: string): string {
  if (!/^\s*\d{1,4}[/.]\d{1,2}[/.]\d{1,4}\s*$/.test(text)) return text;
  const { year, month, day } = parseDay(text.trim(), label).day;
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

function parseClock(parts: Record<'hour' | 'minute' | 'second' | 'meridiem', string | undefined>) {
  const meridiem = parts.meridiem?.toLowerCase();
  const hours = Number(parts.hour);
  const isTwelveOClock = meridiem !== undefined && hours === 12;
  return {
    hours: (isTwelveOClock ? 0 : hours) + (meridiem === 'pm' ? 12 : 0),
    minutes: Number(parts.minute ?? 0),
    seconds: Number(parts.second ?? 0),
  };
}

function parseDay(text: string, label: string): { day: CalendarDay; remainder: string } {
  const numeric = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})/.exec(text);
  const [, first = '', separator = '', second = '', third = ''] = numeric ?? [];
  if (numeric) {
    const remainder = text.slice(numeric[0].length);
    if (first.length === 4) return { day: validateDay([first, second, third], { text, label }), remainder };
    if (third.length !== 4) throw createInvalidDateError(text, label);
    // With dots the day is first; with slashes and dashes it depends on the country.
    const isDayFirst = separator === '.' || Number(first) > 12 || first === second;
    if (!isDayFirst && Number(second) <= 12)
      throw new InputError(
        `"${text.slice(0, 40)}" could mean two different days. Enter the date in the field "${label}" as year-month-day, for example 2026-12-31.`,
      );
    return {
      day: validateDay(isDayFirst ? [third, second, first] : [third, first, second], { text, label }),
      remainder,
    };
  }
  const monthNameMatch =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+)?([a-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})(?!\d)/i.exec(
      text,
    );
  const [all = '', before, name = '', after, year = ''] = monthNameMatch ?? [];
  const month = MONTHS.findIndex((monthName) => monthName.startsWith(name.toLowerCase())) + 1;
  const hasOneDay = (before === undefined) !== (after === undefined);
  if (!monthNameMatch || month === 0 || !hasOneDay) throw createInvalidDateError(text, label);
  return {
    day: validateDay([year, String(month), before ?? after ?? ''], { text, label }),
    remainder: text.slice(all.length),
  };
}

function validateDay(
  [y, m, d]: readonly [string, string, string],
  { text, label }: { text: string; label: string },
): CalendarDay {
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  const date = new Date(Date.UTC(year, month - 1, day));
  // February 31 would become a day in March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) throw createInvalidDateError(text, label);
  // In some time zones this would be the year 10000.
  if (year === 9999 && month === 12 && day === 31) throw createInvalidDateError(text, label);
  return { year, month, day };
}

function createInvalidDateError(text: string, label: string): InputError {
  return new InputError(
    `"${text.slice(0, 40)}" is not a date that this app can read. Enter the date in the field "${label}" as year-month-day, for example 2026-12-31.`,
  );
}

/** Offset of a time zone from UTC at the local time `local`. */
function getZoneOffsetMs(local: number, zone: string): number {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const offsetAt = (timestamp: number) => {
      const parts = format.formatToParts(timestamp);
      const getPart = (type: string) => Number(parts.find((part) => part.type === type)?.value);
      return (
        Date.UTC(
          getPart('year'),
          getPart('month') - 1,
          getPart('day'),
          getPart('hour'),
          getPart('minute'),
          getPart('second'),
        ) - timestamp
      );
    };
    // Repeated with the first result, since daylight saving time may start or end in between.
    return offsetAt(local - offsetAt(local));
  } catch {
    return 0;
  }
}
