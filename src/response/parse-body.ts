import { isWebPage } from '../api-errors/html-text.ts';
import { getRequestId, type TextResponse } from '../api-errors/text-response.ts';
import { UnexpectedResponseError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import type { NamedOperation } from '../operations/index.ts';
import { createExcerpt } from '../redact/redact.ts';

/** @throws UnexpectedResponseError for a body that is not JSON, truncated or too large; undefined for an empty one. */
export function parseJsonBody(textResponse: TextResponse, named: NamedOperation, secrets: readonly string[]): unknown {
  const createError = (problem: string) => createInvalidResponseError(textResponse, { named, secrets, problem });
  if (!textResponse.complete) throw createError(describeTruncation(textResponse));
  const text = getTrimmedText(textResponse);
  if (text === '') return undefined;
  try {
    return parseJsonExact(text);
  } catch {
    if (isWebPage(text, textResponse.headers['content-type']))
      throw createError('is a web page, not JSON: the base URL may be wrong');
    throw createError(describeEncoding(textResponse) ?? 'is not JSON or was cut off');
  }
}

export const FAILED_MESSAGE = 'reports a failure and contains nothing else';

/** Says why a response to a read is incomplete and what to do. */
export function describeTruncation({ truncationReason = 'was cut off', isTooLarge }: TextResponse): string {
  return isTooLarge
    ? `${truncationReason}. Request fewer entries at once, for example with \`limit\``
    : truncationReason;
}

/** Returns what is wrong with bytes in an encoding that nobody decoded; undefined for text. */
export function describeEncoding({ headers, text }: TextResponse): string | undefined {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && text.includes('\ufffd')
    ? `is compressed in a way that the client can't read (content-encoding: ${encoding})`
    : undefined;
}

/** Text without a byte order mark and surrounding spaces. */
export function getTrimmedText({ text }: TextResponse): string {
  return text.replace(/^\uFEFF/, '').trim();
}

export interface ResponseContext {
  readonly named: NamedOperation;
  readonly secrets: readonly string[];
  readonly ErrorClass?: typeof UnexpectedResponseError;
}

export function createInvalidResponseError(
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
  const { complete, isTooLarge } = textResponse;
  const truncationCode = isTooLarge ? 'response_too_large' : 'response_cut_off';
  return new ErrorClass(message, {
    operation: named.name,
    status: textResponse.status,
    excerpt: createExcerpt(textResponse.text, { secrets }),
    body,
    code: textResponse.code,
    problem: complete ? undefined : { code: truncationCode },
    requestId: getRequestId(textResponse.headers, secrets),
  });
}
