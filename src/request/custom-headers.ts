import { InputError } from '../errors.ts';

/** Your own headers, such as `Idempotency-Key` or `traceparent`; undefined values are ignored. */
export type CustomHeaders = Readonly<Record<string, string | undefined>>;

/** Headers that the client or the connection sets. */
const FORBIDDEN_HEADERS = new Map([
  ['authorization', 'the client sends the API key there; pass `apiKey`'],
  ['proxy-authorization', 'it would reach the service; put the credentials into the URL of the proxy'],
  ['host', 'it depends on the base URL'],
  ['content-length', 'it depends on the body'],
  ['content-type', 'it depends on the body'],
  ['content-encoding', 'bodies are sent without compression'],
  ['accept-encoding', 'the client decodes gzip, br, zstd and deflate'],
  ...['transfer-encoding', 'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'].map(
    (name) => [name, 'it belongs to the connection'] as const,
  ),
]);

/**
 * Validates custom headers and returns them by lower-case name.
 * @throws InputError that names a reserved or invalid header, never its value.
 */
export function checkHeaders(headers: CustomHeaders): Readonly<Record<string, string>> {
  const checked: Record<string, string> = {};
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers)
    throw new InputError('headers must be an object, such as { traceparent: "00-…" }.');
  for (const [givenName, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const name = givenName.toLowerCase();
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name))
      throw new InputError(`headers: ${JSON.stringify(givenName.slice(0, 50))} is not a valid header name.`);
    const reason = FORBIDDEN_HEADERS.get(name);
    if (reason !== undefined) throw new InputError(`headers: ${givenName} can't be set here: ${reason}.`);
    // A number is a frequent mistake.
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new InputError(`headers: the value of ${givenName} must be a single-line string in Latin-1.`);
    checked[name] = value.trim();
  }
  return checked;
}
