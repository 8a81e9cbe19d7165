import { isWebPage } from '../api-errors/html-text.ts';
import { REQUEST_ID_HEADERS } from '../assumptions/index.ts';
import { UnexpectedResponseError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import type { NamedOperation } from '../operations/index.ts';
import { excerpt } from '../redact/redact.ts';

/** A whole answer: its head and its text, decoded and bounded. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where the body was larger than the core reads, or did not come whole. */
  readonly complete: boolean;
  /** Why it did not: `was cut off`. */
  readonly truncationReason?: string;
  /** Set where that was not the service's fault: the code of what cut it. */
  readonly code?: string;
}

/** The service's own id of the request, where an answer gives one. */
export function getRequestId(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string | undefined {
  const id = REQUEST_ID_HEADERS.map((name) => headers[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return id === undefined ? undefined : excerpt(id, { limit: 100, secrets });
}

/** @throws UnexpectedResponseError for a body that is not JSON, truncated or too large; undefined for an empty one. */
export function parseJsonBody(
  textResponse: TextResponse,
  named: NamedOperation,
  secrets: readonly string[],
): unknown {
  const createError = (problem: string) =>
    createUnexpectedResponseError(textResponse, { named, secrets, problem });
  if (!textResponse.complete) throw createError(textResponse.truncationReason ?? TOO_LARGE_MESSAGE);
  const text = getTrimmedText(textResponse);
  if (text === '') return undefined;
  try {
    return parseJsonExact(text);
  } catch {
    if (isWebPage(text, textResponse.headers['content-type']))
      throw createError('is a web page, not JSON: the base URL may be wrong');
    throw createError('is not JSON or was cut off');
  }
}

export const FAILED_MESSAGE = 'reports a failure and contains nothing else';
export const TOO_LARGE_MESSAGE = 'exceeds the maximum size';

/** Text without a byte order mark and surrounding spaces. */
export function getTrimmedText({ text }: TextResponse): string {
  return text.replace(/^\uFEFF/, '').trim();
}

export interface ResponseContext {
  readonly named: NamedOperation;
  readonly secrets: readonly string[];
  readonly ErrorClass?: typeof UnexpectedResponseError;
}

/** Error for the unexpected response of a read. */
export function createUnexpectedResponseError(
  textResponse: TextResponse,
  context: ResponseContext & { problem: string; body?: unknown },
): UnexpectedResponseError {
  const { named, problem } = context;
  const message = `${named.name}: the response (status ${textResponse.status}) ${problem}.`;
  return createResponseError(message, textResponse, context);
}

export function createResponseError(
  message: string,
  textResponse: TextResponse,
  { named, secrets, body, ErrorClass = UnexpectedResponseError }: ResponseContext & { body?: unknown },
): UnexpectedResponseError {
  const requestId = getRequestId(textResponse.headers, secrets);
  return new ErrorClass(message, {
    operation: named.name,
    status: textResponse.status,
    excerpt: excerpt(textResponse.text, { secrets }),
    body,
    code: textResponse.code,
    ...(requestId === undefined ? {} : { requestId }),
  });
}
