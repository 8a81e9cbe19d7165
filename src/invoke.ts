import type { JsonObject } from './answer/fields.ts';
import { readItem } from './answer/item.ts';
import { askOnward, askSized, sizeIn, sizeQuery } from './answer/learned-pages.ts';
import type { ReadPage } from './answer/list.ts';
import { createListCall, type ListCall, type ListOptions } from './answer/list-call.ts';
import { type AskedList, type NextQuery, placePage } from './answer/next-address.ts';
import { secretsIn } from './answer/redact.ts';
import { readList, type TextAnswer } from './answer/response.ts';
import type { ApiResponse, Call } from './answer/response-head.ts';
import type { AskPage } from './answer/walk-list.ts';
import { type Heard, toResponseHead } from './call/api-rules.ts';
import { call } from './call/call.ts';
import { answerTo, type Caller } from './call/caller.ts';
import type { ClientContext, RequestOptions } from './call/context.ts';
import { takeInput } from './call/input.ts';
import { readProvenText, readWhatComes } from './call/read-text.ts';
import { buildRequest } from './call/request.ts';
import type { Wire } from './call/rules.ts';
import { openDownload } from './download/download.ts';
import { InputError } from './errors.ts';
import type { NamedOperation, OperationName } from './operations/index.ts';
import { checkAnswer } from './profile/check-answer.ts';
import { getItemProfile } from './profile/fields.ts';
import type { ActiveProfile } from './profile/learned.ts';
import { getActiveListProfile } from './profile/list-facts.ts';
import { encodeMultipart } from './upload/multipart.ts';
import { discard, type TransportResponse } from './wire/transport.ts';

export interface Invocation {
  readonly named: NamedOperation;
  readonly input: unknown;
  readonly options: RequestOptions & ListOptions;
  readonly caller: Caller;
}

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** Runs a method of the client. Everything wrong, the input too, rejects; nothing throws. */
export function invoke(context: ClientContext, invocation: Invocation): unknown {
  const { named, options } = invocation;
  const { answers } = named.operation;
  if (answers === 'list') return invokeList(context, invocation);
  if (answers === 'file')
    return withHead(context, invocation, async (onHead) =>
      openDownload(context, { named, options, onHead, wire: createWire(context, invocation).wire }),
    );
  return withHead(context, invocation, async (onHead, onNote) => {
    const { wire, known } = createWire(context, invocation);
    const answer = await send(context, { named, wire, options, onHead });
    const secrets = [context.revealKey(), ...secretsIn(wire.input)];
    const { learned } = context;
    const about = learned && getItemProfile(learned, named.name);
    const { data, note, raw } = readItem(answer, { named, secrets, known, learned: about });
    if (learned) compare(learned, named.name, { answer, raw });
    if (note !== undefined) onNote({ note, text: answer.text });
    return data;
  });
}

function invokeList(context: ClientContext, invocation: Invocation): ListCall<JsonObject> {
  // Whatever a caller gave as options is judged when the call is made.
  const { from, incomplete } = invocation.options ?? {};
  return createListCall({
    name: invocation.named.name,
    options: { from, incomplete },
    ask: (place) => answer(invocation, () => fetchPage(context, invocation, place)),
    begin: (first, wanted) =>
      withHead(context, invocation, (onHead) =>
        first((place) => fetchPage(context, { ...invocation, onHead, wanted }, place)),
      ),
    fail: (error) => answer(invocation, () => Promise.reject(error)),
  });
}

type Place = Parameters<AskPage>[0];
type Asking = Invocation & Heard & { readonly wanted?: number | undefined };

async function fetchPage(context: ClientContext, asking: Asking, place: Place): Promise<ReadPage> {
  const { named, options, onHead, wanted } = asking;
  const { wire, known: pathParams } = createWire(context, asking);
  const known = getActiveListProfile(context.learned, named.name);
  const basePath = new URL(context.baseUrl).pathname.replace(/\/$/, '');
  const ask = async (size?: NextQuery, facts = known) => {
    const { listUrl, url } = placePage(wire.url, place?.query ?? size);
    const paged = { ...wire, url: url.href };
    const answer = await send(context, { named, wire: paged, options, ...(onHead ? { onHead } : {}) });
    const asked: AskedList = {
      listUrl,
      query: url.searchParams,
      basePath,
      pathParams,
      size: size ?? sizeIn(place, facts),
    };
    const secrets = [context.revealKey()];
    const read = readList(answer, { named, secrets, asked, from: place?.from, known: place?.known, facts });
    if (context.learned) compare(context.learned, named.name, { answer, raw: read.page.raw });
    return read;
  };
  if (!known) return ask();
  if (place) return askOnward((facts) => ask(undefined, facts), { place, facts: known });
  const size = sizeQuery(known, { wanted, asked: new URL(wire.url).searchParams });
  return askSized(ask, { size, facts: known });
}

function send(
  context: ClientContext,
  params: { named: NamedOperation; wire: Wire; options: RequestOptions } & Heard,
) {
  const { effect, repeatable } = params.named.operation;
  // What a cut answer of the others would have said is not asked for again: they ran.
  const again = effect === 'read' || repeatable === true;
  const readWhole = again ? readProvenText : readWhatComes;
  return call(context, {
    ...params,
    ...(again ? {} : { ran: (answer: TextAnswer) => answer }),
    read: async (response) => {
      const answer = await readWhole(response, BODY_LIMIT_BYTES);
      if (!answer.complete) await discard(response).catch(() => undefined);
      return answer;
    },
  });
}

/** Tells of what an answer has other than was learned. */
function compare(
  learned: ActiveProfile,
  operation: OperationName,
  { answer, raw }: { answer: TextAnswer; raw: unknown },
): void {
  // What was cut off, and what nobody answered (a deletion that had run before), says nothing of the service.
  if (!answer.complete || Object.keys(answer.headers).length === 0) return;
  const place = `operations.${operation}`;
  // Where the shape around is another, that is what is told, not each field in it.
  const isShaped = learned.holds(`${place}.list.at`) && learned.holds(`${place}.item`);
  checkAnswer(learned, operation, {
    status: answer.status,
    contentType: answer.headers['content-type'],
    filled: answer.text.trim() !== '',
    ...(isShaped ? { body: raw } : {}),
  });
}

/** The request, and what it says of the object that it is about. */
function createWire(context: ClientContext, invocation: Invocation): { wire: Wire; known: JsonObject } {
  const { named } = invocation;
  const given = takeInput(named, invocation.input);
  const { body: input, params, ...line } = buildRequest(context.baseUrl, named, given);
  // What is created below an object has an id of its own.
  const known = named.operation.effect === 'create' ? {} : params;
  const accept = { accept: 'application/json' };
  if (input === undefined) return { wire: { ...line, headers: accept }, known };
  if (named.operation.sends === 'multipart') {
    const { headers, body } = encodeMultipart(input);
    return { wire: { ...line, headers: { ...accept, ...headers }, body, input }, known };
  }
  const text = toJson(input, named);
  const headers = { ...accept, 'content-type': 'application/json' };
  return { wire: { ...line, headers, body: () => text, input }, known };
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

function answer<Data>({ named, options, caller }: Invocation, run: () => Promise<Data>): Promise<Data> {
  return answerTo(caller, { name: named.name, options }, run);
}

type Note = Required<Pick<ApiResponse, 'note' | 'text'>>;

function withHead<Data>(
  context: ClientContext,
  invocation: Invocation,
  start: (onHead: (response: TransportResponse) => void, onNote: (note: Note) => void) => Promise<Data>,
): Call<Data> {
  let seen: Pick<TransportResponse, 'status' | 'headers'> = { status: 0, headers: {} };
  let noted: Note | undefined;
  const promise = answer(invocation, () =>
    start(
      (response) => {
        seen = response;
      },
      (note) => {
        noted = note;
      },
    ),
  );
  return Object.assign(promise, {
    withResponse: async () => ({
      data: await promise,
      response: { ...toResponseHead(context, seen), ...noted },
    }),
  });
}
