import { type TextAnswer, TOO_LARGE, unexpected } from '../answer/response.ts';
import { InputError } from '../errors.ts';
import { parseExactly } from '../exact-json.ts';
import { type NamedOperation, type OperationName, operations } from '../operations/index.ts';
import { call } from './call.ts';
import type { ClientContext, RequestOptions } from './context.ts';
import { takeBody } from './input.ts';
import { readText, readWhatComes } from './read-text.ts';
import type { Wire } from './rules.ts';

/** A call in its raw form, for what the catalogue does not name (§4: "the full set of operations … not shown"). */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the base URL, from its slash on: `/links`. It can't leave the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, else the text; undefined where there was none. */
  readonly body: unknown;
  /** Set where a write ran and its answer did not come whole. */
  readonly note?: string;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Sends any call under the base URL, with the same key, limit, retries and errors as those of the catalogue.
 * @throws InputError for a path that leads out of the base URL; UnexpectedResponseError for an answer to a GET that is larger
 * than 8 MiB or was cut off.
 */
export async function rawRequest(
  context: ClientContext,
  raw: RawRequest,
  options: RequestOptions,
): Promise<RawAnswer> {
  if (typeof raw !== 'object' || raw === null || !METHODS.includes(raw.method))
    throw new InputError(`request: give { method, path }, with one of the methods ${METHODS.join(', ')}.`);
  const url = placeUnder(context.baseUrl, raw.path);
  for (const [name, value] of Object.entries(raw.query ?? {})) {
    const plain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
    if (!plain)
      throw new InputError(`request: the query parameter ${name} must be a text, a number or true/false.`);
    url.searchParams.append(name, String(value));
  }
  const text = raw.body === undefined ? undefined : JSON.stringify(takeBody('request', raw.body));
  const wire: Wire = {
    method: raw.method,
    url: url.href,
    headers: {
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(text === undefined ? {} : { body: () => text }),
  };
  const named = nearestOperation(raw, url.pathname.slice(new URL(context.baseUrl).pathname.length));
  return call(context, {
    named,
    wire,
    options,
    ...(raw.method === 'GET' ? {} : { ran: toRawAnswer }),
    read: async (response) => {
      if (raw.method !== 'GET') return toRawAnswer(await readWhatComes(response, BODY_LIMIT_BYTES));
      const answer = await readText(response, BODY_LIMIT_BYTES);
      if (answer.complete) return toRawAnswer(answer);
      const what = answer.lost ?? TOO_LARGE;
      throw unexpected(answer, { named, secrets: [context.revealKey()], what });
    },
  });
}

function toRawAnswer({ status, headers, text, complete, lost: cut }: TextAnswer): RawAnswer {
  const lost = complete ? undefined : (cut ?? TOO_LARGE);
  const note =
    lost === undefined ? {} : { note: `Done: the service answered ${status} with an answer that ${lost}.` };
  return { status, headers, body: readBody(text), ...note };
}

function placeUnder(baseUrl: string, path: string): URL {
  const refused = new InputError(
    'The path must lie below the base URL and begin with a slash, such as /links; a full address is not accepted.',
  );
  if (!/^\/(?![/\\])[^\\\s#]*$/.test(path)) throw refused;
  const url = new URL(`${baseUrl}${path}`);
  const base = new URL(baseUrl);
  // Parsing has resolved `..`, also in its encoded forms.
  if (url.origin !== base.origin || !url.pathname.startsWith(`${base.pathname}/`)) throw refused;
  return url;
}

/** Made once: each request looks among them for its own. */
const ROUTES: readonly (readonly [RegExp, NamedOperation])[] = operations.map((named) => [
  new RegExp(`^${named.operation.route.replace(/\{\w+\}/g, '[^/]+')}$`),
  named,
]);

/** The operation whose scope and words fit a refusal: the same route, else one of the same resource, else any. */
function nearestOperation({ method, path }: RawRequest, below: string): NamedOperation {
  const group = below.split('/')[1];
  const known = ROUTES.find(([route]) => route.test(`${method} ${below}`));
  if (known) return known[1];
  const [first] = operations;
  const near = operations.find((one) => one.group === group && one.operation.effect === 'read') ?? first;
  if (!near) throw new InputError('The catalogue is empty.');
  const effect = method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'update';
  // A name outside the catalogue: it only stands in messages.
  return { ...near, name: `${method} ${path}` as OperationName, operation: { ...near.operation, effect } };
}

function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}
