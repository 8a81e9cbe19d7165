import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  DocshareError,
  IncompleteListError,
  InputError,
  NetworkError,
  NotFoundError,
  type PendingUpload,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
  ValidationError,
} from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { excerpt, redact } from '../../src/redact/redact.ts';
import type { Tool } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';

/** Characters that are kept of a message: no sentence of ours is nearly as long. */
const MAX_HEAD_LENGTH = 3_000;
const MAX_TAIL_LENGTH = 1_000;

/** From the narrowest class to the widest: the first that fits names the failure. */
const ERROR_CODES = [
  [AuthenticationError, 'authentication_failed'],
  [PermissionError, 'permission_denied'],
  [NotFoundError, 'not_found'],
  [ValidationError, 'invalid_input'],
  [ConflictError, 'conflict'],
  [RateLimitError, 'rate_limited'],
  [ServerError, 'service_failed'],
  [ApiError, 'refused'],
  [NetworkError, 'unreachable'],
  [TimeoutError, 'timeout'],
  [UnknownOutcomeError, 'unknown_outcome'],
  [UploadError, 'upload_failed'],
  [InputError, 'invalid_arguments'],
  [UnexpectedResponseError, 'unexpected_response'],
  [IncompleteListError, 'incomplete_list'],
  [DocshareError, 'failed'],
] as const;

/**
 * What went wrong, as data: `message` is ours and says what to do; what the service itself said stands apart in
 * `service_message`, clipped and redacted, because anybody may have written it.
 */
export function describeFailure(
  error: unknown,
  { secrets = [], tool }: { secrets?: readonly string[]; tool?: Tool },
): JsonObject {
  if (error instanceof ToolError)
    return { code: error.code, message: truncateMiddle(error.message), ...error.details };
  const code = ERROR_CODES.find(([Kind]) => error instanceof Kind)?.[1];
  if (code === undefined || !(error instanceof Error))
    return {
      code: 'internal',
      message: 'This server failed on the call; nothing more is known. Try once more, then report it.',
    };
  // What this server's own source threw in the middle of an upload, passed on by the client.
  if (code === 'failed' && error.cause instanceof ToolError) return describeFailure(error.cause, {});
  const { advice, serviceMessage } = splitServiceMessage(error, tool);
  return {
    code,
    message: truncateMiddle(redact(advice, secrets)),
    ...(error instanceof PermissionError ? { scope: error.scope } : {}),
    ...((error instanceof ApiError || error instanceof UploadError) && error.retryAfterMs !== undefined
      ? { retry_after_s: Math.ceil(error.retryAfterMs / 1000) }
      : {}),
    ...(error instanceof ApiError && error.requestId !== undefined && /^[\w.:-]{1,64}$/.test(error.requestId)
      ? { request_id: error.requestId }
      : {}),
    ...(serviceMessage === '' ? {} : { service_message: excerpt(serviceMessage, { limit: 300, secrets }) }),
  };
}

/** A sentence may hold what was given, however long that is: its beginning and its end say what went wrong and what to do. */
function truncateMiddle(message: string): string {
  const omitted = message.length - MAX_HEAD_LENGTH - MAX_TAIL_LENGTH;
  if (omitted <= 0) return message;
  const head = message.slice(0, MAX_HEAD_LENGTH).replace(/[\ud800-\udbff]$/, '');
  const tail = message.slice(-MAX_TAIL_LENGTH).replace(/^[\udc00-\udfff]/, '');
  return `${head}… (${omitted} characters are left out) …${tail}`;
}

/** The core's upload errors quote the storage at their end. */
function splitServiceMessage(
  error: Error,
  tool: Tool | undefined,
): { advice: string; serviceMessage: string } {
  if (error instanceof NotFoundError && tool?.idSource !== undefined)
    return {
      advice: `The service does not know this id (status ${error.status}). Find the right one with ${tool.idSource}.`,
      serviceMessage: error.body,
    };
  if (error instanceof ApiError) return { advice: error.advice, serviceMessage: error.body };
  if ((error instanceof UploadError || error instanceof UnknownOutcomeError) && error.pending)
    return {
      advice: describeUnregisteredUpload(error, error.pending),
      serviceMessage: error.cause instanceof ApiError ? error.cause.body : '',
    };
  if (error instanceof IncompleteListError)
    return { advice: error.message, serviceMessage: error.cause?.body ?? '' };
  if (error instanceof UnexpectedResponseError)
    return { advice: error.message, serviceMessage: error.excerpt };
  const [advice = '', serviceMessage = ''] = error.message.split(/ It said: "/);
  return { advice, serviceMessage: serviceMessage.replace(/"$/, '') };
}

/** What the client's own sentence leads to, to finalize what is pending, no tool does: the file is uploaded again. */
function describeUnregisteredUpload(
  error: UploadError | UnknownOutcomeError,
  { documentId }: PendingUpload,
): string {
  const { cause } = error;
  const retryAdvice = 'upload the file again';
  if (error instanceof UnknownOutcomeError) {
    const lookAdvice = documentId === undefined ? 'in a list of documents' : 'at the document';
    return `The bytes are stored, but it is unknown whether they were registered. Look ${lookAdvice}; if they are not there, ${retryAdvice}.`;
  }
  if (cause instanceof NotFoundError && documentId !== undefined)
    return `The service does not know this document_id (status ${cause.status}), so no version was made. Take the id from a list of documents, and ${retryAdvice}.`;
  const reason = cause instanceof ApiError ? cause.advice : cause instanceof Error ? cause.message : '';
  return `The bytes are stored but not registered, so no document was made: ${reason} Then ${retryAdvice}.`;
}

/** A failure as a result: only `content`, since an error need not keep to the answer's schema. */
export function toFailureResult(failure: JsonObject): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify({ error: failure }) }],
    isError: true,
  };
}
