import type { CallToolResult } from '@modelcontextprotocol/server';
import * as errors from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { createExcerpt, redact } from '../../src/redact/redact.ts';
import type { Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { takeStart } from './quote.ts';

/** Longer messages (which quote long input) are shortened in the middle. */
const MAX_HEAD_LENGTH = 3_000;
const MAX_TAIL_LENGTH = 1_000;

/** Subclasses before their base classes: the first match counts. */
const ERROR_CODES = [
  [errors.AuthenticationError, 'authentication_failed'],
  [errors.PermissionError, 'permission_denied'],
  [errors.NotFoundError, 'not_found'],
  [errors.ValidationError, 'invalid_input'],
  [errors.ConflictError, 'conflict'],
  [errors.RateLimitError, 'rate_limited'],
  [errors.ServerError, 'service_failed'],
  [errors.ApiError, 'rejected'],
  [errors.NetworkError, 'unreachable'],
  [errors.TimeoutError, 'timeout'],
  [errors.UnknownOutcomeError, 'unknown_outcome'],
  [errors.UploadError, 'upload_failed'],
  [errors.InputError, 'invalid_arguments'],
  [errors.UnexpectedResponseError, 'unexpected_response'],
  [errors.IncompleteListError, 'incomplete_list'],
  [errors.DocshareError, 'failed'],
] as const;

/**
 * Describes an error as data. `message` is written by this server; text of the service is only in `service_message`,
 * clipped and redacted, because anyone may have written it.
 */
export function describeFailure(
  error: unknown,
  { secrets = [], tool }: { secrets?: readonly string[]; tool?: Tool },
): JsonObject {
  if (error instanceof ToolError) return { code: error.code, message: truncateMiddle(error.message), ...error.details };
  const code = ERROR_CODES.find(([Kind]) => error instanceof Kind)?.[1];
  if (code === undefined || !(error instanceof Error))
    return { code: 'internal', message: 'Internal error of this server. Try again; if it fails again, report it.' };
  // Thrown by this server's own upload source, and wrapped by the client.
  if (code === 'failed' && error.cause instanceof ToolError) return describeFailure(error.cause, {});
  const { advice, serviceMessage } = splitServiceMessage(error, tool);
  return {
    code,
    message: truncateMiddle(redact(advice, secrets)),
    ...(error instanceof errors.PermissionError ? { scope: error.scope } : {}),
    ...((error instanceof errors.ApiError || error instanceof errors.UploadError) && error.retryAfterMs !== undefined
      ? { retry_after_s: Math.ceil(error.retryAfterMs / 1000) }
      : {}),
    ...(error instanceof errors.ApiError && error.requestId !== undefined && /^[\w.:-]{1,64}$/.test(error.requestId)
      ? { request_id: error.requestId }
      : {}),
    ...(serviceMessage === '' ? {} : { service_message: createExcerpt(serviceMessage, { limit: 300, secrets }) }),
  };
}

/** Code of an error, as in its description. */
export function getFailureCode(error: unknown): string {
  return String(describeFailure(error, {})['code']);
}

/** Keeps the beginning (what went wrong) and the end (what to do). */
function truncateMiddle(message: string): string {
  const omitted = message.length - MAX_HEAD_LENGTH - MAX_TAIL_LENGTH;
  if (omitted <= 0) return message;
  const head = takeStart(message, MAX_HEAD_LENGTH);
  const tail = message.slice(-MAX_TAIL_LENGTH).replace(/^[\udc00-\udfff]/, '');
  return `${head}… (${omitted} characters omitted) …${tail}`;
}

/** Upload errors of the core quote the storage service at their end. */
function splitServiceMessage(error: Error, tool: Tool | undefined): { advice: string; serviceMessage: string } {
  if (error instanceof errors.NotFoundError && tool?.idSource !== undefined)
    return {
      advice: `No object with this ID was found (status ${error.status}). Find the right ID with ${tool.idSource}.`,
      serviceMessage: error.body,
    };
  if (error instanceof errors.ApiError) return { advice: error.advice, serviceMessage: error.body };
  if ((error instanceof errors.UploadError || error instanceof errors.UnknownOutcomeError) && error.pending)
    return {
      advice: describeUnregisteredUpload(error, error.pending),
      serviceMessage: error.cause instanceof errors.ApiError ? error.cause.body : '',
    };
  if (error instanceof errors.IncompleteListError)
    return { advice: error.message, serviceMessage: error.cause?.body ?? '' };
  if (error instanceof errors.UnexpectedResponseError) return { advice: error.message, serviceMessage: error.excerpt };
  const [advice = '', serviceMessage = ''] = error.message.split(/ (?:The service|The storage) said: "/);
  return { advice, serviceMessage: serviceMessage.replace(/"$/, '') };
}

/** The client advises to finalize the upload, which no tool does: here the file is uploaded again. */
function describeUnregisteredUpload(
  error: errors.UploadError | errors.UnknownOutcomeError,
  { documentId }: errors.PendingUpload,
): string {
  const { cause } = error;
  const retryAdvice = 'upload the file again';
  if (error instanceof errors.UnknownOutcomeError) {
    const check = documentId === undefined ? 'list_documents' : 'the versions of the document';
    return `The file was stored, but it is unknown whether the document was created. Check ${check}; if the file is missing, ${retryAdvice}.`;
  }
  if (cause instanceof errors.NotFoundError && documentId !== undefined)
    return `No document with this document_id was found (status ${cause.status}), so no version was created. Take the ID from list_documents and ${retryAdvice}.`;
  const reason = cause instanceof errors.ApiError ? cause.advice : cause instanceof Error ? cause.message : '';
  return `The file was stored, but no document was created: ${reason} Then ${retryAdvice}.`;
}

/** Error result. It has only `content`, because an error need not match the output schema. */
export function toFailureResult(failure: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ error: failure }) }], isError: true };
}
