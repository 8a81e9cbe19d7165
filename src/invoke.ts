import type { JsonObject } from './answer/fields.ts';
import type { NextQuery } from './answer/list.ts';
import { createListCall } from './answer/list-call.ts';
import { secretsIn } from './answer/redact.ts';
import { readItem, readList } from './answer/response.ts';
import type { Call, ResponseHead } from './answer/response-head.ts';
import { readText } from './call/attempt.ts';
import { call } from './call/call.ts';
import type { ClientContext, RequestOptions } from './call/context.ts';
import { buildRequest } from './call/request.ts';
import type { Wire } from './call/wire.ts';
import { openDownload } from './download/download.ts';
import { InputError } from './errors.ts';
import type { NamedOperation } from './operations/index.ts';
import { encodeMultipart } from './upload/multipart.ts';
import { discard } from './wire/transport.ts';

export interface Invocation {
  readonly named: NamedOperation;
  readonly input: unknown;
  readonly options: RequestOptions;
}

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** Runs a method of the client. Everything wrong, the input too, rejects; nothing throws. */
export function invoke(context: ClientContext, invocation: Invocation): unknown {
  const { named } = invocation;
  const { answers } = named.operation;
  if (answers === 'list') {
    const firstPage = () =>
      withHead(invocation.options, (options) => fetchPage(context, { ...invocation, options }));
    const nextPage = (next: NextQuery) => fetchPage(context, invocation, next);
    return createListCall({ firstPage, nextPage });
  }
  if (answers === 'file')
    return withHead(invocation.options, async (options) =>
      openDownload(context, { named, options, wire: createWire(context, invocation) }),
    );
  return withHead(invocation.options, async (options) => {
    const wire = createWire(context, invocation);
    const answer = await send(context, { named, wire, options });
    return readItem(answer, named, [context.revealKey(), ...secretsIn(wire.request.body)]);
  });
}

async function fetchPage(context: ClientContext, invocation: Invocation, next: NextQuery = {}) {
  const { named, options } = invocation;
  const input = { ...(invocation.input as JsonObject | undefined), ...next };
  const answer = await send(context, { named, wire: createWire(context, { ...invocation, input }), options });
  return readList(answer, named, [context.revealKey()]);
}

function send(
  context: ClientContext,
  params: { named: NamedOperation; wire: Wire; options: RequestOptions },
) {
  return call(context, {
    ...params,
    read: async (response) => {
      const answer = await readText(response, BODY_LIMIT_BYTES);
      if (!answer.complete) await discard(response).catch(() => undefined);
      return answer;
    },
  });
}

function createWire(context: ClientContext, { named, input }: Invocation): Wire {
  const request = buildRequest(context.baseUrl, named, input);
  const accept = { accept: 'application/json' };
  if (request.body === undefined) return { request, headers: accept };
  if (named.operation.sends === 'multipart') {
    const { headers, body } = encodeMultipart(request.body);
    return { request, headers: { ...accept, ...headers }, body };
  }
  const text = toJson(request.body, named);
  return { request, headers: { ...accept, 'content-type': 'application/json' }, body: () => text };
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
  options: RequestOptions,
  start: (options: RequestOptions) => Promise<Data>,
): Call<Data> {
  let head: ResponseHead = { status: 0, headers: {} };
  const onResponse = (seen: ResponseHead) => {
    head = seen;
    options.onResponse?.(seen);
  };
  const promise = start({ ...options, onResponse });
  return Object.assign(promise, {
    withResponse: async () => ({ data: await promise, response: head }),
  });
}
