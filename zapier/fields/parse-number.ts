import { InputError } from '../platform/client-core.ts';

/** Currency before or after a number: its sign or its three letters. */
const CURRENCY = /^(?:\p{Sc}|US\$|[A-Z]{3}\b)|(?:\p{Sc}|\b[A-Z]{3}|Kč|kr\.?|zł)$/gu;

/**
 * A number as people write it: `1,200.50`, `1.200,50`, `1 200,50`, `$10`, `10 €`; undefined where it was left empty.
 * @throws InputError for what is none, and for `1,200` or `1.200`, which mean 1200 in one country and 1.2 in another.
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
    .replace(/(?<=\d)[\s'’\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .trim();
  const text = isNegative ? `-${unsigned}` : unsigned;
  const number = Number(toDecimalNotation(text, { original, label }));
  // Beyond it numbers lose their last digits.
  if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER)) throw invalidNumberError(original, label);
  return number;
}

/** The number with one point before its decimals and no sign between its thousands. */
function toDecimalNotation(text: string, { original, label }: { original: string; label: string }): string {
  if (!/^-?\d{1,3}([.,]?\d{3})*([.,]\d+)?$/.test(text)) throw invalidNumberError(original, label);
  const separators = [...text.matchAll(/[.,]/g)].map(([separator]) => separator);
  const lastSeparator = separators.at(-1);
  if (lastSeparator === undefined) return text;
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text))
    throw new InputError(
      `"${original.slice(0, 40)}" may be read in two ways. Write the field "${label}" without a sign between thousands, such as ${text.replace(/[.,]/, '')} or ${text.replace(/[.,]/, '.').replace(/0+$/, '').replace(/\.$/, '.0')}.`,
    );
  if (new Set(separators).size === 1 && separators.length > 1) {
    // `1.000,00` mistyped as `1.000.00` is no 100,000.
    if (!/[.,]\d{3}$/.test(text)) throw invalidNumberError(original, label);
    return text.replaceAll(lastSeparator, '');
  }
  // Two kinds of signs: the last parts off the decimals, and stands once.
  if (separators.filter((separator) => separator === lastSeparator).length > 1)
    throw invalidNumberError(original, label);
  return text.replace(/[.,]/g, (_, index) => (index === text.lastIndexOf(lastSeparator) ? '.' : ''));
}

/** A whole number from 1. */
export function parsePositiveInteger(value: unknown, label: string): number | undefined {
  const error = new InputError(
    `"${String(value).slice(0, 40)}" is no whole number from 1. Correct the field "${label}" in this step, for example to 1200.`,
  );
  try {
    const number = parseDecimal(value, label);
    if (number === undefined || (Number.isSafeInteger(number) && number >= 1)) return number;
  } catch {
    // Its advice is for prices.
  }
  throw error;
}

function invalidNumberError(text: string, label: string): InputError {
  return new InputError(
    `"${text.slice(0, 40)}" is no number that this app can read. Correct the field "${label}" in this step, for example to 1200.50.`,
  );
}
