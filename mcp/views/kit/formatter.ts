/** Formats numbers, times and untrusted text. */
import { toIsoTime } from '../../../src/records/fields.ts';

const MAX_TEXT_LENGTH = 300;

export type Formatter = ReturnType<typeof createFormatter>;

interface LocaleOptions {
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

export function createFormatter(localeOptions: LocaleOptions) {
  const numbers = new Intl.NumberFormat(toCanonicalLocale(localeOptions.locale), { maximumFractionDigits: 1 });
  const dateTimes = createDateTimeFormat(localeOptions);
  return {
    /** `1,234`. */
    count: (value: number) => numbers.format(value),
    /** Seconds as `8 s`, `2 min 5 s` or `1 h 3 min`. */
    duration(seconds: number): string {
      const wholeSeconds = Math.round(seconds);
      const [hours, minutes, rest] = [
        Math.floor(wholeSeconds / 3600),
        Math.floor(wholeSeconds / 60) % 60,
        wholeSeconds % 60,
      ];
      if (hours > 0)
        return minutes > 0 ? `${numbers.format(hours)}\u00a0h ${minutes}\u00a0min` : `${numbers.format(hours)}\u00a0h`;
      if (minutes > 0) return rest > 0 ? `${minutes}\u00a0min ${rest}\u00a0s` : `${minutes}\u00a0min`;
      return seconds > 0 && wholeSeconds === 0 ? 'under 1 s' : `${rest}\u00a0s`;
    },
    /** Date and time in the host's time zone; undefined if the value is not a date. */
    dateTime(value: string | undefined): string | undefined {
      const iso = toIsoTime(value);
      return iso && dateTimes.format(new Date(iso));
    },
  };
}

/** Returns undefined for a locale that the browser does not know. */
function toCanonicalLocale(locale: string | undefined): string | undefined {
  try {
    return locale === undefined ? undefined : Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}

function createDateTimeFormat({ locale, timeZone }: LocaleOptions): Intl.DateTimeFormat {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(toCanonicalLocale(locale), { ...style, ...(timeZone ? { timeZone } : {}) });
  } catch {
    return new Intl.DateTimeFormat(undefined, style);
  }
}

/** Control characters, and those that change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern removes them
const HIDDEN_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** Untrusted text as one short line without hidden characters. */
export function toPlainLine(text: string): string {
  const line = text
    .slice(0, MAX_TEXT_LENGTH * 4)
    .replace(HIDDEN_CHARACTERS, ' ')
    .trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}
