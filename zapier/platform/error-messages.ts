import {
  ApiError,
  AuthenticationError,
  type DocshareError,
  IncompleteListError,
  InputError,
  NetworkError,
  type NotFoundError,
  operations,
  PermissionError,
  type Problem,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
} from './client-core.ts';

const OPERATION_PREFIX = /^(?:[a-z]+\.[A-Za-z]+|request|upload|finalizeUpload): /;

/** Zapier rejects messages of 250 characters and more. */
const MAX_MESSAGE_LENGTH = 249;

export interface UserMessage {
  readonly text: string;
  readonly code: string;
}

const SCOPE_ERROR_PATTERN = /scope|permission|privilege|insufficient|not (allowed|authori[sz]ed) to/i;

/** True if the API key lacks a permission, whatever the status (§7 shows none). */
export function isScopeError(error: ApiError): boolean {
  return SCOPE_ERROR_PATTERN.test(`${error.code ?? ''} ${error.body}`);
}

/** True if the service rejects the API key itself. */
export function isKeyError(error: unknown): boolean {
  return error instanceof AuthenticationError && !isScopeError(error);
}

/** True if only a missing permission explains the error: the response says so, or is a 403 without words. */
export function isMissingScope(error: ApiError): boolean {
  return isScopeError(error) || (error instanceof PermissionError && !/\p{L}/u.test(error.body));
}

/** True for a web page: some services send errors as HTML, and so do most wrong base URLs. */
function isHtmlResponse(error: ApiError): boolean {
  return /\bhtml\b/i.test(error.headers['content-type'] ?? '') && !error.body.startsWith('{');
}

/** True if a 404 means, as far as anyone can tell, that the record does not exist. */
export function isRecordNotFound(error: NotFoundError): boolean {
  return !isScopeError(error);
}

/** Product names of the scopes that are called differently in the API. */
const SCOPE_NAMES: Readonly<Record<string, string>> = { datarooms: 'Rooms', envelopes: 'Agreements' };

/** `datarooms:write` as `Rooms: write (datarooms:write)`. */
export function describeScope(scope: string): string {
  const [group = '', access] = scope.split(':');
  const name = SCOPE_NAMES[group];
  return name === undefined ? scope : `${name}: ${access} (${scope})`;
}

export function describeMissingScope(error: ApiError): UserMessage {
  if (!isMissingScope(error) && !isCustomRequest(error.operation))
    return {
      text: `Docshare does not allow this${quoteResponse(error)}. If the API key lacks the permission ${describeScope(error.scope)}, grant it in Settings → API keys, then try again.`,
      code: 'refused',
    };
  const text = isCustomRequest(error.operation)
    ? `The API key lacks a permission${quoteResponse(error)}. Grant it the permission for this path in Settings → API keys, then try again.`
    : `The API key lacks the permission ${describeScope(error.scope)}. Grant it in Settings → API keys, then try again.`;
  return { text, code: 'missing_scope' };
}

export function describeNotFound(error: NotFoundError): UserMessage {
  if (isScopeError(error)) return describeMissingScope(error);
  return { text: formatNotFound(error), code: 'not_found' };
}

/** Records that a form refers to, if it may be any of them that was not found. */
const REFERENCED_RECORDS: Readonly<Record<string, string>> = {
  'links.create': 'document or room',
  'templates.create': 'document',
  'agreements.create': 'template or document',
  'rooms.addFile': 'room or document',
  'templates.update': 'template or document',
};

function formatNotFound(error: NotFoundError): string {
  const { operation } = error;
  const scope = describeScope(error.scope);
  const noun = getNoun(operation);
  const route = operations.find(({ name }) => name === operation)?.operation.route ?? '';
  if (isCustomRequest(operation))
    return "Nothing was found at the path of this step, or the API key lacks the permission for it. Correct the path, and check the connection's base URL and the key's permissions.";
  if ((route.startsWith('GET ') || isWebhookRegistration(operation)) && !route.includes('{'))
    return `Docshare was not found at this address. Check that the connection's base URL ends in /api/v1 and that its API key has the permission ${scope}.`;
  const referenced = REFERENCED_RECORDS[operation];
  if (referenced !== undefined || !route.includes('{')) {
    const record = referenced ?? 'record';
    const idLabel = record === 'document' ? 'Document ID' : 'ID';
    return `The ${record} in this step was not found. Choose it from the list, or map its ${idLabel} (not its name). Also check the API key's permission ${scope}.`;
  }
  if (isHtmlResponse(error))
    return `This ${noun} was not found, or the base URL is wrong. Choose another ${noun} in this step, and check that the connection's base URL ends in /api/v1.`;
  return `This ${noun} was not found. Choose it from the list, or map its ID from an earlier step (not its name). It may also have been deleted, or your API key lacks the permission ${scope}.`;
}

const NOT_OFFERED: UserMessage = {
  text: "Docshare does not support this at this address. Check that the connection's base URL ends in /api/v1, with nothing after it.",
  code: 'not_offered',
};
const REJECTIONS: Readonly<Record<number, UserMessage>> = {
  402: {
    text: 'Your Docshare plan does not include this, or a payment is due. Check your billing in Docshare, then replay this run.',
    code: 'payment_required',
  },
  405: NOT_OFFERED,
  501: NOT_OFFERED,
  413: {
    text: 'This is too large for Docshare. Use a smaller file or a shorter text in this step.',
    code: 'too_large',
  },
  415: { text: 'Docshare does not accept this file type. Use another file in this step.', code: 'wrong_type' },
};

/** Message for a rejection that waiting does not fix. */
export function describeRejection(error: ApiError): UserMessage {
  const { status, operation } = error;
  if (status < 400)
    return {
      text: 'Docshare redirected this request, and the API key was not sent there. Correct the base URL in this connection: copy it from Settings → API keys.',
      code: 'redirected',
    };
  const known = REJECTIONS[status];
  if (known) return known;
  const quote = quoteResponse(error);
  if (status < 500)
    return {
      text: `Docshare rejected this (status ${status})${quote}. Change the fields of this step before you try again.`,
      code: 'refused',
    };
  const failure = `Docshare had an internal error (status ${status})${quote}`;
  if (isWebhookRegistration(operation)) return { text: `${failure}. ${WEBHOOK_RETRY_ADVICE}`, code: 'service_failed' };
  if (mayDuplicate(operation))
    return {
      text: `${failure}, and may have completed this step: ${describeCheck(operation)} before you replay it.`,
      code: 'unknown_outcome',
    };
  return {
    text: `${failure}. Replay this run in a few minutes. If it fails again, contact Docshare's support.`,
    code: 'service_failed',
  };
}

/** Message for an error without a rejection; `writeStatus` is what the step had written by then. */
export function describeClientError(
  error: DocshareError,
  writeStatus: 'nothing' | 'done' | 'pending' = 'nothing',
): UserMessage {
  if (error instanceof UnknownOutcomeError) return describeUnknownOutcome(error);
  if (error instanceof IncompleteListError) return { text: describeIncompleteList(error), code: 'incomplete_list' };
  if (error instanceof TimeoutError && writeStatus === 'pending')
    return {
      text: 'Docshare did not respond in time, so this step may or may not be complete. Check in Docshare before you replay it.',
      code: 'unknown_outcome',
    };
  if (writeStatus === 'done' && (error instanceof TimeoutError || error instanceof NetworkError))
    return {
      text: 'Part of this step was completed before Docshare stopped responding. Check what exists in Docshare before you replay this step.',
      code: 'partly_done',
    };
  const { problem } = error;
  const isWritten = error instanceof UnexpectedResponseError && !changesNothing(error.operation);
  if (problem && !isWritten) return PROBLEM_MESSAGES[problem.code](problem, error);
  if (error instanceof UnexpectedResponseError)
    return { text: describeUnexpectedResponse(error), code: isWritten ? 'partly_done' : 'unexpected_response' };
  if (error instanceof TimeoutError)
    return { text: 'Docshare did not answer in time. It is safe to replay this run.', code: 'timeout' };
  if (error instanceof UploadError) return { text: describeUploadError(error), code: 'upload_failed' };
  const code =
    error instanceof NetworkError ? 'unreachable' : error instanceof InputError ? 'invalid_input' : 'not_done';
  return { text: withoutOperationPrefix(error.message), code };
}

function describeUnknownOutcome({ operation, cause }: UnknownOutcomeError): UserMessage {
  const code = 'unknown_outcome';
  if (isWebhookRegistration(operation))
    return {
      text: `Docshare did not confirm that it will send events to this Zap. ${WEBHOOK_RETRY_ADVICE}`,
      code: 'service_failed',
    };
  const problem =
    cause instanceof UnexpectedResponseError
      ? "A web page came back: check that the connection's base URL ends in /api/v1"
      : 'Docshare sent no clear answer';
  if (!mayDuplicate(operation)) return { text: `${problem}. It is safe to replay this run.`, code: 'service_failed' };
  return {
    text: `${problem}. This step may or may not be complete: ${describeCheck(operation)} before you replay it.`,
    code,
  };
}

/** Lists are named by their operation (`documents.list`), trigger checks by the trigger's key. */
function describeIncompleteList({ operation, itemsRead }: IncompleteListError): string {
  const count = itemsRead.toLocaleString('en-US');
  if (!operation.includes('.'))
    return `This trigger could not check the whole list (${count} read), so it may miss some records. Choose a narrower trigger, such as one link instead of a room, or an instant trigger.`;
  const [group = '', method = ''] = operation.split('.');
  if (method !== 'list')
    return `There are more ${method} than one step can read (${count} read), so nothing was returned. Use a narrower filter in this step, or open them in Docshare.`;
  return `Your workspace has more ${group} than one step can search (${count} read). Use the ID from the step that created the record, or narrow the search.`;
}

function describeUnexpectedResponse({ operation }: UnexpectedResponseError): string {
  return changesNothing(operation)
    ? "Docshare sent an answer that this app does not understand. Check that the connection's base URL ends in /api/v1."
    : `Docshare completed this step, but its answer lacks what later steps need. Do not replay this step: ${describeCheck(operation)}.`;
}

/** True if nobody sees a result: a read, or the start of an upload. */
function changesNothing(operation: string): boolean {
  const definition = operations.find(({ name }) => name === operation)?.operation;
  return definition?.effect === 'read' || definition?.repeatable === true;
}

/** Messages for the problems that the client names, by their codes. */
const PROBLEM_MESSAGES: Readonly<Record<Problem['code'], (problem: Problem, error: DocshareError) => UserMessage>> = {
  service_unreachable: (problem, error) => ({ text: describeUnreachable(problem, error), code: 'unreachable' }),
  response_cut_off: () => ({
    text: "Docshare's answer was cut off. It is safe to replay this run.",
    code: 'unexpected_response',
  }),
  response_too_large: () => ({
    text: "Docshare's answer is too large for a step. Tell Docshare's support which step it was.",
    code: 'unexpected_response',
  }),
  file_cut_off: () => ({
    text: "Docshare's file was cut off on its way. It is safe to replay this run.",
    code: 'unreachable',
  }),
  file_unavailable: ({ status }) => ({
    text: `Docshare's file could not be read: its URL answered ${status}. It is safe to replay this run.`,
    code: 'unreachable',
  }),
  upload_too_slow: () => ({
    text: "The upload did not finish within Zapier's limit of 30 seconds, so no document was created. Use a smaller file, or upload this one in Docshare.",
    code: 'file_too_slow',
  }),
  invalid_id: (problem) => ({ text: describeInvalidId(problem), code: 'invalid_input' }),
  unknown_field: ({ field = '', suggestion }) => {
    const name = field.slice(0, 40);
    const text = `"${name}" is not a field of this step; did you mean ${suggestion}? If Docshare really has it, write {"extra": {"${name}": …}} in Additional Fields as JSON.`;
    return { text, code: 'invalid_input' };
  },
};

function describeUnreachable({ origin }: Problem, error: DocshareError): string {
  const { code = '' } = error instanceof NetworkError ? error : {};
  if (/CERT|SSL|TLS|SIGNED|SIGNATURE|ISSUER/.test(code))
    return `The certificate of ${origin} is not valid, so nothing was sent. Check the connection's base URL, or contact the administrator of this server.`;
  if (code === 'ENOTFOUND')
    return `There is no server at ${origin}. Correct the connection's base URL: copy it from Settings → API keys.`;
  return `Docshare could not be reached at ${origin}. Check the connection's base URL. If it is correct, replay this run when the server is back.`;
}

/** Names the field by its label in the form. */
function describeInvalidId({ operation = '', field = '' }: Problem): string {
  const noun = field === 'id' ? getNoun(operation) : field.replace(/_?id$/i, '');
  const label = noun.charAt(0).toUpperCase() + noun.slice(1);
  return `Choose ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} in the field ${label}.`;
}

function describeUploadError({ pending, status = 0, cause }: UploadError): string {
  const quote = cause instanceof ApiError ? quoteResponse(cause) : '';
  if (pending?.documentId && [400, 404, 422].includes(status))
    return `Docshare did not accept the new version${quote}. If "New Version Of" is wrong, choose it from the list, or map its Document ID (not its name).`;
  if (pending) {
    const advice = [400, 422].includes(status)
      ? 'Change the file or this step before you replay it.'
      : 'Look for it in Docshare, and replay this step if it is not there.';
    return `The file was uploaded, but Docshare did not create a document from it${quote}. ${advice}`;
  }
  const reason = status === 0 ? 'the connection to the storage broke' : `the storage responded with status ${status}`;
  return `The upload failed: ${reason}. No document was created. It is safe to replay this run.`;
}

function withoutOperationPrefix(message: string): string {
  const text = message.replace(OPERATION_PREFIX, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The service's own words, by field if it names them, short enough to leave room for the advice after them. */
export function quoteResponse(error: ApiError): string {
  const fieldDetails = error.details.filter(({ field }) => field !== undefined);
  const details =
    fieldDetails.length > 0 ? fieldDetails.map(({ field, message }) => `${field}: ${message}`).join('; ') : error.body;
  const excerpt = details.slice(0, 100).trim();
  return excerpt === '' ? '' : `: "${excerpt}${details.length > 100 ? '…' : ''}"`;
}

export function truncateMessage(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}

/** True for a request to a path of the user's own, whose name is the method and the path. */
function isCustomRequest(operation: string): boolean {
  return operation.includes(' ');
}

/** Registering again replaces the registration, so it is safe to repeat. */
function isWebhookRegistration(operation: string): boolean {
  return operation === 'webhooks.create';
}

const WEBHOOK_RETRY_ADVICE = 'Turn the Zap on again, or replay the run, in a few minutes.';

/** True if a second run could create a second record or send a second e-mail. */
function mayDuplicate(operation: string): boolean {
  const definition = operations.find(({ name }) => name === operation)?.operation;
  return (definition?.route ?? operation).startsWith('POST ') && definition?.repeatable !== true;
}

/** Tells a person how to find out whether a write was done. */
function describeCheck(operation: string): string {
  const noun = getNoun(operation);
  if (operation.endsWith('.send')) return `check in Docshare whether the ${noun} was sent`;
  const [, part] = /\.add([A-Z][a-z]+)$/.exec(operation) ?? [];
  return `look for the ${part ? `${part.toLowerCase()} of the ${noun}` : noun} in Docshare`;
}

function getNoun(operation: string): string {
  const [group = '', method = ''] = operation.split('.');
  if (isCustomRequest(operation) || group === 'billing' || group === 'request') return 'record';
  if (group === 'analytics') return method === 'visitors' ? 'link' : method;
  return group.replace(/s$/, '');
}
