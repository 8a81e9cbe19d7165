import { z } from 'zod';
import { InputError } from './errors.ts';
import { isObject } from './fields.ts';
import type { NamedOperation } from './operations/index.ts';

export interface BuiltRequest {
  readonly method: string;
  readonly url: string;
  /** Inputs that are neither in the path nor in the query: the body of a POST, PATCH or PUT. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Checks `input` against the entry and places each part: `{param}` in the path, the rest in the query or the body. */
export function buildRequest(baseUrl: string, named: NamedOperation, input: unknown): BuiltRequest {
  const { operation, name } = named;
  const parsed = operation.input.safeParse(withTextIds(operation.route, input ?? {}));
  if (!parsed.success) throw new InputError(`${name}: ${describeIssues(parsed.error)}`);
  const rest: Record<string, unknown> = { ...parsed.data };
  const space = operation.route.indexOf(' ');
  const method = operation.route.slice(0, space);
  const path = operation.route.slice(space + 1).replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = rest[param];
    delete rest[param];
    return encodeSegment(name, param, value);
  });
  for (const key of Object.keys(rest)) if (rest[key] === undefined) delete rest[key];
  if (method === 'GET' || method === 'DELETE') {
    return { method, url: `${baseUrl}${path}${encodeQuery(name, rest)}`, body: undefined };
  }
  return { method, url: `${baseUrl}${path}`, body: rest };
}

/** Some services give ids as numbers: what came from a list may go back into a path. */
function withTextIds(route: string, input: unknown): unknown {
  if (!isObject(input)) return input;
  const numbers = [...route.matchAll(/\{(\w+)\}/g)].flatMap(([, param = '']) => {
    const value = input[param];
    return Number.isSafeInteger(value) || typeof value === 'bigint' ? [[param, String(value)]] : [];
  });
  return numbers.length > 0 ? { ...input, ...Object.fromEntries(numbers) } : input;
}

/** One path segment. `encodeURIComponent` leaves `.` and `..` alone, and they would climb the path. */
function encodeSegment(operation: string, param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value)) {
    throw new InputError(
      `${operation}: ${param} must be the id of an existing object, not ${value === '' ? 'an empty text' : `"${String(value)}"`}.`,
    );
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InputError(`${operation}: ${param} holds a broken character (half of a surrogate pair).`);
  }
}

function encodeQuery(operation: string, values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === null || one === undefined) continue;
      if (one instanceof Date && !Number.isNaN(one.getTime())) {
        query.append(key, one.toISOString());
        continue;
      }
      if (typeof one === 'object' || typeof one === 'function' || typeof one === 'symbol')
        throw new InputError(
          `${operation}: the query parameter ${key} must be a text, a number, a date or true/false.`,
        );
      query.append(key, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The issues of a failed check in one sentence; zod's issues never hold the values themselves. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ');
}

const BaseUrl = z.url({ protocol: /^https?$/ });

/**
 * The base URL without its trailing slash. https only, except for this machine.
 * @throws InputError saying what a base URL looks like.
 */
export function parseBaseUrl(value: string): string {
  const text = value.trim().replace(/\/+$/, '');
  if (!BaseUrl.safeParse(text).success) {
    throw new InputError('The base URL must be a web address such as https://docs.example.com/api/v1.');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InputError('The base URL must hold no user name, password, query or fragment.');
  }
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new InputError(
      'The base URL must start with https:// (http:// is accepted for this machine only).',
    );
  }
  return text;
}
