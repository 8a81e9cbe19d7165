import { isSecretName } from '../assumptions/index.ts';
import { createEncodedSecretRedactor } from './encoded-secrets.ts';
import { redactJsonFields, redactQueryParams } from './secret-fields.ts';

export const REDACTED = '[redacted]';

/** A URL with a query or fragment may be presigned, whatever its parameters are called. */
const URL_START = /https?(?::\/\/|%(?:25){0,3}3a)/i;
const QUERY_START = /[?#]|%(?:25){0,3}(?:3f|23)/i;

/** Credentials before the host of a URL. */
const URL_CREDENTIALS = /:\/\/[^\s/?#@"'<>\\]+@/g;

/** Secret of webhook signatures in the usual notation (Standard Webhooks). */
const SIGNING_SECRET = /\bwhsec_[\w+/=-]{8,}/g;

/** A quoted header; its authentication scheme was handled before. */
const SECRET_HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-(?:[a-z]{1,20}-){0,4}(?:key|token|secret|signature))([ \t]{0,4}:[ \t]{0,4})(?!bearer|basic)[^\s"'<>\\][^\r\n"'<>\\]*/gi;

/**
 * Redacts text for output: the given secrets in every usual encoding, bearer headers, URL queries, and values
 * of JSON fields and query parameters with secret names. Takes linear time for any text.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = redactSecrets(text, secrets);
  clean = clean.replace(/\b(bearer|basic)(\s+|%20|\+)[\w.~+/=%-]{6,}/gi, `$1 ${REDACTED}`);
  clean = clean.replace(SIGNING_SECRET, REDACTED);
  clean = redactJsonFields(clean, REDACTED);
  clean = clean.replace(SECRET_HEADER, `$1$2${REDACTED}`);
  if (clean.includes('://')) clean = clean.replace(URL_CREDENTIALS, `://${REDACTED}@`);
  if (/:\/\/|%3a|%253a/i.test(clean)) clean = clean.replace(/[^\s"'<>\\]+/g, redactQuery);
  return redactQueryParams(clean, REDACTED);
}

/** Redacts only the given secrets. Must come first: other steps would break them apart. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const { encodings, encoded, minLength } = getAllEncodings(secrets);
  if (text.length < minLength) return text;
  let clean = text;
  for (const encoding of encodings) clean = clean.replaceAll(encoding, REDACTED);
  return encoded.redact(clean, REDACTED);
}

const encodingsCache = new WeakMap<readonly string[], ReturnType<typeof createEncodings>>();

/** Cached by list: all texts of a response use the same one. */
function getAllEncodings(secrets: readonly string[]) {
  const cached = encodingsCache.get(secrets);
  const { source = [] } = cached ?? {};
  // The list may have changed.
  if (cached && source.length === secrets.length && source.every((secret, index) => secret === secrets[index]))
    return cached;
  const created = createEncodings(secrets);
  encodingsCache.set(secrets, created);
  return created;
}

function createEncodings(secrets: readonly string[]) {
  const encodings = secrets.flatMap(getEncodings);
  const encoded = createEncodedSecretRedactor(secrets);
  const minLength = Math.min(encoded.minLength, ...encodings.map(({ length }) => length));
  return { source: [...secrets], encodings, encoded, minLength };
}

function redactQuery(word: string): string {
  const start = word.search(URL_START);
  if (start < 0) return word;
  const query = word.slice(start).search(QUERY_START);
  return query < 0 ? word : `${word.slice(0, start + query)}?${REDACTED}`;
}

/** Usual encodings of a secret: literal, JSON, URL, HTML, base64. Longest first. */
function getEncodings(secret: string): readonly string[] {
  if (secret === '') return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const htmlNamed = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
  const encodings = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    html,
    htmlNamed,
    Buffer.from(secret).toString('base64'),
  ];
  return [...new Set(encodings)].sort((a, b) => b.length - a.length);
}

/** Values of an input's secret fields, such as a link's password; shorter ones would match everywhere. */
export function findSecrets(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && inner.length >= 4 && isSecretName(name) ? [inner] : findSecrets(inner, depth + 1),
  );
}

/** Maximum searched length, as for reading error bodies. */
const MAX_SEARCHED_LENGTH = 64 * 1024;

/** Line breaks and characters that control a terminal or the text direction. */
const UNPRINTABLE = /[\s\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns a redacted one-line excerpt of at most `limit` printable characters. */
export function createExcerpt(text: string, options: { limit?: number; secrets?: readonly string[] } = {}): string {
  const { limit = 500, secrets = [] } = options;
  // Redacted before it is cut: half a secret would not be found.
  const clean = redact(text.slice(0, MAX_SEARCHED_LENGTH), secrets).replace(UNPRINTABLE, ' ').trim();
  const cutTail = text.length > MAX_SEARCHED_LENGTH ? Math.max(0, ...secrets.map((secret) => secret.length * 6)) : 0;
  const whole = cutTail > 0 ? clean.slice(0, Math.max(0, clean.length - cutTail)) : clean;
  return whole.length > limit ? `${whole.slice(0, limit)}…` : whole;
}

/** Returns headers safe for output: few, short, without secrets. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, 64)
      .map(([name, value]) => [
        createExcerpt(name, { limit: 100, secrets }),
        isSecretName(name) ? REDACTED : createExcerpt(value, { limit: 300, secrets }),
      ]),
  );
}
