import { getFailureKind, isScopeDocumented } from '../assumptions/index.ts';
import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { redactHeaders } from '../redact/redact.ts';
import { getRequestId, type TextResponse } from '../response/parse-body.ts';
import { isRepeatable } from '../retry/retry.ts';
import { parseRetryAfterMs } from '../retry/retry-after.ts';
import { parseErrorBody } from './parse-error-body.ts';

const ERROR_CLASSES = {
  authentication: AuthenticationError,
  permission: PermissionError,
  notFound: NotFoundError,
  validation: ValidationError,
  conflict: ConflictError,
  rateLimit: RateLimitError,
  server: ServerError,
};

/** The error that a non-2xx answer means, with a next step in its message and the service's words in `body`. */
export function createApiError(
  textResponse: TextResponse,
  named: NamedOperation,
  context: { secrets: readonly string[]; now: number; method: string },
): ApiError {
  const { secrets, now, method } = context;
  const { status, headers } = textResponse;
  const kind = getFailureKind(status);
  const retryAfter = parseRetryAfterMs(headers, now);
  const requestId = getRequestId(headers, secrets);
  const { summary, ...details } = parseErrorBody(textResponse.text, secrets);
  const init: ApiErrorInit = {
    status,
    operation: named.name,
    scope: named.operation.scope,
    body: summary,
    ...details,
    headers: redactHeaders(headers, secrets),
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
    ...(requestId === undefined ? {} : { requestId }),
  };
  const ErrorClass = kind ? ERROR_CLASSES[kind] : ApiError;
  return new ErrorClass(`${named.name}: ${getAdvice(kind, init, { named, method })}`, init);
}

function getAdvice(
  kind: keyof typeof ERROR_CLASSES | undefined,
  init: ApiErrorInit,
  { named, method }: { named: NamedOperation; method: string },
): string {
  const { status, scope, retryAfterMs: retryAfter } = init;
  switch (kind) {
    case 'authentication':
      return 'the service refused the API key. Check that it is whole and not revoked, or create another in Settings → API keys.';
    case 'permission':
      return `the key was refused. It ${isScopeDocumented(named.operation.route) ? 'needs' : 'most likely needs'} the scope ${scope}; add it in Settings → API keys.`;
    case 'notFound':
      return describeUnknownId(named, status);
    case 'validation':
      return `the service refused the input (status ${status}); correct the fields that it names and try again.`;
    case 'conflict':
      return `the state of the object does not allow this (status ${status}); read it again before you repeat the call.`;
    case 'rateLimit':
      return `the service's limit of 120 requests a minute is used up${retryAfter === undefined ? '' : `; try again in ${Math.ceil(retryAfter / 1000)} s`}.`;
    case 'server':
      // §7 calls it a failure, but a failure halfway may leave something behind.
      return isRepeatable(method) || named.operation.repeatable
        ? `the service failed (status ${status}); try again later.`
        : `the service failed (status ${status}); it was not repeated. List the ${named.group} and look before you try again.`;
    default:
      return `the service answered with status ${status}.`;
  }
}

/** The word before `{id}` in the route names what the id belongs to: `links` in `/analytics/links/{id}`. */
function describeUnknownId(named: NamedOperation, status: number): string {
  const noun = named.operation.route.match(/(\w+)\/\{/)?.[1];
  return noun === undefined
    ? `the service does not know this address (status ${status}). Check the base URL.`
    : `the service does not know this id (status ${status}). Take the id from a list of ${noun}.`;
}
