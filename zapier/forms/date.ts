import type { TimeForm } from '../learned/forms.ts';
import { InputError } from '../platform/core.ts';

/** `expiresAt` as `expires_at`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Names of fields that hold a day or a time. */
export function isDateName(plain: string): boolean {
  return /^expir|(^|_)(expiry|expiration|deadline)$|_(at|on|date|until)$|^(date|due|until)$/.test(plain);
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const CLOCK = /^(?:[T,\s]+(\d{1,2})(?::(\d{2}))(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?)?$/i;

/**
 * A point in time as ISO 8601 from a date as people and steps write it. A day without a clock ends at midnight of `zone`;
 * a clock without an offset is one of `zone`.
 * @throws InputError for what is no date, and for one that may be read in two ways.
 */
export function readTime(
  value: unknown,
  { label, zone }: { label: string; zone: string },
): string | undefined {
  if (value === undefined || value === null || String(value).trim() === '') return undefined;
  const text = String(value).trim();
  if (/^\d{10}$|^\d{13}$/.test(text))
    return new Date(Number(text) * (text.length === 10 ? 1000 : 1)).toISOString();
  const [, date = '', clock = '', offset = ''] =
    /^(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.exec(text) ?? [];
  if (date) {
    readDay(date, label);
    const time = new Date(`${date}T${clock}${/^[a-z]/i.test(offset) ? 'Z' : offset}`);
    if (Number.isNaN(time.getTime())) throw refuse(text, label);
    return time.toISOString();
  }
  const { day, rest } = readDay(text, label);
  const [match, hour, minute, second, half] = CLOCK.exec(rest) ?? [];
  if (match === undefined) throw refuse(text, label);
  const given =
    hour === undefined ? { hours: 23, minutes: 59, seconds: 59 } : readClock({ hour, minute, second, half });
  if (given.hours > 23 || given.minutes > 59 || given.seconds > 59) throw refuse(text, label);
  const local = Date.UTC(day.year, day.month - 1, day.day, given.hours, given.minutes, given.seconds);
  return new Date(local - offsetMs(local, zone)).toISOString();
}

/** A point in time in ISO 8601 as a service writes it. */
export function writeTime(time: string, form: TimeForm): string | number {
  if (form === 'date') return time.slice(0, 10);
  if (form === 'date-time') return time;
  return Math.floor(Date.parse(time) / (form === 'epoch-seconds' ? 1000 : 1));
}

/** A date in the fields that a form does not know: slashes and dots become the usual form, all else stays as it is. */
export function readDateText(text: string, label: string): string {
  if (!/^\s*\d{1,4}[/.]\d{1,2}[/.]\d{1,4}\s*$/.test(text)) return text;
  const { year, month, day } = readDay(text.trim(), label).day;
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

function readClock(given: Record<'hour' | 'minute' | 'second' | 'half', string | undefined>) {
  const half = given.half?.toLowerCase();
  const hours = Number(given.hour);
  const isTwelve = half !== undefined && hours === 12;
  return {
    hours: (isTwelve ? 0 : hours) + (half === 'pm' ? 12 : 0),
    minutes: Number(given.minute ?? 0),
    seconds: Number(given.second ?? 0),
  };
}

function readDay(text: string, label: string): { day: Day; rest: string } {
  const numeric = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})/.exec(text);
  const [, first = '', separator = '', second = '', third = ''] = numeric ?? [];
  if (numeric) {
    const rest = text.slice(numeric[0].length);
    if (first.length === 4) return { day: checked([first, second, third], { text, label }), rest };
    if (third.length !== 4) throw refuse(text, label);
    // Dots put the day first everywhere; slashes and dashes differ by country.
    const isDayFirst = separator === '.' || Number(first) > 12 || first === second;
    if (!isDayFirst && Number(second) <= 12)
      throw new InputError(
        `"${text.slice(0, 40)}" may be two different days. Write the field "${label}" as year-month-day, such as 2026-12-31.`,
      );
    return {
      day: checked(isDayFirst ? [third, second, first] : [third, first, second], { text, label }),
      rest,
    };
  }
  const named =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+)?([a-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})(?!\d)/i.exec(
      text,
    );
  const [all = '', before, name = '', after, year = ''] = named ?? [];
  const month = MONTHS.findIndex((known) => known.startsWith(name.toLowerCase())) + 1;
  const isOne = (before === undefined) !== (after === undefined);
  if (!named || month === 0 || !isOne) throw refuse(text, label);
  return {
    day: checked([year, String(month), before ?? after ?? ''], { text, label }),
    rest: text.slice(all.length),
  };
}

function checked(
  [y, m, d]: readonly [string, string, string],
  { text, label }: { text: string; label: string },
): Day {
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  const made = new Date(Date.UTC(year, month - 1, day));
  // The 31st of February would become a day of March.
  if (made.getUTCMonth() !== month - 1 || made.getUTCDate() !== day) throw refuse(text, label);
  // A day later the year has five digits, which no service reads.
  if (year === 9999 && month === 12 && day === 31) throw refuse(text, label);
  return { year, month, day };
}

function refuse(text: string, label: string): InputError {
  return new InputError(
    `"${text.slice(0, 40)}" is no date that this app can read. Write the field "${label}" as year-month-day, such as 2026-12-31.`,
  );
}

/** How far the clocks of a zone are ahead of UTC when they show `local`. */
function offsetMs(local: number, zone: string): number {
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
    const shown = (at: number) => {
      const parts = format.formatToParts(at);
      const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
      return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at;
    };
    // Once more from the first guess: the clocks may have changed between the two.
    return shown(local - shown(local));
  } catch {
    return 0;
  }
}
