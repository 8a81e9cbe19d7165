import {
  ENVELOPE_KEYS,
  ENVELOPE_SIBLINGS,
  ERROR_MESSAGE_FIELDS,
  failureKind,
  isScopeDocumented,
  REQUEST_ID_HEADERS,
} from './assumptions.ts';
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from './errors.ts';
import { idOf, isObject, type JsonObject } from './fields.ts';
import { type Page, readPage } from './list.ts';
import type { NamedOperation } from './operations/index.ts';
import { excerpt } from './redact.ts';
import { retryAfterMs } from './retry-after.ts';

/** A whole answer: its head and its text, decoded and bounded. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where the body was larger than the core reads. */
  readonly complete: boolean;
}

export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '');
}

/**
 * The object that a 2xx answer holds, out of its envelope. An empty body reads as `{}`, so that a write without an
 * answer is still an answer; where the document promises a field, it is an error.
 * @throws UnexpectedResponseError for a body that is not JSON, cut, too large, or without a promised field.
 */
export function readItem(answer: Answer, named: NamedOperation, secrets: readonly string[]): unknown {
  const raw = parseJson(answer, named, secrets) ?? {};
  const { output } = named.operation;
  const candidates = [raw, unwrap(raw, named.group)].filter((value) => value !== undefined);
  if (candidates.length === 2 && isBareEnvelope(raw)) candidates.reverse();
  for (const candidate of candidates) {
    const parsed = output.safeParse(candidate);
    if (parsed.success) return parsed.data;
  }
  const parsed = output.safeParse(raw);
  const lacks = parsed.error?.issues.map((issue) => issue.path.join('.') || 'an object').join(', ') ?? '';
  throw unexpected(answer, { named, secrets, what: `lacks what the API document promises (${lacks})` });
}

/** @throws UnexpectedResponseError for a body that is not JSON, cut, too large, or holds no list. */
export function readList(
  answer: Answer,
  named: NamedOperation,
  secrets: readonly string[],
): Page<JsonObject> {
  const raw = parseJson(answer, named, secrets);
  // The last word of the route names what is listed: `pages`, `visitors`, `invoices`.
  const resource = named.operation.route.split('/').at(-1) ?? named.group;
  const page = readPage(raw, { resource, headers: answer.headers });
  if (page === undefined) throw unexpected(answer, { named, secrets, what: 'holds no list' });
  return page;
}

function parseJson(answer: Answer, named: NamedOperation, secrets: readonly string[]): unknown {
  const fail = (what: string) => unexpected(answer, { named, secrets, what });
  if (!answer.complete) throw fail('is larger than the client reads');
  const text = answer.text.replace(/^\uFEFF/, '').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (/^<(!doctype|html|\?xml)/i.test(text))
      throw fail('is a web page, not JSON: the base URL may be wrong');
    throw fail('is not JSON or was cut off');
  }
}

function unexpected(
  answer: Answer,
  context: { named: NamedOperation; secrets: readonly string[]; what: string },
): UnexpectedResponseError {
  const { named, secrets, what } = context;
  const done =
    named.operation.effect === 'read' ? '' : ' The call itself succeeded: look before you repeat it.';
  return new UnexpectedResponseError(`${named.name}: the answer (status ${answer.status}) ${what}.${done}`, {
    operation: named.name,
    status: answer.status,
    excerpt: excerpt(answer.text, { secrets }),
  });
}

/** The one object inside an envelope such as `{data: {…}}` or `{link: {…}}`; undefined where nothing looks like one. */
function unwrap(raw: unknown, group: string): unknown {
  if (!isObject(raw)) return undefined;
  const singular = group.replace(/s$/, '');
  for (const key of [singular, ...ENVELOPE_KEYS, 'item', 'record', group]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (isObject(value)) return unwrapDeeper(value, singular);
  }
  const objects = Object.entries(raw).filter(
    ([key, value]) => isObject(value) && !ENVELOPE_SIBLINGS.includes(key),
  );
  return objects.length === 1 ? objects[0]?.[1] : undefined;
}

function unwrapDeeper(value: JsonObject, singular: string): JsonObject {
  const inner = value[singular];
  return Object.keys(value).length === 1 && isObject(inner) ? inner : value;
}

/** Whether nothing but the wrapped object and words about the answer stands at the top. */
function isBareEnvelope(raw: unknown): boolean {
  if (!isObject(raw) || idOf(raw) !== undefined) return false;
  const rest = Object.entries(raw).filter(([key]) => !ENVELOPE_SIBLINGS.includes(key));
  return rest.length === 1 && isObject(rest[0]?.[1]);
}

const LADDER = {
  authentication: AuthenticationError,
  permission: PermissionError,
  notFound: NotFoundError,
  validation: ValidationError,
  conflict: ConflictError,
  rateLimit: RateLimitError,
  server: ServerError,
};

/** The error that a non-2xx answer means, with a next step in its message and the service's words in `body`. */
export function failureOf(
  answer: Answer,
  named: NamedOperation,
  context: { secrets: readonly string[]; now: number },
): ApiError {
  const { secrets, now } = context;
  const { status, headers } = answer;
  const kind = failureKind(status);
  const wait = retryAfterMs(headers, now);
  const requestId = requestIdOf(headers);
  const details: ApiErrorDetails = {
    status,
    operation: named.name,
    scope: named.operation.scope,
    body: excerpt(serviceWords(answer.text), { secrets }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const Kind = kind ? LADDER[kind] : ApiError;
  return new Kind(`${named.name}: ${adviceFor(kind, details, named)}`, details);
}

function adviceFor(
  kind: keyof typeof LADDER | undefined,
  details: ApiErrorDetails,
  named: NamedOperation,
): string {
  const { status, scope, retryAfterMs: wait } = details;
  switch (kind) {
    case 'authentication':
      return 'the service refused the API key. Check that it is whole and not revoked, or create another in Settings → API keys.';
    case 'permission':
      return `the key was refused. It ${isScopeDocumented(named.operation.route) ? 'needs' : 'most likely needs'} the scope ${scope}; add it in Settings → API keys.`;
    case 'notFound':
      return `the service does not know this ${named.operation.route.includes('{') ? 'id' : 'address'} (status ${status}). List the ${named.group} to find the right one.`;
    case 'validation':
      return `the service refused the input (status ${status}); see its reason, correct the fields and try again.`;
    case 'conflict':
      return `the state of the object does not allow this (status ${status}); read it again before you repeat the call.`;
    case 'rateLimit':
      return `the service's limit of 120 requests a minute is used up${wait === undefined ? '' : `; try again in ${Math.ceil(wait / 1000)} s`}.`;
    case 'server':
      return `the service failed (status ${status}); try again later.`;
    default:
      return `the service answered with status ${status}.`;
  }
}

/** The service's own words in an error body: the message of a JSON error, the title of a page, else the text. */
export function serviceWords(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('<'))
    return trimmed
      .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
      .replace(/<[^>]*>/g, ' ')
      .trim();
  try {
    return messageOf(JSON.parse(trimmed), 0) ?? trimmed;
  } catch {
    return trimmed;
  }
}

function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth > 3) return undefined;
  if (Array.isArray(value)) {
    const words = value.slice(0, 5).flatMap((one) => messageOf(one, depth + 1) ?? []);
    return words.length > 0 ? words.join('; ') : undefined;
  }
  if (!isObject(value)) return undefined;
  for (const field of ERROR_MESSAGE_FIELDS) {
    const words = Object.hasOwn(value, field) ? messageOf(value[field], depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}
