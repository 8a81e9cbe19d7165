/**
 * Takes secrets out of text that may be printed: the given ones, bearer headers, the queries of presigned addresses
 * and the values of JSON fields and query parameters whose name says that they are secret.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    clean = clean.replaceAll(secret, REDACTED);
    const encoded = encodeURIComponent(secret);
    if (encoded !== secret) clean = clean.replaceAll(encoded, REDACTED);
  }
  return clean
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`)
    .replace(SECRET_JSON, `$1"${REDACTED}"`)
    .replace(SECRET_QUERY, `$1${REDACTED}`);
}

export const REDACTED = '[redacted]';

const SECRET_NAME =
  '(?:[\\w-]*(?:password|passcode|secret|token|signature|api[_-]?key|authorization|credential)[\\w-]*|sig|x-amz-[\\w-]+)';
const SECRET_JSON = new RegExp(`("${SECRET_NAME}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|\\d+)`, 'gi');
const SECRET_QUERY = new RegExp(`([?&;]${SECRET_NAME}=)[^&#\\s"'<>]*`, 'gi');

/** A redacted excerpt of at most `limit` characters on one line. */
export function excerpt(text: string, options: { limit?: number; secrets?: readonly string[] } = {}): string {
  const limit = options.limit ?? 500;
  // Cut after redaction: a secret cut in half would no longer be found.
  const clean = redact(text.slice(0, limit * 8), options.secrets)
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}
