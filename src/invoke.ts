import type { TextResponse } from './api-errors/text-response.ts';
import { type Download, openDownload } from './download/download.ts';
import { InputError } from './errors.ts';
import type { NamedOperation, OperationName } from './operations/index.ts';
import { getActiveScheme } from './pagination/active-scheme.ts';
import { createListPromise, type ListOptions, type ListPromise } from './pagination/list-promise.ts';
import { createPageUrl, type ListRequest, type NextQuery } from './pagination/next-url.ts';
import type { ParsedPage } from './pagination/page.ts';
import {
  fetchFirstPage,
  fetchNextPageByProfile,
  getLargePageQuery,
  getNextPageSizeQuery,
} from './pagination/page-size.ts';
import { parseListResponse } from './pagination/parse-list-response.ts';
import type { PageRequest } from './pagination/try-steps.ts';
import type { ActiveProfile } from './profile/active-profile.ts';
import { checkResponse } from './profile/check-response.ts';
import { getItemProfile } from './profile/profile-fields.ts';
import type { JsonObject } from './records/fields.ts';
import { findSecrets } from './redact/redact.ts';
import { type ResponseRecord, type SendRequestParams, toResponseHead } from './request/api-policy.ts';
import { buildRequest } from './request/build-request.ts';
import { type Caller, runForCaller } from './request/caller.ts';
import { type ClientContext, REQUEST_OPTION_NAMES, type RequestOptions } from './request/client-context.ts';
import { parseInput } from './request/parse-input.ts';
import { readCompleteText, readPartialText } from './request/read-response-text.ts';
import type { PreparedRequest } from './request/request-policy.ts';
import { sendRequest } from './request/send-request.ts';
import { parseObject } from './response/object.ts';
import type { ApiPromise } from './response/response-head.ts';
import { drainBody, type TransportResponse } from './transport/transport.ts';
import { encodeMultipart } from './upload/multipart.ts';

interface Invocation {
  readonly named: NamedOperation;
  readonly input: unknown;
  readonly options: RequestOptions & ListOptions;
  readonly caller: Caller | undefined;
}

const LIST_OPTION_NAMES = { ...REQUEST_OPTION_NAMES, incomplete: true, cursor: true } as const;

const ACCEPT_JSON = { accept: 'application/json' } as const;

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Runs a method of the client. Every error rejects the promise, invalid input too; nothing is thrown. */
export function invoke(context: ClientContext, invocation: Invocation): unknown {
  const { responseKind } = invocation.named.operation;
  if (responseKind === 'list') return invokeList(context, invocation);
  if (responseKind === 'file') return invokeFile(context, invocation);
  const responseRecord = createResponseRecord();
  const promise = runForInvocation(invocation, () => {
    const { named, options } = invocation;
    const { request, knownFields } = createRequest(context, invocation);
    // Not an async function, which would double the memory of this step while the call waits.
    return send(context, { named, request, options, responseRecord }).then((textResponse) => {
      const secrets = [context.revealKey(), ...findSecrets(request.input)];
      const { activeProfile } = context;
      const itemProfile = activeProfile && getItemProfile(activeProfile, named.name);
      const { data, note, raw } = parseObject(textResponse, { named, secrets, knownFields, itemProfile });
      if (activeProfile) reportContradictions(activeProfile, named.name, { textResponse, raw });
      if (note !== undefined) responseRecord.note = { note, text: textResponse.text };
      return data;
    });
  });
  return toApiPromise(context, promise, responseRecord);
}

function invokeFile(context: ClientContext, invocation: Invocation): ApiPromise<Download> {
  const responseRecord = createResponseRecord();
  const promise = runForInvocation(invocation, async () => {
    const { named, options } = invocation;
    const { request } = createRequest(context, invocation);
    return openDownload(context, { named, options, responseRecord, request });
  });
  return toApiPromise(context, promise, responseRecord);
}

function invokeList(context: ClientContext, invocation: Invocation): ListPromise<JsonObject> {
  // Options of the wrong type are rejected when the call is made.
  const { cursor, incomplete } = invocation.options ?? {};
  return createListPromise({
    name: invocation.named.name,
    options: { cursor, incomplete },
    fetchPage: (pageRequest) => runForInvocation(invocation, () => fetchPage(context, invocation, pageRequest)),
    begin(readFirst, maxItems) {
      const responseRecord = createResponseRecord();
      const pageInvocation = { ...invocation, responseRecord, maxItems };
      const readStart = () => readFirst((pageRequest) => fetchPage(context, pageInvocation, pageRequest));
      return toApiPromise(context, runForInvocation(invocation, readStart), responseRecord);
    },
    fail: (error) => runForInvocation(invocation, () => Promise.reject(error)),
  });
}

interface PageInvocation extends Invocation {
  readonly responseRecord?: ResponseRecord;
  readonly maxItems?: number | undefined;
}

async function fetchPage(
  context: ClientContext,
  pageInvocation: PageInvocation,
  pageRequest: PageRequest | undefined,
): Promise<ParsedPage> {
  const { named, options, responseRecord, maxItems } = pageInvocation;
  const { request: wire, knownFields: pathParams } = createRequest(context, pageInvocation);
  const scheme = getActiveScheme(context.activeProfile, named.name);
  const basePath = new URL(context.baseUrl).pathname.replace(/\/$/, '');
  const fetch = async (size?: NextQuery) => {
    const { listUrl, url } = createPageUrl(wire.url, pageRequest?.step ?? { query: size ?? {} });
    const pagedRequest = { ...wire, url: url.href };
    const textResponse = await send(context, { named, request: pagedRequest, options, responseRecord });
    const request: ListRequest = {
      listUrl,
      query: url.searchParams,
      basePath,
      pathParams,
      size: size ?? getNextPageSizeQuery(pageRequest, scheme),
    };
    const secrets = [context.revealKey()];
    const { from, step: by, known } = pageRequest ?? {};
    const parsedPage = parseListResponse(textResponse, { named, secrets, request, from, by, known, scheme });
    if (context.activeProfile)
      reportContradictions(context.activeProfile, named.name, { textResponse, raw: parsedPage.page.raw });
    return parsedPage;
  };
  if (pageRequest) return scheme ? fetchNextPageByProfile(fetch, { pageRequest, scheme }) : fetch();
  const size = getLargePageQuery(scheme, { wanted: maxItems, query: new URL(wire.url).searchParams });
  return fetchFirstPage(fetch, { name: named.name, size, scheme, rejected: context.plainLists });
}

function send(
  context: ClientContext,
  params: Pick<SendRequestParams<TextResponse>, 'named' | 'request' | 'options' | 'responseRecord'>,
) {
  const { effect, repeatable } = params.named.operation;
  // Other writes are not repeated to read a truncated response: they ran.
  const isRepeatable = effect === 'read' || repeatable === true;
  return sendRequest(
    context,
    isRepeatable ? { ...params, read: readCompleteBody } : { ...params, read: readPartialBody, toTruncatedResult },
  );
}

const readCompleteBody = (response: TransportResponse) => readBody(response, readCompleteText);
const readPartialBody = (response: TransportResponse) => readBody(response, readPartialText);
const toTruncatedResult = (textResponse: TextResponse) => textResponse;

async function readBody(response: TransportResponse, readText: typeof readPartialText): Promise<TextResponse> {
  const textResponse = await readText(response, MAX_BODY_BYTES);
  if (!textResponse.complete) await drainBody(response).catch(() => undefined);
  return textResponse;
}

/** Reports where a response differs from the profile. */
function reportContradictions(
  activeProfile: ActiveProfile,
  operation: OperationName,
  { textResponse, raw }: { textResponse: TextResponse; raw: unknown },
): void {
  // A truncated response, and one without headers (a repeated delete), says nothing about the service.
  if (!textResponse.complete || Object.keys(textResponse.headers).length === 0) return;
  const factPath = `operations.${operation}`;
  // If the surrounding shape differs, only that is reported, not each field in it.
  const isShapeTrusted = activeProfile.isTrusted(`${factPath}.list.at`) && activeProfile.isTrusted(`${factPath}.item`);
  checkResponse(activeProfile, operation, {
    status: textResponse.status,
    contentType: textResponse.headers['content-type'],
    hasBody: textResponse.text.trim() !== '',
    ...(isShapeTrusted ? { body: raw } : {}),
  });
}

/** Builds the request, and the fields of the object that it names. */
function createRequest(
  context: ClientContext,
  invocation: Invocation,
): { request: PreparedRequest; knownFields: JsonObject } {
  const { named } = invocation;
  const requestInput = parseInput(named, invocation.input);
  const { body: input, params, ...target } = buildRequest(context.baseUrl, named, requestInput);
  // An object that is created below another has its own ID.
  const knownFields = named.operation.effect === 'create' ? {} : params;
  if (input === undefined) return { request: { ...target, headers: ACCEPT_JSON }, knownFields };
  if (named.operation.bodyEncoding === 'multipart') {
    const { headers, body } = encodeMultipart(input);
    return { request: { ...target, headers: { ...ACCEPT_JSON, ...headers }, body, input }, knownFields };
  }
  const text = toJson(input, named);
  const headers = { ...ACCEPT_JSON, 'content-type': 'application/json' };
  return { request: { ...target, headers, body: () => text, input }, knownFields };
}

function toJson(body: unknown, { name }: NamedOperation): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InputError(`${name}: the input contains a bigint or a circular reference, which JSON can't hold.`);
  }
}

function runForInvocation<Data>(invocation: Invocation, run: () => Promise<Data>): Promise<Data> {
  const { named, options, caller } = invocation;
  const isList = named.operation.responseKind === 'list';
  return runForCaller({ name: named.name, options, caller }, run, isList ? LIST_OPTION_NAMES : REQUEST_OPTION_NAMES);
}

/** Of a call without a response. */
const NO_RESPONSE: ResponseRecord['head'] = { status: 0, headers: {} };

function createResponseRecord(): ResponseRecord {
  return { head: NO_RESPONSE, note: undefined };
}

function toApiPromise<Data>(context: ClientContext, promise: Promise<Data>, record: ResponseRecord): ApiPromise<Data> {
  return Object.assign(promise, {
    withResponse: () =>
      promise.then((data) => ({ data, response: { ...toResponseHead(context, record.head), ...record.note } })),
  });
}
