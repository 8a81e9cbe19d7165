import { ERROR_MESSAGE_FIELDS, failureKind, isScopeDocumented } from '../assumptions/index.ts';
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { isRepeatable } from '../retry/retry.ts';
import { retryAfterMs } from '../retry/retry-after.ts';
import { isObject } from './fields.ts';
import { excerpt } from './redact.ts';
import { requestIdOf, type TextAnswer } from './response.ts';

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
  answer: TextAnswer,
  named: NamedOperation,
  context: { secrets: readonly string[]; now: number; method: string },
): ApiError {
  const { secrets, now, method } = context;
  const { status, headers } = answer;
  const kind = failureKind(status);
  const wait = retryAfterMs(headers, now);
  const requestId = requestIdOf(headers, secrets);
  const details: ApiErrorDetails = {
    status,
    operation: named.name,
    scope: named.operation.scope,
    body: excerpt(serviceWords(answer.text), { secrets }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const Kind = kind ? LADDER[kind] : ApiError;
  return new Kind(`${named.name}: ${adviceFor(kind, details, { named, method })}`, details);
}

function adviceFor(
  kind: keyof typeof LADDER | undefined,
  details: ApiErrorDetails,
  { named, method }: { named: NamedOperation; method: string },
): string {
  const { status, scope, retryAfterMs: wait } = details;
  switch (kind) {
    case 'authentication':
      return 'the service refused the API key. Check that it is whole and not revoked, or create another in Settings → API keys.';
    case 'permission':
      return `the key was refused. It ${isScopeDocumented(named.operation.route) ? 'needs' : 'most likely needs'} the scope ${scope}; add it in Settings → API keys.`;
    case 'notFound':
      return unknownId(named, status);
    case 'validation':
      return `the service refused the input (status ${status}); see its reason, correct the fields and try again.`;
    case 'conflict':
      return `the state of the object does not allow this (status ${status}); read it again before you repeat the call.`;
    case 'rateLimit':
      return `the service's limit of 120 requests a minute is used up${wait === undefined ? '' : `; try again in ${Math.ceil(wait / 1000)} s`}.`;
    case 'server':
      // §7 calls it a failure, but a failure halfway may leave something behind.
      return isRepeatable(method)
        ? `the service failed (status ${status}); try again later.`
        : `the service failed (status ${status}); it was not repeated. List the ${named.group} and look before you try again.`;
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

/** The word before `{id}` in the route names what the id belongs to: `links` in `/analytics/links/{id}`. */
function unknownId(named: NamedOperation, status: number): string {
  const noun = named.operation.route.match(/(\w+)\/\{/)?.[1];
  return noun === undefined
    ? `the service does not know this address (status ${status}). Check the base URL.`
    : `the service does not know this id (status ${status}). Take the id from a list of ${noun}.`;
}
