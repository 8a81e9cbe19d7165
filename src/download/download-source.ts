import { EXPIRED_URL_STATUSES } from '../assumptions/index.ts';
import { InputError, NetworkError, TimeoutError, UnexpectedResponseError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { createExcerpt } from '../redact/redact.ts';
import type { SendRequestParams } from '../request/api-policy.ts';
import type { ClientContext, ExchangeContext } from '../request/client-context.ts';
import { readResponseText } from '../request/read-response-text.ts';
import { sendRequest } from '../request/send-request.ts';
import { anySignal, onAbort } from '../timer.ts';
import { BODY_IDLE_TIMEOUT_MS, guardBody } from '../transport/guard-body.ts';
import { resolveStorageUrl } from '../transport/storage-url.ts';
import { drainBody, peekBody, type TransportResponse } from '../transport/transport.ts';
import { type DownloadOptions, fetchFromStorage } from './fetch-from-storage.ts';
import { type FileLocation, findFileLocation, parseFileHeaders } from './file-location.ts';

/** Short-lived source of a file's bytes. */
export interface DownloadSource {
  readonly context: ExchangeContext;
  readonly operation: string;
  /** Undefined if the service sent the bytes themselves, which can be read once. */
  readonly url: string | undefined;
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Returns the storage's response with any status; `headers` may request a range. */
  fetch(options: DownloadOptions, headers?: Readonly<Record<string, string>>): Promise<TransportResponse>;
  /** Requests the file from the service again. */
  renew(signal: AbortSignal | undefined): Promise<DownloadSource>;
}

export type FileRequest = Pick<SendRequestParams<unknown>, 'named' | 'request' | 'options' | 'responseRecord'>;

const MAX_JSON_BYTES = 1024 * 1024;

/** Requests a file: JSON with a URL, a redirect, or the bytes (§4 does not say which). */
export function requestFile(context: ClientContext, fileRequest: FileRequest): Promise<DownloadSource> {
  const { named, request, options, responseRecord } = fileRequest;
  const common = {
    context,
    operation: named.name,
    renew: (signal: AbortSignal | undefined) =>
      requestFile(context, { ...fileRequest, options: signal ? { ...options, signal } : options }),
  };
  const toSource = (response: TransportResponse, fileLocation: FileLocation) => {
    const createError = (reason: string) => createNoFileError(context, fileRequest, { response, text: '', reason });
    const url = resolveStorageUrl(fileLocation.url, { base: request.url, createError });
    const { name, type } = fileLocation;
    const fetch: DownloadSource['fetch'] = (options, headers) => fetchFromStorage(context, { url, headers }, options);
    return { ...common, url: url.href, name, type, fetch };
  };
  return sendRequest(context, {
    named,
    request: { ...request, headers: { ...request.headers, accept: 'application/json, */*;q=0.8' } },
    options,
    responseRecord,
    acceptsRedirects: true,
    read: async (response, detach) => {
      const { location, 'content-type': type = '' } = response.headers;
      if (response.status >= 300) {
        checkDownloadFact(context, named, 'redirect');
        await drainBody(response);
        if (location === undefined)
          throw createNoFileError(context, fileRequest, { response, text: 'redirect without a location' });
        return toSource(response, { url: location });
      }
      const peeked = /\bjson\b|^text\/html\b/i.test(type) ? undefined : await peekBody(response.body);
      // If the type is unclear, the first bytes decide: a URL, JSON, or the file.
      if (peeked && !(/^(text\/plain\b|$)/i.test(type) && /^\s*(?:[{["]|https?:\/\/|$)/.test(toStart(peeked.first)))) {
        checkDownloadFact(context, named, 'bytes');
        const guardOptions = { controller: detach(), signal: options.signal, closing: context.closing };
        return { ...common, ...createDirectSource({ ...response, body: peeked.body }, guardOptions) };
      }
      const { text } = await readResponseText(peeked ? { ...response, body: peeked.body } : response, MAX_JSON_BYTES);
      const foundLocation = findFileLocation(text, checkDownloadFact(context, named, 'url')?.at);
      if (!foundLocation) throw createNoFileError(context, fileRequest, { response, text });
      return toSource(response, foundLocation);
    },
  });
}

/** Returns the learned way of delivery; undefined, and reported, if this response differs. */
function checkDownloadFact(
  { activeProfile }: ClientContext,
  { name }: NamedOperation,
  delivery: 'url' | 'redirect' | 'bytes',
) {
  const fact = 'facts.download';
  const expected = activeProfile?.isTrusted(fact) ? activeProfile.profile.facts.download : undefined;
  if (!expected || expected.by === delivery) return expected;
  activeProfile?.contradict({ operation: name, fact, expected: expected.by, actual: delivery });
  return undefined;
}

function createNoFileError(
  context: ClientContext,
  { named }: FileRequest,
  responseInfo: { response: TransportResponse; text: string; reason?: string },
): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${named.name}: ${responseInfo.reason ?? 'the response contains neither a file nor its URL'}.`,
    {
      operation: named.name,
      status: responseInfo.response.status,
      excerpt: createExcerpt(responseInfo.text, { secrets: [context.revealKey()] }),
    },
  );
}

/** Source for bytes in the response itself; they wait one minute to be read. */
function createDirectSource(
  response: TransportResponse,
  guardOptions: { controller: AbortController; signal: AbortSignal | undefined; closing: AbortSignal },
): Pick<DownloadSource, 'url' | 'name' | 'type' | 'fetch'> {
  const { controller, closing } = guardOptions;
  const removeCloseListener = onAbort(closing, () => controller.abort(closing.reason));
  const expiryTimer = setTimeout(() => {
    removeCloseListener();
    controller.abort(new TimeoutError('The file was not opened in time. Request it again.'));
  }, BODY_IDLE_TIMEOUT_MS);
  expiryTimer.unref();
  let opened = false;
  return {
    url: undefined,
    ...parseFileHeaders(response),
    fetch: async ({ signal, timeoutMs }) => {
      // Checked first: an aborted call has opened nothing, and the bytes can still be read.
      const callerSignal = anySignal(guardOptions.signal, signal);
      callerSignal.throwIfAborted();
      if (opened) throw new InputError('This file can be opened only once. Request it again.');
      opened = true;
      clearTimeout(expiryTimer);
      removeCloseListener();
      const guard = { controller, signal: callerSignal, closing, idleTimeoutMs: timeoutMs };
      return { ...response, body: guardBody(response, guard) };
    },
  };
}

/**
 * Fetches the bytes from a source, or from a renewed one if its URL has expired.
 * @param range `acceptedStatuses`: statuses besides 2xx that the caller handles.
 * @throws NetworkError for any other status.
 */
export async function fetchSource(
  source: DownloadSource,
  options: DownloadOptions,
  range: { headers?: Readonly<Record<string, string>>; acceptedStatuses?: readonly number[] } = {},
): Promise<{ source: DownloadSource; response: TransportResponse }> {
  const isUsable = (response: TransportResponse) => {
    const { status } = response;
    if (status === 206 && range.headers?.['range'] === undefined && !isWholeRange(response))
      throw createPartialContentError(response);
    return (status >= 200 && status < 300) || range.acceptedStatuses?.includes(status) === true;
  };
  const response = await source.fetch(options, range.headers);
  if (isUsable(response)) return { source, response };
  if (!EXPIRED_URL_STATUSES.includes(response.status)) throw createRejectedError(response);
  const freshSource = await source.renew(options.signal);
  const freshResponse = await freshSource.fetch(options, range.headers);
  if (isUsable(freshResponse)) return { source: freshSource, response: freshResponse };
  throw createRejectedError(freshResponse, ', and a new one too');
}

/** Returns true if a range covers the whole file. */
function isWholeRange({ headers }: TransportResponse): boolean {
  const [, last, total] = headers['content-range']?.match(/^bytes 0-(\d+)\/(\d+)$/i) ?? [];
  return last !== undefined && Number(last) + 1 === Number(total);
}

function createPartialContentError(response: TransportResponse): NetworkError {
  void drainBody(response);
  return new NetworkError('The storage returned only a part of the file. Request the file again.');
}

function createRejectedError({ status }: TransportResponse, suffix = ''): NetworkError {
  const message = `The file's download URL responded with status ${status}${suffix}. Request the file again.`;
  return new NetworkError(message, undefined, { code: 'file_unavailable', status });
}

function toStart(chunk: Uint8Array | undefined): string {
  return new TextDecoder().decode(chunk?.subarray(0, 64));
}
