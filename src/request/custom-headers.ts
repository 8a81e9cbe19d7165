import { InputError } from '../errors.ts';

/** Headers of the caller's own, such as `Idempotency-Key` or `traceparent`; one that is undefined is left out. */
export type CustomHeaders = Readonly<Record<string, string | undefined>>;

/** Whose they are instead: the key's, the connection's, or the body's. */
const FORBIDDEN_HEADERS = new Map([
  ['authorization', 'the client sends the API key there; pass `apiKey`'],
  [
    'proxy-authorization',
    'it would reach the service; put the name and password into the address of the proxy',
  ],
  ['host', 'it follows from the base URL'],
  ['content-length', 'it follows from the body'],
  ['content-type', 'it follows from the body'],
  ['content-encoding', 'bodies are sent as they are'],
  ['accept-encoding', 'the client reads gzip, br and deflate'],
  ['transfer-encoding', 'it belongs to the connection'],
  ['connection', 'it belongs to the connection'],
  ['keep-alive', 'it belongs to the connection'],
  ['proxy-connection', 'it belongs to the connection'],
  ['te', 'it belongs to the connection'],
  ['trailer', 'it belongs to the connection'],
  ['upgrade', 'it belongs to the connection'],
  ['expect', 'it belongs to the connection'],
]);

/**
 * The caller's headers by lower-case names.
 * @throws InputError that names a header which is not the caller's to set, or can't be sent; never its value.
 */
export function checkHeaders(headers: CustomHeaders): Readonly<Record<string, string>> {
  const checked: Record<string, string> = {};
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers)
    throw new InputError('headers must be an object of names and texts, such as { traceparent: "00-…" }.');
  for (const [givenName, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const name = givenName.toLowerCase();
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name))
      throw new InputError(`headers: ${JSON.stringify(givenName.slice(0, 50))} is no name of a header.`);
    const reason = FORBIDDEN_HEADERS.get(name);
    if (reason !== undefined) throw new InputError(`headers: ${givenName} can't be set here: ${reason}.`);
    // Half of the world writes a number here.
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new InputError(
        `headers: the value of ${givenName} must be a text on one line, in Latin letters.`,
      );
    checked[name] = value.trim();
  }
  return checked;
}
