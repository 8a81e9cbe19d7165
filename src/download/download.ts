import { excerpt } from '../answer/redact.ts';
import { DOWNLOAD_EXPIRED } from '../assumptions/index.ts';
import type { Heard } from '../call/api-rules.ts';
import { call } from '../call/call.ts';
import type { ClientContext, RequestOptions } from '../call/context.ts';
import { readText } from '../call/read-text.ts';
import type { Wire } from '../call/rules.ts';
import { InputError, NetworkError, TimeoutError, UnexpectedResponseError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { DEFAULT_RETRY } from '../retry/retry.ts';
import { guardBody, SILENCE_MS, sizeOf } from '../wire/guarded-body.ts';
import { resolveAddress } from '../wire/storage-address.ts';
import { discard, peek, type Transport, type TransportResponse } from '../wire/transport.ts';
import { type Address, findAddress, nameOfDisposition } from './download-answer.ts';
import { type FetchOptions, fetchStored } from './fetch-stored.ts';

/** A file on its way: where it can be had for a short time, what it is called, and its bytes. */
export interface Download {
  /** Short-lived address, a secret; undefined where the service sent the bytes themselves. */
  readonly url: string | undefined;
  /** Safe to write into a folder: one segment, no control characters. */
  readonly name: string | undefined;
  /** Media type, as far as known before the bytes are asked for. */
  readonly type: string | undefined;
  /**
   * Starts reading the bytes. Asks the short-lived address without the key and outside the limit; where that has
   * expired, asks the service once for another. Bytes that came without an address can be opened once, within a minute.
   * @throws NetworkError where the storage fails or the bytes are cut off; TimeoutError where it falls silent.
   */
  open(options?: FetchOptions): Promise<DownloadBody>;
}

export interface DownloadBody {
  readonly type: string;
  readonly name: string | undefined;
  /** From `Content-Length`, where given; fewer or more bytes end in an error. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Question extends Heard {
  readonly named: NamedOperation;
  readonly wire: Wire;
  readonly options: RequestOptions;
}

const JSON_LIMIT_BYTES = 1024 * 1024;

/**
 * Asks for a file. The answer may be JSON with an address under any usual name, a redirect, or the bytes (§4 says
 * "a short-lived presigned URL", not in which form).
 * @param renews whether an expired address may be asked for again.
 */
export function openDownload(context: ClientContext, question: Question, renews = true): Promise<Download> {
  const { named, wire, options } = question;
  const again = renews
    ? (signal: AbortSignal | undefined) =>
        openDownload(context, { ...question, options: signal ? { ...options, signal } : options }, false)
    : undefined;
  const at = (response: TransportResponse, address: Address) => {
    const fail = (reason: string) => noFile(context, question, { response, text: '', reason });
    const url = resolveAddress(address.url, { base: wire.url, fail });
    return addressed(context, { ...address, url, again });
  };
  return call(context, {
    named,
    wire: { ...wire, headers: { ...wire.headers, accept: 'application/json, */*;q=0.8' } },
    options,
    redirects: true,
    read: async (response, hold) => {
      const { location, 'content-type': type = '' } = response.headers;
      if (response.status >= 300) {
        await discard(response);
        if (location === undefined)
          throw noFile(context, question, { response, text: 'a redirect to nowhere' });
        return at(response, { url: location });
      }
      const seen = /\bjson\b|^text\/html\b/i.test(type) ? undefined : await peek(response.body);
      // Without a telling type the first bytes tell: an address, JSON, or the file.
      if (seen && !(/^(text\/plain\b|$)/i.test(type) && /^\s*(?:[{["]|https?:\/\/|$)/.test(seen.start)))
        return direct({ ...response, body: seen.body }, { stop: hold(), signal: options.signal });
      const { text } = await readText(seen ? { ...response, body: seen.body } : response, JSON_LIMIT_BYTES);
      const found = findAddress(text);
      if (!found) throw noFile(context, question, { response, text });
      return at(response, found);
    },
  });
}

function noFile(
  context: ClientContext,
  { named }: Question,
  answer: { response: TransportResponse; text: string; reason?: string },
): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${named.name}: ${answer.reason ?? 'the answer holds neither a file nor the address of one'}.`,
    {
      operation: named.name,
      status: answer.response.status,
      excerpt: excerpt(answer.text, { secrets: [context.revealKey()] }),
    },
  );
}

function direct(
  response: TransportResponse,
  held: { stop: AbortController; signal: AbortSignal | undefined },
): Download {
  const { stop } = held;
  const forgotten = setTimeout(
    () => stop.abort(new TimeoutError('The file was not opened in time; ask for it again.')),
    SILENCE_MS,
  );
  forgotten.unref();
  let opened = false;
  const { name, type } = describeBody(response);
  return {
    url: undefined,
    name,
    type,
    open: async ({ signal, timeoutMs } = {}) => {
      if (opened) throw new InputError('The bytes came without an address, so they can be opened only once.');
      opened = true;
      clearTimeout(forgotten);
      const signals = [held.signal, signal].filter((one) => one !== undefined);
      const guard = { stop, signal: AbortSignal.any(signals), silenceMs: timeoutMs };
      guard.signal.throwIfAborted();
      return describeBody({ ...response, body: guardBody(response, guard) });
    },
  };
}

function addressed(
  context: ClientContext,
  file: {
    url: URL;
    name?: string | undefined;
    type?: string | undefined;
    again: ((signal: AbortSignal | undefined) => Promise<Download>) | undefined;
  },
): Download {
  return {
    url: file.url.href,
    name: file.name,
    type: file.type,
    open: async (options = {}) => {
      const response = await fetchStored(context, file.url, options);
      const { status } = response;
      if (status >= 200 && status < 300) {
        const body = describeBody(response);
        return { ...body, name: body.name ?? file.name };
      }
      const expired = DOWNLOAD_EXPIRED.includes(status);
      if (expired && file.again) return (await file.again(options.signal)).open(options);
      throw new NetworkError(
        `The file's short-lived address answered ${status}${expired ? ', and a fresh one too' : ''}; ask for the file again.`,
      );
    },
  };
}

/**
 * Opens a file at an address of any host, following redirects; no key goes along.
 * @throws NetworkError where the address can't be reached, or answers with a status other than 2xx.
 */
export async function fetchAddress(
  transport: Transport,
  address: string,
  options: FetchOptions = {},
): Promise<DownloadBody> {
  const response = await fetchStored({ transport, retry: DEFAULT_RETRY }, new URL(address), options);
  if (response.status >= 200 && response.status < 300) return describeBody(response);
  throw new NetworkError(`The file's address answered ${response.status}; it may have expired.`);
}

function describeBody(response: TransportResponse): DownloadBody {
  const { 'content-type': type, 'content-disposition': disposition } = response.headers;
  return {
    type: type?.split(';')[0]?.trim() || 'application/octet-stream',
    name: nameOfDisposition(disposition),
    sizeBytes: sizeOf(response),
    bytes: response.body,
  };
}
