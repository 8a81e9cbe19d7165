import { redactKeys } from '../state/key-ring.ts';
import type { Reply } from './reply.ts';

/** How many characters of a body are kept. */
const BODY_LIMIT = 64 * 1024;

const SECRET_QUERY = /signature|token|^sig$/i;
const SECRET_FIELD = /^(token|password|secret|signing_?secret|.*signature)$/i;
const SECRET_IN_ADDRESS = /([?&](?:[\w-]*signature|[\w-]*token)=)[^&"\s]+/gi;

/** Copies what a request carried, without what must not be kept. */
export function redactRequest(input: { headers: Headers; query: URLSearchParams; body: unknown }) {
  const headers: Record<string, string> = {};
  for (const [name, value] of input.headers)
    headers[name] =
      name === 'authorization'
        ? redactAuthorization(value)
        : name === 'cookie'
          ? '(hidden)'
          : redactText(value);
  const query: Record<string, string> = {};
  for (const [name, value] of input.query)
    query[name] = SECRET_QUERY.test(name) ? '(hidden)' : redactText(value);
  return { headers, query, ...(input.body === undefined ? {} : { body: redactBody(input.body) }) };
}

/** Copies what was answered, likewise. Only texts for programs are kept: pages and files are noted by their size. */
export function redactReply({ headers, body }: Reply) {
  const kept = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'set-cookie' ? '(hidden)' : redactText(value),
    ]),
  );
  if (body === null || body === '') return { headers: kept };
  if (typeof body !== 'string')
    return { headers: kept, body: body instanceof Uint8Array ? `(${body.length} bytes)` : '(a file)' };
  const isJson = /json/.test(headers['content-type'] ?? '') && body.length <= BODY_LIMIT;
  return { headers: kept, body: isJson ? redactBody(JSON.parse(body)) : redactLong(body) };
}

/** A large body, such as an inline file, is noted by its size alone. */
function redactBody(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) =>
    SECRET_FIELD.test(name) && typeof value === 'string' ? '(hidden)' : value,
  );
  return text.length > BODY_LIMIT ? redactLong(text) : JSON.parse(redactText(text));
}

function redactLong(text: string): string {
  return text.length > BODY_LIMIT ? `(${text.length} characters)` : redactText(text);
}

function redactText(text: string): string {
  return redactKeys(text).replace(SECRET_IN_ADDRESS, '$1(hidden)');
}

/** A foreign key is hidden too: it may be a real one. */
function redactAuthorization(value: string): string {
  const redacted = redactKeys(value);
  return redacted === value ? '(hidden)' : redacted;
}
