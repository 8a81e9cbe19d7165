import type { z } from 'zod';
import { call, readAnswer, type Wire } from './call.ts';
import type { ClientContext, Hooks, Logger, RequestOptions, ResponseHead } from './context.ts';
import { type Download, openDownload } from './download.ts';
import { InputError } from './errors.ts';
import type { JsonObject } from './fields.ts';
import { finalizeUpload } from './finalize-upload.ts';
import { type Limiter, sharedLimiter } from './limiter.ts';
import type { NextQuery, Page } from './list.ts';
import { encodeMultipart } from './multipart.ts';
import { type Catalogue, type Group, type NamedOperation, operations } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';
import { buildRequest, parseBaseUrl } from './request.ts';
import { readItem, readList } from './response.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { discard, type Transport } from './transport.ts';
import { type UploadOptions, type UploadResult, type UploadSource, upload } from './upload.ts';

export interface ClientOptions {
  /** A workspace key (§5); it travels to the base URL's origin and nowhere else. */
  readonly apiKey: string;
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** The shared one of this key and origin unless given. */
  readonly limiter?: Limiter;
  readonly retry?: Partial<RetryPolicy>;
  /** For one attempt; 30 s unless told. */
  readonly timeoutMs?: number;
  /** For all attempts and waits of one call; 5 minutes unless told. */
  readonly deadlineMs?: number;
  /** The longest wait for the rate limit; unlimited (up to the deadline) unless told. */
  readonly maxWaitMs?: number;
  readonly hooks?: Hooks;
  readonly logger?: Logger;
}

/** A promise of the result that can also tell of the answer's head. */
export type Call<Result> = Promise<Result> & {
  withResponse(): Promise<{ data: Result; response: ResponseHead }>;
};

/** A promise of one page that is also an iterator over the items of all pages. */
export type ListCall<Item> = Call<Page<Item>> & AsyncIterable<Item>;

type Input<O extends Operation> = z.input<O['input']>;
type Arguments<O extends Operation> =
  Record<never, never> extends Input<O>
    ? [input?: Input<O>, options?: RequestOptions]
    : [input: Input<O>, options?: RequestOptions];
type Result<O extends Operation> = O['answers'] extends 'list'
  ? ListCall<z.output<O['output']>>
  : O['answers'] extends 'file'
    ? Call<Download>
    : Call<z.output<O['output']>>;

/** The catalogue as methods: `client.links.create(input, options)`. */
export type Methods = {
  [G in Group]: {
    [K in keyof Catalogue[G]]: (
      ...args: Arguments<Extract<Catalogue[G][K], Operation>>
    ) => Result<Extract<Catalogue[G][K], Operation>>;
  };
};

export interface Client extends Methods {
  readonly baseUrl: string;
  /** Milliseconds until a call made now would start, by this client's limiter. */
  expectedWaitMs(): number;
  /** Uploads a file of any size as a document, or as a new version of one; see {@link UploadOptions}. */
  upload(source: UploadSource, options?: UploadOptions): Promise<UploadResult>;
  /** Registers an upload whose bytes arrived but whose registration failed: from `UploadError.pending`. */
  finalizeUpload(
    pending: { storageKey: string; token: string; documentId?: string },
    options?: RequestOptions,
  ): Promise<UploadResult>;
}

/**
 * A typed client over any transport.
 * @throws InputError for an unusable key or base URL.
 */
export function defineClient(options: ClientOptions): Client {
  const context = createContext(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const named of operations) {
    const key = named.name.slice(named.group.length + 1);
    groups[named.group] ??= {};
    const methods = groups[named.group];
    if (methods)
      methods[key] = (input?: unknown, request: RequestOptions = {}) =>
        invoke(context, { named, input, options: request });
  }
  // The loop fills in exactly the keys of `catalogue`, which is what `Methods` maps over.
  const derived = groups as unknown as Methods;
  const client: Client = {
    ...derived,
    baseUrl: context.baseUrl,
    expectedWaitMs: () => context.limiter.expectedWaitMs(),
    upload: (source, request = {}) => upload(client, context, { source, options: request }),
    finalizeUpload: (pending, request = {}) => finalizeUpload(client, pending, request),
  };
  return client;
}

function createContext(options: ClientOptions): ClientContext {
  const apiKey = options.apiKey.trim();
  if (apiKey === '') throw new InputError('No API key was given. Create one in Settings → API keys.');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new InputError('The API key holds a blank or a character that no key has; copy it again.');
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { origin } = new URL(baseUrl);
  return {
    apiKey,
    baseUrl,
    origin,
    transport: options.transport,
    limiter: options.limiter ?? sharedLimiter(apiKey, origin),
    retry: { ...DEFAULT_RETRY, ...options.retry },
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 300_000,
    maxWaitMs: options.maxWaitMs ?? Number.POSITIVE_INFINITY,
    hooks: options.hooks ?? {},
    log: options.logger ?? (() => undefined),
  };
}

interface Invocation {
  readonly named: NamedOperation;
  readonly input: unknown;
  readonly options: RequestOptions;
}

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

function invoke(context: ClientContext, invocation: Invocation): unknown {
  const { answers } = invocation.named.operation;
  if (answers === 'list') return listCall(context, invocation);
  if (answers === 'file')
    return withHead(invocation, (options) =>
      openDownload(context, { ...invocation, options, wire: createWire(context, invocation) }),
    );
  return withHead(invocation, async (options) => {
    const answer = await send(context, { ...invocation, options });
    return readItem(answer, invocation.named, [context.apiKey]);
  });
}

async function send(context: ClientContext, invocation: Invocation) {
  const { named, options } = invocation;
  const wire = createWire(context, invocation);
  return call(context, {
    named,
    wire,
    options,
    read: async (response) => {
      const answer = await readAnswer(response, BODY_LIMIT_BYTES);
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
  const text = JSON.stringify(request.body);
  return { request, headers: { ...accept, 'content-type': 'application/json' }, body: () => text };
}

function withHead<Data>(
  invocation: Invocation,
  start: (options: RequestOptions) => Promise<Data>,
): Call<Data> {
  let head: ResponseHead | undefined;
  const onResponse = (seen: ResponseHead) => {
    head = seen;
    invocation.options.onResponse?.(seen);
  };
  const promise = start({ ...invocation.options, onResponse });
  return Object.assign(promise, {
    withResponse: async () => ({ data: await promise, response: head ?? { status: 0, headers: {} } }),
  });
}

function listCall(context: ClientContext, invocation: Invocation): ListCall<JsonObject> {
  const page = async (options: RequestOptions, next: NextQuery = {}) => {
    const input = { ...(invocation.input as JsonObject | undefined), ...next };
    const answer = await send(context, { ...invocation, input, options });
    return readList(answer, invocation.named, [context.apiKey]);
  };
  // Lazy: `for await` alone must not ask for the first page twice.
  let started: Call<Page<JsonObject>> | undefined;
  const first = () => {
    started ??= withHead(invocation, (options) => page(options));
    return started;
  };
  async function* iterate(): AsyncGenerator<JsonObject> {
    const seen = new Set<string>();
    let current = await first();
    for (;;) {
      const print = JSON.stringify(current.items);
      // A service that ignores the cursor answers the same page for ever.
      if (current.items.length === 0 || seen.has(print)) return;
      seen.add(print);
      yield* current.items;
      if (!current.next) return;
      const cursor = JSON.stringify(current.next);
      if (seen.has(cursor)) return;
      seen.add(cursor);
      current = await page(invocation.options, current.next);
    }
  }
  const promise: ListCall<JsonObject> = Object.assign(
    {
      // biome-ignore lint/suspicious/noThenProperty: a list call is a promise that starts when somebody waits for it.
      then: ((ok, fail) => first().then(ok, fail)) as Promise<Page<JsonObject>>['then'],
      catch: ((fail) => first().catch(fail)) as Promise<Page<JsonObject>>['catch'],
      finally: ((done) => first().finally(done)) as Promise<Page<JsonObject>>['finally'],
      [Symbol.toStringTag]: 'Promise',
    },
    { withResponse: () => first().withResponse(), [Symbol.asyncIterator]: iterate },
  );
  return promise;
}
