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
import { isRepeatable } from '../retry/retry.ts';
import { parseRetryAfterMs } from '../retry/retry-after.ts';
import { parseErrorBody } from './parse-error-body.ts';
import { getRequestId, type TextResponse } from './text-response.ts';

const ERROR_CLASSES = {
  authentication: AuthenticationError,
  permission: PermissionError,
  notFound: NotFoundError,
  validation: ValidationError,
  conflict: ConflictError,
  rateLimit: RateLimitError,
  server: ServerError,
};

/** Creates the error for a non-2xx response: the next step is in its message, the service's text in `body`. */
export function createApiError(
  textResponse: TextResponse,
  named: NamedOperation,
  context: { secrets: readonly string[]; now: number; method: string },
): ApiError {
  const { secrets, now, method } = context;
  const { status, headers } = textResponse;
  const retryAfterMs = parseRetryAfterMs(headers, now);
  const requestId = getRequestId(headers, secrets);
  const { summary, ...details } = parseErrorBody(textResponse.text, secrets);
  const kind = getFailureKind(status, `${details.code ?? ''} ${summary}`);
  const init: ApiErrorInit = {
    status,
    operation: named.name,
    scope: named.operation.scope,
    body: summary,
    ...details,
    headers: redactHeaders(headers, secrets),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
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
  const { status, scope, retryAfterMs } = init;
  switch (kind) {
    case 'authentication':
      return 'the API key is not valid. Check that it is complete and not revoked, or create a new one in Settings → API keys.';
    case 'permission':
      return `the API key ${isScopeDocumented(named.operation.route) ? 'needs' : 'most likely needs'} the scope ${scope}. Add it in Settings → API keys.`;
    case 'notFound':
      return describeUnknownId(named, status);
    case 'validation':
      return `the service rejected the input (status ${status}). Correct the fields it names and try again.`;
    case 'conflict':
      return `the object's current state does not allow this (status ${status}). Read it again before you retry.`;
    case 'rateLimit':
      return `the rate limit of 120 requests per minute is reached${retryAfterMs === undefined ? '' : `; try again in ${Math.ceil(retryAfterMs / 1000)} s`}.`;
    case 'server':
      // §7 calls it a failure, but a write may have been half done.
      return isRepeatable(method) || named.operation.repeatable
        ? `the service failed (status ${status}). Try again later.`
        : `the service failed (status ${status}), and the call was not retried. List the ${named.group} to check before you try again.`;
    default:
      return `the service responded with status ${status}.`;
  }
}

/** The word before `{id}` in the route names the collection: `links` in `/analytics/links/{id}`. */
function describeUnknownId(named: NamedOperation, status: number): string {
  const noun = named.operation.route.match(/(\w+)\/\{/)?.[1];
  return noun === undefined
    ? `the service does not know this URL (status ${status}). Check the base URL.`
    : `the service does not know this ID (status ${status}). Take the ID from a list of ${noun}.`;
}
