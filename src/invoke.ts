import type { JsonObject } from './answer/fields.ts';
import type { NextQuery } from './answer/list.ts';
import { createListCall } from './answer/list-call.ts';
import { secretsIn } from './answer/redact.ts';
import { readItem, readList } from './answer/response.ts';
import type { Call } from './answer/response-head.ts';
import { type Heard, headOf } from './call/api-rules.ts';
import { call } from './call/call.ts';
import type { ClientContext, RequestOptions } from './call/context.ts';
import { readProvenText, readText } from './call/read-text.ts';
import { buildRequest } from './call/request.ts';
import type { Wire } from './call/rules.ts';
import { openDownload } from './download/download.ts';
import { InputError } from './errors.ts';
import type { NamedOperation } from './operations/index.ts';
import { encodeMultipart } from './upload/multipart.ts';
import { discard, type TransportResponse } from './wire/transport.ts';

export interface Invocation {
  readonly named: NamedOperation;
  readonly input: unknown;
  readonly options: RequestOptions;
}

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** Runs a method of the client. Everything wrong, the input too, rejects; nothing throws. */
export function invoke(context: ClientContext, invocation: Invocation): unknown {
  const { named, options } = invocation;
  const { answers } = named.operation;
  if (answers === 'list') {
    const firstPage = () => withHead(context, (onHead) => fetchPage(context, { ...invocation, onHead }));
    const nextPage = (next: NextQuery) => fetchPage(context, invocation, next);
    return createListCall({ firstPage, nextPage });
  }
  if (answers === 'file')
    return withHead(context, async (onHead) =>
      openDownload(context, { named, options, onHead, wire: createWire(context, invocation) }),
    );
  return withHead(context, async (onHead) => {
    const wire = createWire(context, invocation);
    const answer = await send(context, { named, wire, options, onHead });
    return readItem(answer, named, [context.revealKey(), ...secretsIn(wire.input)]);
  });
}

async function fetchPage(context: ClientContext, invocation: Invocation & Heard, next: NextQuery = {}) {
  const { named, options, onHead } = invocation;
  const input = { ...(invocation.input as JsonObject | undefined), ...next };
  const wire = createWire(context, { ...invocation, input });
  const answer = await send(context, { named, wire, options, ...(onHead ? { onHead } : {}) });
  return readList(answer, named, [context.revealKey()]);
}

function send(
  context: ClientContext,
  params: { named: NamedOperation; wire: Wire; options: RequestOptions } & Heard,
) {
  const readWhole = params.wire.method === 'GET' ? readProvenText : readText;
  return call(context, {
    ...params,
    read: async (response) => {
      const answer = await readWhole(response, BODY_LIMIT_BYTES);
      if (!answer.complete) await discard(response).catch(() => undefined);
      return answer;
    },
  });
}

function createWire(context: ClientContext, invocation: Invocation): Wire {
  const { named } = invocation;
  const { method, url, body: input } = buildRequest(context.baseUrl, named, invocation.input);
  const accept = { accept: 'application/json' };
  if (input === undefined) return { method, url, headers: accept };
  if (named.operation.sends === 'multipart') {
    const { headers, body } = encodeMultipart(input);
    return { method, url, headers: { ...accept, ...headers }, body, input };
  }
  const text = toJson(input, named);
  return { method, url, headers: { ...accept, 'content-type': 'application/json' }, body: () => text, input };
}

function toJson(body: unknown, { name }: NamedOperation): string {
  try {
    return JSON.stringify(body);
  } catch {
    throw new InputError(
      `${name}: the input holds a value that JSON can't carry (a bigint, or an object in itself).`,
    );
  }
}

function withHead<Data>(
  context: ClientContext,
  start: (onHead: (response: TransportResponse) => void) => Promise<Data>,
): Call<Data> {
  let seen: Pick<TransportResponse, 'status' | 'headers'> = { status: 0, headers: {} };
  const promise = start((response) => {
    seen = response;
  });
  return Object.assign(promise, {
    withResponse: async () => ({ data: await promise, response: headOf(context, seen) }),
  });
}
