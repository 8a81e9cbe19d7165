import { InputError } from '../platform/client-core.ts';

/** Currency before or after a number: symbol or code. */
const CURRENCY = /^(?:\p{Sc}|US\$|[A-Z]{3}\b)|(?:\p{Sc}|\b[A-Z]{3}|Kč|kr\.?|zł)$/gu;

/**
 * Parses `1,200.50`, `1.200,50`, `1 200,50`, `$10`, `10 €`; undefined for an empty field.
 * @throws InputError for other text, and for `1,200` and `1.200`: 1200 in one country, 1.2 in another.
 */
export function parseDecimal(value: unknown, label: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const original = String(value).trim();
  if (original === '') return undefined;
  const isNegative = /^[-−]/.test(original);
  const unsigned = original
    .replace(/^[-−]\s*/, '')
    .replace(CURRENCY, '')
    .trim()
    .replace(CURRENCY, '')
    .replace(/(?<=\d)[ '’\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .trim();
  const text = isNegative ? `-${unsigned}` : unsigned;
  const number = Number(toDecimalNotation(text, { original, label }));
  if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER)) throw createInvalidNumberError(original, label);
  return number;
}

export function getCurrencyNames(price: unknown): readonly string[] {
  return (
    String(price ?? '')
      .trim()
      .replace(/^[-−]\s*/, '')
      .match(CURRENCY) ?? []
  );
}

/** Returns two texts that name different currencies, as `$10` and `10 €` do, but not `$10`, `10 USD` and `US$10`. */
export function findCurrencyConflict(prices: readonly unknown[]): readonly [string, string] | undefined {
  const names = [...new Set(prices.flatMap(getCurrencyNames))];
  if (names.length < 2) return undefined;
  const all = Intl.supportedValuesOf('currency').map((code) => [code, getCurrencySymbol(code)] as const);
  const named = names.flatMap((name) => {
    const text = name === 'US$' ? 'USD' : name.replace('kr.', 'kr');
    const codes = all.flatMap(([code, symbol]) => (code === text || symbol === text ? code : []));
    return codes.length > 0 ? [{ name, codes }] : [];
  });
  const differ = (a: readonly string[], b: readonly string[]) => !a.some((code) => b.includes(code));
  for (const one of named) {
    const other = named.find(({ codes }) => differ(one.codes, codes));
    if (other) return [one.name, other.name];
  }
  return undefined;
}

/** `$` for USD, CAD and other dollars, `kr` for SEK and NOK. */
function getCurrencySymbol(currency: string): string | undefined {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

/** Converts to a decimal point and no thousands separators. */
function toDecimalNotation(text: string, { original, label }: { original: string; label: string }): string {
  if (!/^-?\d{1,3}([.,]?\d{3})*([.,]\d+)?$/.test(text)) throw createInvalidNumberError(original, label);
  const separators = [...text.matchAll(/[.,]/g)].map(([separator]) => separator);
  const lastSeparator = separators.at(-1);
  if (lastSeparator === undefined) return text;
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) {
    // Three decimals would be rejected again.
    const decimal = text
      .replace(/[.,]/, '.')
      .replace(/0+$/, '')
      .replace(/\.$/, '.0')
      .replace(/\.\d{3}$/, '$&0');
    throw new InputError(
      `"${original.slice(0, 40)}" can be read in two ways. Enter the number in the field "${label}" without a thousands separator, for example ${text.replace(/[.,]/, '')} or ${decimal}.`,
    );
  }
  if (new Set(separators).size === 1 && separators.length > 1) {
    // `1.000.00` is a typo of `1.000,00`, not 100,000.
    if (!/[.,]\d{3}$/.test(text)) throw createInvalidNumberError(original, label);
    return text.replaceAll(lastSeparator, '');
  }
  // With two kinds of separators the last one is for decimals and appears once.
  if (separators.filter((separator) => separator === lastSeparator).length > 1)
    throw createInvalidNumberError(original, label);
  return text.replace(/[.,]/g, (_, index) => (index === text.lastIndexOf(lastSeparator) ? '.' : ''));
}

export function parsePositiveInteger(value: unknown, label: string): number | undefined {
  const error = new InputError(
    `"${String(value).slice(0, 40)}" is not a whole number above 0. Enter a whole number in the field "${label}", for example 2.`,
  );
  try {
    const number = parseDecimal(value, label);
    if (number === undefined || (Number.isSafeInteger(number) && number >= 1)) return number;
  } catch {
    // Its message is about decimals.
  }
  throw error;
}

function createInvalidNumberError(text: string, label: string): InputError {
  return new InputError(
    `"${text.slice(0, 40)}" is not a number that this app can read. Enter a number in the field "${label}", for example 2 or 1200.50.`,
  );
}
