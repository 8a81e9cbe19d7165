import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../render/http-response.ts';
import { redactKeys } from '../state/key-ring.ts';
import type { LogEntry } from './request-log.ts';

const MAX_LOGGED_BODY_CHARS = 64 * 1024;

const SECRET_QUERY = /signature|token|^sig$/i;
const SECRET_FIELD = /^(token|password|secret|signing_?secret|.*signature)$/i;
const SECRET_IN_URL = /([?&](?:[\w-]*signature|[\w-]*token)=)[^&"\s]+/gi;
/** A visit's URL ends in the value of its cookie. */
const VISIT_TOKEN_IN_URL = /(\/v\/[\w-]+\.)[\w-]+/g;

/** Copies a request without its secrets. */
export function redactRequest(input: { headers: Headers; query: URLSearchParams; body: unknown }) {
  const headers = redactHeaders(input.headers);
  const query: Record<string, string> = {};
  for (const [name, value] of input.query) query[name] = SECRET_QUERY.test(name) ? '(hidden)' : redactText(value);
  return { headers, query, ...(input.body === undefined ? {} : { body: redactBody(input.body) }) };
}

/**
 * Adds the response to a log entry, without its secrets. They are removed when the entry is read, since most
 * entries never are. Pages and files are logged by size.
 */
export function withLoggedResponse(entry: LogEntry, reply: HttpResponse | null): LogEntry {
  if (reply === null) return entry;
  const { headers } = reply;
  const body = summarizeLargeBody(reply.body);
  let response: LogEntry['response'];
  const read = () => {
    response ??= {
      headers: redactHeaders(Object.entries(headers)),
      ...(body === null ? {} : { body: redactResponseBody(body) }),
    };
    return response;
  };
  return Object.defineProperty({ ...entry }, 'response', { enumerable: true, get: read });
}

/** Returns JSON as its value, everything else as text. */
function redactResponseBody(text: string): unknown {
  try {
    return redactBody(JSON.parse(text));
  } catch {
    return redactText(text);
  }
}

/** Estimates the characters of an entry. */
export function estimateLogSize({ headers, rawHeaders, url = '' }: IncomingMessage, { body }: HttpResponse): number {
  const requestLength =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MAX_LOGGED_BODY_CHARS;
  const responseLength = typeof body === 'string' ? body.length : 0;
  const head = rawHeaders.reduce((sum, text) => sum + text.length, 2 * url.length);
  const countLogged = (length: number) => (length > MAX_LOGGED_BODY_CHARS ? 0 : length);
  return 1_000 + head + countLogged(requestLength) + countLogged(responseLength);
}

function summarizeLargeBody(body: HttpResponse['body']): string | null {
  if (body === null || body === '') return null;
  if (typeof body !== 'string') return body instanceof Uint8Array ? `(${body.length} bytes)` : '(a file)';
  return body.length > MAX_LOGGED_BODY_CHARS ? `(${body.length} characters)` : body;
}

function redactHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const [name, value] of headers) {
    const isHidden = name === 'cookie' || name === 'set-cookie';
    redacted[name] = name === 'authorization' ? redactAuthorization(value) : isHidden ? '(hidden)' : redactText(value);
  }
  return redacted;
}

/** A large body, such as an inline file, is logged by size. */
function redactBody(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) =>
    SECRET_FIELD.test(name) && typeof value === 'string' ? '(hidden)' : value,
  );
  return text.length > MAX_LOGGED_BODY_CHARS ? `(${text.length} characters)` : JSON.parse(redactText(text));
}

/** Removes keys, signatures, tokens and passwords from a URL or text. */
export function redactText(text: string): string {
  return redactKeys(text).replace(SECRET_IN_URL, '$1(hidden)').replace(VISIT_TOKEN_IN_URL, '$1(hidden)');
}

/** Hides foreign keys too: one may be real. */
function redactAuthorization(value: string): string {
  const redacted = redactKeys(value);
  return redacted === value ? '(hidden)' : redacted;
}
