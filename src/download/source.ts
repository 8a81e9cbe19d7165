import { excerpt } from '../answer/redact.ts';
import { DOWNLOAD_EXPIRED } from '../assumptions/index.ts';
import type { Heard } from '../call/api-rules.ts';
import { call } from '../call/call.ts';
import type { ClientContext, ExchangeContext, RequestOptions } from '../call/context.ts';
import { readText } from '../call/read-text.ts';
import type { Wire } from '../call/rules.ts';
import { InputError, NetworkError, TimeoutError, UnexpectedResponseError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { onAbort } from '../timer.ts';
import { BODY_IDLE_TIMEOUT_MS, guardBody } from '../wire/guarded-body.ts';
import { resolveAddress } from '../wire/storage-address.ts';
import { discard, peek, type TransportResponse } from '../wire/transport.ts';
import { type Address, describeHead, findAddress } from './download-answer.ts';
import { type FetchOptions, fetchStored } from './fetch-stored.ts';

/** Where a file's bytes can be had, for a short time. */
export interface Source {
  readonly context: ExchangeContext;
  readonly operation: string;
  /** Undefined where the service sent the bytes themselves: then they can be fetched once. */
  readonly url: string | undefined;
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** The answer of the storage, whatever its status; `headers` ask for a part of the file. */
  fetch(options: FetchOptions, headers?: Readonly<Record<string, string>>): Promise<TransportResponse>;
  /** Asks the service for the file again. */
  renew(signal: AbortSignal | undefined): Promise<Source>;
}

export interface Question extends Heard {
  readonly named: NamedOperation;
  readonly wire: Wire;
  readonly options: RequestOptions;
}

const JSON_LIMIT_BYTES = 1024 * 1024;

/**
 * Asks for a file. The answer may be JSON with an address under any usual name, a redirect, or the bytes (§4 says
 * "a short-lived presigned URL", not in which form).
 */
export function askForFile(context: ClientContext, question: Question): Promise<Source> {
  const { named, wire, options } = question;
  const origin = {
    context,
    operation: named.name,
    renew: (signal: AbortSignal | undefined) =>
      askForFile(context, { ...question, options: signal ? { ...options, signal } : options }),
  };
  const at = (response: TransportResponse, address: Address) => {
    const fail = (reason: string) => noFile(context, question, { response, text: '', reason });
    const url = resolveAddress(address.url, { base: wire.url, fail });
    const { name, type } = address;
    return { ...origin, url: url.href, name, type, ...reader(context, url) };
  };
  return call(context, {
    named,
    wire: { ...wire, headers: { ...wire.headers, accept: 'application/json, */*;q=0.8' } },
    options,
    redirects: true,
    read: async (response, hold) => {
      const { location, 'content-type': type = '' } = response.headers;
      if (response.status >= 300) {
        compareForm(context, named, 'redirect');
        await discard(response);
        if (location === undefined)
          throw noFile(context, question, { response, text: 'a redirect to nowhere' });
        return at(response, { url: location });
      }
      const seen = /\bjson\b|^text\/html\b/i.test(type) ? undefined : await peek(response.body);
      // Without a telling type the first bytes tell: an address, JSON, or the file.
      if (seen && !(/^(text\/plain\b|$)/i.test(type) && /^\s*(?:[{["]|https?:\/\/|$)/.test(seen.start))) {
        compareForm(context, named, 'bytes');
        const held = { stop: hold(), signal: options.signal, closing: context.closing };
        return { ...origin, ...direct({ ...response, body: seen.body }, held) };
      }
      const { text } = await readText(seen ? { ...response, body: seen.body } : response, JSON_LIMIT_BYTES);
      const found = findAddress(text, compareForm(context, named, 'address')?.at);
      if (!found) throw noFile(context, question, { response, text });
      return at(response, found);
    },
  });
}

/** What was learned of how files are answered; undefined, and told, where this one is answered otherwise. */
function compareForm(
  { learned }: ClientContext,
  { name }: NamedOperation,
  by: 'address' | 'redirect' | 'bytes',
) {
  const fact = 'facts.download';
  const known = learned?.holds(fact) ? learned.profile.facts.download : undefined;
  if (!known || known.by === by) return known;
  learned?.contradict({ operation: name, fact, learned: known.by, came: by });
  return undefined;
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

/** Bytes that came in the answer itself: they wait a minute for whoever reads them. */
function direct(
  response: TransportResponse,
  held: { stop: AbortController; signal: AbortSignal | undefined; closing: AbortSignal },
): Pick<Source, 'url' | 'name' | 'type' | 'fetch'> {
  const { stop, closing } = held;
  const leaveClient = onAbort(closing, () => stop.abort(closing.reason));
  const forgotten = setTimeout(() => {
    leaveClient();
    stop.abort(new TimeoutError('The file was not opened in time; ask for it again.'));
  }, BODY_IDLE_TIMEOUT_MS);
  forgotten.unref();
  let opened = false;
  return {
    url: undefined,
    ...describeHead(response),
    fetch: async ({ signal, timeoutMs }) => {
      // First: who gives up before has opened nothing, and the bytes are still waiting.
      const signals = [held.signal, signal].filter((one) => one !== undefined);
      for (const one of signals) one.throwIfAborted();
      if (opened) throw new InputError('The bytes came without an address, so they can be opened only once.');
      opened = true;
      clearTimeout(forgotten);
      leaveClient();
      const guard = { stop, signal: AbortSignal.any(signals), closing, silenceMs: timeoutMs };
      return { ...response, body: guardBody(response, guard) };
    },
  };
}

function reader(context: ExchangeContext, url: URL): Pick<Source, 'fetch'> {
  return { fetch: (options, headers) => fetchStored(context, { url, headers }, options) };
}

/**
 * The bytes from a source, or from a fresh one where its address has expired.
 * @param answers statuses besides 2xx that the caller reads himself.
 * @throws NetworkError for any other status.
 */
export async function fetchFrom(
  source: Source,
  options: FetchOptions,
  ask: { headers?: Readonly<Record<string, string>>; answers?: readonly number[] } = {},
): Promise<{ source: Source; response: TransportResponse }> {
  const isUsable = (response: TransportResponse) => {
    const { status } = response;
    if (status === 206 && ask.headers?.['range'] === undefined && !isWhole(response))
      throw onlyPart(response);
    return (status >= 200 && status < 300) || ask.answers?.includes(status) === true;
  };
  const response = await source.fetch(options, ask.headers);
  if (isUsable(response)) return { source, response };
  if (!DOWNLOAD_EXPIRED.includes(response.status)) throw refused(response);
  const fresh = await source.renew(options.signal);
  const again = await fresh.fetch(options, ask.headers);
  if (isUsable(again)) return { source: fresh, response: again };
  throw refused(again, ', and a fresh one too');
}

/** A part that is all of it. */
function isWhole({ headers }: TransportResponse): boolean {
  const [, last, total] = headers['content-range']?.match(/^bytes 0-(\d+)\/(\d+)$/i) ?? [];
  return last !== undefined && Number(last) + 1 === Number(total);
}

function onlyPart(response: TransportResponse): NetworkError {
  void discard(response);
  return new NetworkError('The storage gave a part of the file unasked; ask for the file again.');
}

function refused({ status }: TransportResponse, and = ''): NetworkError {
  return new NetworkError(`The file's short-lived address answered ${status}${and}; ask for the file again.`);
}
