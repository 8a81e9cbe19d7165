import { isWebPage } from '../api-errors/html-text.ts';
import { getRequestId, type TextResponse } from '../api-errors/text-response.ts';
import { UnexpectedResponseError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import type { NamedOperation } from '../operations/index.ts';
import { excerpt } from '../redact/redact.ts';

/** @throws UnexpectedResponseError for a body that is not JSON, truncated or too large; undefined for an empty one. */
export function parseJsonBody(textResponse: TextResponse, named: NamedOperation, secrets: readonly string[]): unknown {
  const createError = (problem: string) => createUnexpectedResponseError(textResponse, { named, secrets, problem });
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
  const { complete, truncationReason } = textResponse;
  const truncationCode = truncationReason === undefined ? 'response_too_large' : 'response_cut_off';
  return new ErrorClass(message, {
    operation: named.name,
    status: textResponse.status,
    excerpt: excerpt(textResponse.text, { secrets }),
    body,
    code: textResponse.code,
    problem: complete ? undefined : { code: truncationCode },
    ...(requestId === undefined ? {} : { requestId }),
  });
}
