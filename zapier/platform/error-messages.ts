import {
  type ApiError,
  type DocshareError,
  IncompleteListError,
  InputError,
  NetworkError,
  type NotFoundError,
  operations,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
  UploadError,
} from './client-core.ts';

/** The name of a call before its words. */
const CALL_PREFIX = /^(?:[a-z]+\.[A-Za-z]+|request|upload|finalizeUpload): /;

/** The platform refuses longer messages. */
const MAX_MESSAGE_LENGTH = 249;

/** What a person reads, and the platform's code for it. */
export interface UserMessage {
  readonly text: string;
  readonly code: string;
}

const SCOPE_ERROR_PATTERN = /scope|permission|privilege|insufficient|not (allowed|authori[sz]ed) to/i;

/** Whether a refusal is about what the key may do, whatever its status (§7 shows none). */
export function isScopeError(error: ApiError): boolean {
  return SCOPE_ERROR_PATTERN.test(`${error.code ?? ''} ${error.body}`);
}

/** Services that answer errors as web pages exist; where the base URL leads elsewhere, a web page comes too. */
function isHtmlResponse(error: ApiError): boolean {
  return /\bhtml\b/i.test(error.headers['content-type'] ?? '') && !error.body.startsWith('{');
}

/** Whether a 404 means that this one record does not exist, for all that can be known. */
export function isRecordNotFound(error: NotFoundError): boolean {
  return !isScopeError(error);
}

export function missingScopeMessage(error: ApiError): UserMessage {
  if (isCustomRequest(error.operation))
    return {
      text: `The API key lacks a permission${quoteResponse(error)}. Give it the scope for this path in Settings → API keys, then try again.`,
      code: 'missing_scope',
    };
  return {
    text: `The API key lacks a permission. Give it the scope ${error.scope} in Settings → API keys, then try again.`,
    code: 'missing_scope',
  };
}

export function notFoundMessage(error: NotFoundError): UserMessage {
  const code = 'not_found';
  if (isScopeError(error)) return missingScopeMessage(error);
  const route = operations.find(({ name }) => name === error.operation)?.operation.route ?? '';
  if (isCustomRequest(error.operation))
    return {
      text: 'Docshare has nothing at the path of this step, or the API key may not use it. Correct the path, and check the base URL and the scopes of the key.',
      code,
    };
  if ((route.startsWith('GET ') || isWebhookRegistration(error.operation)) && !route.includes('{'))
    return {
      text: `Docshare has nothing at this address. Check that the connection's base URL ends in /api/v1 and its key has the scope ${error.scope}.`,
      code,
    };
  if (!route.includes('{'))
    return {
      text: `Docshare does not know a record that this step names, or the API key may not use it. Pick the records again, and check that the key has the scope ${error.scope}.`,
      code,
    };
  if (isHtmlResponse(error))
    return {
      text: `Docshare does not know this ${nounFor(error.operation)}, or has nothing at this address. Pick another one in this step, and check that the connection's base URL ends in /api/v1.`,
      code,
    };
  return {
    text: `Docshare does not know this ${nounFor(error.operation)}: it may have been deleted, or this API key may not see it (scope ${error.scope}). Pick another one in this step.`,
    code,
  };
}

/** A refusal that waiting does not mend. */
export function rejectionMessage(error: ApiError): UserMessage {
  const { status } = error;
  if (status < 400)
    return {
      text: 'Docshare has sent this app on to another address, where the API key must not go. Nothing was done. Correct the base URL of the connection.',
      code: 'redirected',
    };
  if (status === 402)
    return {
      text: 'The plan of your Docshare workspace does not cover this, or a payment is due. Look at its billing in Docshare, then replay this run.',
      code: 'payment_required',
    };
  if (status === 405 || status === 501)
    return {
      text: "Docshare does not do this at this address. Check that the connection's base URL ends in /api/v1, without anything behind it.",
      code: 'not_offered',
    };
  if (status === 413)
    return {
      text: 'Docshare takes nothing as large as this. Give this step a smaller file or a shorter text.',
      code: 'too_large',
    };
  if (status === 415)
    return {
      text: 'Docshare does not take a file of this type. Give this step another one.',
      code: 'wrong_type',
    };
  if (status >= 500 && isWebhookRegistration(error.operation))
    return {
      text: `Docshare itself failed (status ${status})${quoteResponse(error)}. ${RETRY_ADVICE}`,
      code: 'service_failed',
    };
  if (status >= 500 && mayDuplicate(error.operation))
    return {
      text: `Docshare itself failed (status ${status})${quoteResponse(error)}, and may have done this all the same. Look for the ${nounFor(error.operation)} in Docshare before you replay this step.`,
      code: 'unknown_outcome',
    };
  if (status >= 500)
    return {
      text: `Docshare itself failed (status ${status})${quoteResponse(error)}. Replay this run in some minutes; if it fails again, tell Docshare's support.`,
      code: 'service_failed',
    };
  return {
    text: `Docshare refused this (status ${status})${quoteResponse(error)}. Change what this step sends: the same again would be refused again.`,
    code: 'refused',
  };
}

/** What happened where no refusal came, and what the step had done by then. */
export function clientErrorMessage(
  error: DocshareError,
  writeStatus: 'nothing' | 'done' | 'open' = 'nothing',
): UserMessage {
  if (error instanceof UnknownOutcomeError && isWebhookRegistration(error.operation))
    return {
      text: `Docshare gave no clear answer when it was asked to announce its events. ${RETRY_ADVICE}`,
      code: 'unknown_outcome',
    };
  if (error instanceof UnknownOutcomeError) {
    const problem =
      error.cause instanceof UnexpectedResponseError
        ? 'A web page came in answer: check that the base URL of the connection ends in /api/v1'
        : 'No clear answer came';
    return {
      text: `${problem}, so this may or may not have been done. Look for the ${nounFor(error.operation)} in Docshare before you replay this step.`,
      code: 'unknown_outcome',
    };
  }
  if (error instanceof UnexpectedResponseError)
    return { text: unexpectedResponseMessage(error), code: 'unexpected_response' };
  if (error instanceof IncompleteListError)
    return {
      text: `Docshare did not give the whole list (${error.itemsRead} records came), so what you look for may be missing from it. Pick the record in a drop-down or by its ID.`,
      code: 'incomplete_list',
    };
  if (error instanceof TimeoutError && writeStatus === 'open')
    return {
      text: 'Docshare did not answer in time, so this may or may not have been done. Look in Docshare before you replay this step.',
      code: 'unknown_outcome',
    };
  if (writeStatus === 'done' && (error instanceof TimeoutError || error instanceof NetworkError))
    return {
      text: 'A part of this step was done, and then Docshare did not answer in time. Look in Docshare for what is there before you replay this step.',
      code: 'partly_done',
    };
  if (error instanceof TimeoutError) return timeoutMessage(error);
  if (error instanceof NetworkError) return { text: networkErrorMessage(error), code: 'unreachable' };
  if (error instanceof UploadError) return { text: uploadErrorMessage(error), code: 'upload_failed' };
  if (error instanceof InputError) return { text: inputErrorMessage(error.message), code: 'invalid_input' };
  return { text: withoutCallPrefix(error.message), code: 'not_done' };
}

function timeoutMessage({ message }: TimeoutError): UserMessage {
  if (/^The upload/.test(message))
    return {
      text: 'The file was not stored within the 30 seconds that Zapier gives a step, so no document was made. Give this step a smaller file, or upload this one in Docshare.',
      code: 'file_too_slow',
    };
  return { text: 'Docshare did not answer in time. It is safe to replay this run.', code: 'timeout' };
}

function unexpectedResponseMessage({ operation, message }: UnexpectedResponseError): string {
  const effect = operations.find(({ name }) => name === operation)?.operation.effect;
  if (effect === 'read' && /\) was cut off\b/.test(message))
    return 'The answer of Docshare broke off on its way. It is safe to replay this run.';
  if (effect === 'read' && /is larger than/.test(message))
    return "The answer of Docshare is larger than a step can take. Tell Docshare's support which step it was.";
  return effect === 'read'
    ? 'Docshare answered in a form that this app does not understand. Check that the base URL of the connection ends in /api/v1.'
    : `Docshare has done this, but its answer lacks what the next steps need. Do not replay this step: look for the ${nounFor(operation)} in Docshare.`;
}

function networkErrorMessage({ code = '', message }: NetworkError): string {
  const [, origin] = /\bat (https?:\/\/\S+?)[.\s]*(?:\(|\. |$)/.exec(message) ?? [];
  if (/was cut off/.test(message))
    return 'The file broke off on its way from Docshare. It is safe to replay this run.';
  if (origin === undefined) return withoutCallPrefix(message);
  if (/CERT|SSL|TLS|SIGNED|SIGNATURE|ISSUER/.test(code))
    return `The certificate of ${origin} is not valid, so nothing was sent. Check the base URL of the connection, or tell those who run this server.`;
  if (code === 'ENOTFOUND')
    return `There is no server at ${origin}. Correct the base URL of the connection: it stands in Settings → API keys.`;
  return `Docshare could not be reached at ${origin}. Check the base URL of the connection; if it is right, replay this run when the server is back.`;
}

function uploadErrorMessage({ pending, status }: UploadError): string {
  if (pending)
    return 'The file arrived, but Docshare did not make a document of it. Look for it in Docshare, and replay this step if it is not there.';
  const reason =
    status === undefined ? 'the connection to the storage broke' : `the storage answered ${status}`;
  return `The file was not stored: ${reason}. No document was made: it is safe to replay this run.`;
}

/** The core's words about a field, for somebody who fills in a form. */
function inputErrorMessage(message: string): string {
  const text = message.replace(CALL_PREFIX, '');
  if (text === message) return withoutCallPrefix(message);
  const [, fieldName, suggestion] =
    /^"?([^"]+?)"? is no field of this call; did you mean (\S+)\?/.exec(text) ?? [];
  if (fieldName !== undefined)
    return `"${fieldName.slice(0, 40)}" is no field of this step; did you mean ${suggestion}? If Docshare really calls it so, write {"extra": {"${fieldName.slice(0, 40)}": …}} in Additional Fields as JSON.`;
  return /^[a-z_]/.test(text) ? text.replace(/^[^\s"]+(?= (?:is|must|may) )/, 'The field "$&"') : text;
}

/** The core's words without the name of a call before them. */
function withoutCallPrefix(message: string): string {
  const text = message.replace(CALL_PREFIX, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The service's own words, by field where it names them, short enough that the advice after them is never cut off. */
export function quoteResponse(error: ApiError): string {
  const fieldDetails = error.details.filter(({ field }) => field !== undefined);
  const details =
    fieldDetails.length > 0
      ? fieldDetails.map(({ field, message }) => `${field}: ${message}`).join('; ')
      : error.body;
  const excerpt = details.slice(0, 100).trim();
  return excerpt === '' ? '' : `: "${excerpt}${details.length > 100 ? '…' : ''}"`;
}

export function truncateMessage(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}

/** A request of a person's own, to a path that the API document does not name. */
function isCustomRequest(operation: string): boolean {
  return operation.includes(' ');
}

/** A registration that stands already is replaced: asking again is safe. */
function isWebhookRegistration(operation: string): boolean {
  return operation === 'webhooks.create';
}

const RETRY_ADVICE = 'Turn the Zap on, or replay the run, once more in some minutes.';

/** Whether a second run could leave a second record, or send a second e-mail. */
function mayDuplicate(operation: string): boolean {
  const definition = operations.find(({ name }) => name === operation)?.operation;
  return (definition?.route ?? operation).startsWith('POST ') && definition?.repeatable !== true;
}

function nounFor(operation: string): string {
  const [group = 'records'] = operation.split('.');
  if (isCustomRequest(operation)) return 'record';
  return group === 'billing' || group === 'analytics' || group === 'request'
    ? 'record'
    : group.replace(/s$/, '');
}
