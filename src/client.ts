import { InputError, type PendingUpload } from './errors.ts';
import { invoke } from './invoke.ts';
import type { Methods } from './methods.ts';
import { operations } from './operations/index.ts';
import { checkOptionNames, type OptionNames } from './option-names.ts';
import { type ActiveProfile, type Contradiction, createActiveProfile } from './profile/active-profile.ts';
import { checkProfile } from './profile/read-profile.ts';
import type { ServiceProfile } from './profile/service-profile.ts';
import type { LimitStore } from './rate-limit/limit-store.ts';
import type { Limiter } from './rate-limit/limiter.ts';
import { getSharedLimiter } from './rate-limit/limiter-registry.ts';
import { parseBaseUrl } from './request/build-request.ts';
import { captureCaller, runForCaller } from './request/caller.ts';
import { createClientClosedError } from './request/client-closed.ts';
import type { ClientContext, RequestOptions } from './request/client-context.ts';
import { type CustomHeaders, checkHeaders } from './request/custom-headers.ts';
import type { Hooks, Logger } from './request/hooks.ts';
import { createObserver, type Observer } from './request/observer.ts';
import { type RawRequest, type RawResponse, sendRawRequest } from './request/raw-request.ts';
import { toRetryPolicy, validateRequestOptions } from './request/validate-request-options.ts';
import type { RetryPolicy } from './retry/retry.ts';
import type { Transport } from './transport/transport.ts';
import { type FinalizedUpload, finalizeUpload, type UploadResult } from './upload/finalize-upload.ts';
import { UPLOAD_OPTION_NAMES, type UploadOptions, type UploadSource, upload } from './upload/upload.ts';
import { version } from './version.ts';

export interface ClientOptions {
  /** Workspace key (§5), sent only to the base URL's origin. */
  readonly apiKey: string;
  /** URL that ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** Default: the limiter shared by all clients with this key and origin. */
  readonly limiter?: Limiter | undefined;
  /** Shares the rate limit with other processes, see {@link openSqliteLimitStore}; ignored with `limiter`. */
  readonly limitStore?: LimitStore | undefined;
  readonly retry?: { readonly [Key in keyof RetryPolicy]?: RetryPolicy[Key] | undefined } | undefined;
  /** Timeout of one attempt. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Deadline of a call with all attempts and waits. Default: 5 minutes from its first attempt. */
  readonly deadlineMs?: number | undefined;
  /** Lifetime of the client: then running calls time out and nothing more is sent. Default: unlimited. */
  readonly lifetimeMs?: number | undefined;
  /** Maximum wait for the rate limit, otherwise a RateLimitError with `retryAfterMs`. Default: unlimited. */
  readonly maxWaitMs?: number | undefined;
  /** Headers of every request to the API, never to a storage; a call's own headers override them. */
  readonly headers?: CustomHeaders | undefined;
  /** One listener, or several, called in order. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  readonly logger?: Logger | undefined;
  /** Profile of this service from `docshare learn`; a profile of another service throws an InputError. */
  readonly profile?: ServiceProfile | undefined;
}

const CLIENT_OPTION_NAMES: OptionNames<ClientOptions & { readonly dispatcher: unknown }> = {
  apiKey: true,
  baseUrl: true,
  transport: true,
  dispatcher: true,
  limiter: true,
  limitStore: true,
  retry: true,
  timeoutMs: true,
  deadlineMs: true,
  lifetimeMs: true,
  maxWaitMs: true,
  headers: true,
  hooks: true,
  logger: true,
  profile: true,
};

export interface Client extends Methods {
  readonly baseUrl: string;
  /** The profile, without facts that a response has contradicted; undefined without a profile. */
  readonly activeProfile: ActiveProfile | undefined;
  /** Milliseconds until a call made now would start. */
  expectedWaitMs(): number;
  /**
   * Ends waiting calls as not sent (NetworkError with code `CLIENT_CLOSED`) and running calls, even if the
   * transport ignores its signal; a write that may have run ends in an UnknownOutcomeError. Later calls are
   * rejected. Other clients with the same key continue, and the transport stays open.
   */
  close(): Promise<void>;
  /** Sends a request that is not in the catalog; see {@link RawRequest}. */
  request(raw: RawRequest, options?: RequestOptions): Promise<RawResponse>;
  /** Uploads a file of any size as a document or a new version; see {@link UploadOptions}. */
  upload(source: UploadSource, options?: UploadOptions): Promise<UploadResult>;
  /** Registers an upload whose bytes arrived: from an error's `pending`, or from `onPending`. */
  finalizeUpload(pending: PendingUpload, options?: RequestOptions): Promise<FinalizedUpload>;
}

/**
 * Creates a typed client over any transport.
 * @throws InputError for an invalid key, base URL, option or profile.
 */
export function defineClient(options: ClientOptions): Client {
  const closing = new AbortController();
  const context = createContext(options, closing.signal);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const named of operations) {
    const methodName = named.name.slice(named.group.length + 1);
    groups[named.group] ??= {};
    const methods = groups[named.group];
    const isList = named.operation.responseKind === 'list';
    const method = (input?: unknown, options: RequestOptions = {}): unknown =>
      invoke(context, { named, input, options, caller: isList ? captureCaller(method) : undefined });
    if (methods) methods[methodName] = method;
  }
  // The loop sets exactly the keys of `catalog`, which `Methods` maps over.
  const methodGroups = groups as unknown as Methods;
  const client: Client = {
    ...methodGroups,
    baseUrl: context.baseUrl,
    activeProfile: context.activeProfile,
    expectedWaitMs: () => context.limiter.expectedWaitMs(),
    close: async () => closing.abort(createClientClosedError()),
    request(raw, options = {}) {
      const run = () => sendRawRequest(context, raw, options);
      return runForCaller({ name: 'request', options }, run);
    },
    upload(source, options = {}) {
      const run = () => upload(client, context, { source, options });
      return runForCaller({ name: 'upload', options }, run, UPLOAD_OPTION_NAMES);
    },
    finalizeUpload(pending, options = {}) {
      const run = () => finalizeUpload(client, pending, options);
      return runForCaller({ name: 'finalizeUpload', options }, run);
    },
  };
  return client;
}

function createContext(options: ClientOptions, closing: AbortSignal): ClientContext {
  const apiKey = options.apiKey.trim();
  if (apiKey === '') throw new InputError('The API key is empty. Create one in Settings → API keys.');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new InputError('The API key contains a space or an invalid character. Copy it again.');
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { origin } = new URL(baseUrl);
  checkOptionNames('createClient', options, CLIENT_OPTION_NAMES);
  validateRequestOptions(options);
  const { limitStore: store, hooks, logger } = options;
  const revealKey = () => apiKey;
  const observer = createObserver({ hooks, logger, revealKey });
  const profile = options.profile && checkProfile(options.profile, baseUrl);
  return {
    revealKey,
    baseUrl,
    origin,
    closing,
    transport: options.transport,
    limiter: options.limiter ?? getSharedLimiter({ apiKey, origin, ...(store ? { store } : {}) }),
    headers: {
      'user-agent': `docshare/${version} node/${process.versions.node}`,
      ...checkHeaders(options.headers ?? {}),
    },
    retry: toRetryPolicy(options.retry ?? {}),
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs,
    endsAt: performance.now() + (options.lifetimeMs ?? Number.POSITIVE_INFINITY),
    maxWaitMs: options.maxWaitMs ?? Number.POSITIVE_INFINITY,
    observer,
    log: observer?.log ?? (() => undefined),
    plainLists: new Set(),
    activeProfile:
      profile && createActiveProfile(profile, (contradiction) => reportContradiction(observer, contradiction)),
  };
}

function reportContradiction(observer: Observer | undefined, contradiction: Contradiction): void {
  observer?.log('warn', 'The service no longer matches its profile. Run `docshare learn` again.', { ...contradiction });
  observer?.emit('onContradiction', contradiction);
}
