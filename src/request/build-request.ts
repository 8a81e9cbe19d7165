import type { z } from 'zod';
import { InputError, type Problem } from '../errors.ts';
import { isLoopbackHostname } from '../loopback.ts';
import type { NamedOperation } from '../operations/index.ts';
import { INVALID_ID } from '../operations/operation.ts';
import { parseWebUrl } from '../web-url.ts';
import type { RequestInput } from './parse-input.ts';

/** Parsed route, cached. */
interface Route {
  readonly method: string;
  /** Texts around the parameters: one more than parameters. */
  readonly literals: readonly string[];
  readonly params: readonly string[];
}

const routes = new Map<string, Route>();

function parseRoute(route: string): Route {
  let parsedRoute = routes.get(route);
  if (!parsedRoute) {
    const space = route.indexOf(' ');
    const parts = route.slice(space + 1).split(/\{(\w+)\}/);
    const literals = parts.filter((_, index) => index % 2 === 0);
    parsedRoute = { method: route.slice(0, space), literals, params: parts.filter((_, index) => index % 2 === 1) };
    routes.set(route, parsedRoute);
  }
  return parsedRoute;
}

/**
 * Validates the input and places each field: `{param}` in the path, others in the query or body. Also returns the
 * path parameters by name.
 */
export function buildRequest(baseUrl: string, named: NamedOperation, requestInput: RequestInput) {
  const { operation, name } = named;
  const { method, literals, params } = parseRoute(operation.route);
  const parsed = operation.input.safeParse(requestInput.fields);
  if (!parsed.success) {
    const invalidId = parsed.error.issues.find(({ message }) => message === INVALID_ID);
    const problem = invalidId && createIdProblem(name, invalidId.path.join('.'));
    throw new InputError(`${name}: ${describeIssues(parsed.error)}`, { problem });
  }
  const checked: Readonly<Record<string, unknown>> = parsed.data;
  let url = baseUrl + literals[0];
  const ids: Record<string, string> = {};
  for (const [index, param] of params.entries()) {
    url += encodeSegment(name, param, checked[param]) + literals[index + 1];
    ids[param] = String(checked[param]);
  }
  const remainingFields: Record<string, unknown> = {};
  for (const [key, value] of [...Object.entries(checked), ...Object.entries(requestInput.extra)]) {
    if (value === undefined || (params.includes(key) && !Object.hasOwn(requestInput.extra, key))) continue;
    // Assigning a field named __proto__ would set the prototype.
    Object.defineProperty(remainingFields, key, { value, enumerable: true, configurable: true, writable: true });
  }
  if (method === 'GET' || method === 'DELETE')
    return { method, url: url + encodeQuery(name, remainingFields), body: undefined, params: ids };
  const bigintField = Object.keys(remainingFields).find((key) => typeof remainingFields[key] === 'bigint');
  if (bigintField !== undefined)
    throw new InputError(`${name}: ${bigintField} is a bigint, which JSON can't hold. Pass it as a string.`);
  return { method, url, body: remainingFields, params: ids };
}

/**
 * Encodes a path segment. `encodeURIComponent` keeps `.` and `..`, which would change the path; between
 * slashes too, if a proxy decodes them (nginx with a URL in `proxy_pass`).
 */
function encodeSegment(operation: string, param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || /(^|[\\/])\.{1,2}([\\/]|$)/.test(value)) {
    throw new InputError(
      `${operation}: ${param} ${INVALID_ID}, not ${value === '' ? 'an empty string' : `"${String(value)}"`}.`,
      { problem: createIdProblem(operation, param) },
    );
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InputError(`${operation}: ${param} contains an invalid character (half of a surrogate pair).`);
  }
}

function createIdProblem(operation: string, field: string): Problem {
  return { code: 'invalid_id', operation, field };
}

function encodeQuery(operation: string, values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === null || one === undefined) continue;
      if (typeof one === 'object')
        throw new InputError(`${operation}: the query parameter ${key} must be a string, number, date or boolean.`);
      query.append(key, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Describes validation issues in one sentence; zod's issues never contain the values. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ');
}

/**
 * Returns the base URL without trailing slash; https only, except for localhost.
 * @throws InputError that shows a valid base URL.
 */
export function parseBaseUrl(value: string): string {
  const text = value.trim().replace(/\/+$/, '');
  const { url, problem } = parseWebUrl(text);
  if (!url) throw new InputError(`The base URL ${problem}. Use one such as https://docs.example.com/api/v1.`);
  if (url.search !== '' || url.hash !== '') throw new InputError('The base URL must not contain a query or fragment.');
  if (url.protocol === 'http:' && !isLoopbackHostname(url.hostname))
    throw new InputError('The base URL must start with https:// (http:// is allowed only for localhost).');
  return text;
}
