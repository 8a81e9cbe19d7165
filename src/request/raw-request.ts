import type { TextResponse } from '../api-errors/text-response.ts';
import { InputError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import { type NamedOperation, type OperationName, operations } from '../operations/index.ts';
import { checkOptionNames } from '../option-names.ts';
import { toSuccessNote } from '../response/object.ts';
import { createInvalidResponseError, describeTruncation } from '../response/parse-body.ts';
import type { ClientContext, RequestOptions } from './client-context.ts';
import { copyBody } from './parse-input.ts';
import { readPartialText, readResponseText } from './read-response-text.ts';
import type { PreparedRequest } from './request-policy.ts';
import { sendRequest } from './send-request.ts';

/** A request outside the catalog (§4: "the full set of operations … not shown"). */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the base URL, with its leading slash: `/links`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text; undefined without a body. */
  readonly body: unknown;
  /** Set if a write succeeded but its response was truncated. */
  readonly note?: string;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * Sends any request under the base URL, with the same key, limit, retries and errors as the catalog's.
 * @throws InputError for a path outside the base URL; UnexpectedResponseError for a response to a GET that is
 * larger than 8 MiB or was cut off.
 */
export async function sendRawRequest(
  context: ClientContext,
  raw: RawRequest,
  options: RequestOptions,
): Promise<RawResponse> {
  if (typeof raw !== 'object' || raw === null || !METHODS.includes(raw.method))
    throw new InputError(`request: pass { method, path }, with one of the methods ${METHODS.join(', ')}.`);
  checkOptionNames('request', raw, { method: true, path: true, query: true, body: true });
  const url = resolvePath(context.baseUrl, raw.path);
  for (const [name, value] of Object.entries(raw.query ?? {})) {
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
    if (!isScalar) throw new InputError(`request: the query parameter ${name} must be a string, number or boolean.`);
    url.searchParams.append(name, String(value));
  }
  const text = raw.body === undefined ? undefined : JSON.stringify(copyBody('request', raw.body));
  const request: PreparedRequest = {
    method: raw.method,
    url: url.href,
    headers: { accept: 'application/json', ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(text === undefined ? {} : { body: () => text }),
  };
  const named = findClosestOperation(raw, url.pathname.slice(new URL(context.baseUrl).pathname.length));
  return sendRequest(context, {
    named,
    request,
    options,
    ...(raw.method === 'GET' ? {} : { toTruncatedResult: toRawResponse }),
    read: async (response) => {
      if (raw.method !== 'GET') return toRawResponse(await readPartialText(response, MAX_BODY_BYTES));
      const textResponse = await readResponseText(response, MAX_BODY_BYTES);
      if (textResponse.complete) return toRawResponse(textResponse);
      const problem = describeTruncation(textResponse);
      throw createInvalidResponseError(textResponse, { named, secrets: [context.revealKey()], problem });
    },
  });
}

function toRawResponse(textResponse: TextResponse): RawResponse {
  const { status, headers, text, complete, truncationReason = 'was cut off' } = textResponse;
  const note = complete ? {} : { note: toSuccessNote(status, `a body that ${truncationReason}`) };
  return { status, headers, body: parseBody(text), ...note };
}

function resolvePath(baseUrl: string, path: string): URL {
  const pathError = new InputError(
    'The path must be below the base URL and start with a slash, such as /links. Full URLs are not accepted.',
  );
  if (!/^\/(?![/\\])[^\\\s#]*$/.test(path)) throw pathError;
  const url = new URL(`${baseUrl}${path}`);
  const base = new URL(baseUrl);
  // URL parsing has resolved `..`, also in encoded forms.
  if (url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`)) throw pathError;
  return url;
}

const ROUTES: readonly (readonly [RegExp, NamedOperation])[] = operations.map((named) => [
  new RegExp(`^${named.operation.route.replace(/\{\w+\}/g, '[^/]+')}$`),
  named,
]);

/** Returns the operation for errors: with the same route, otherwise of the same resource, otherwise any. */
function findClosestOperation({ method, path }: RawRequest, relativePath: string): NamedOperation {
  const group = relativePath.split('/')[1];
  const exactRoute = ROUTES.find(([route]) => route.test(`${method} ${relativePath}`));
  if (exactRoute) return exactRoute[1];
  const [first] = operations;
  const sameGroup = operations.find((one) => one.group === group && one.operation.effect === 'read') ?? first;
  if (!sameGroup) throw new InputError('The catalog is empty.');
  const effect = method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'update';
  // Not in the catalog; used only in messages.
  return { ...sameGroup, name: `${method} ${path}` as OperationName, operation: { ...sameGroup.operation, effect } };
}

function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJsonExact(text);
  } catch {
    return text;
  }
}
