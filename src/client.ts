import { InputError, type PendingUpload } from './errors.ts';
import { invoke } from './invoke.ts';
import type { Methods } from './methods.ts';
import { operations } from './operations/index.ts';
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
import { type UploadOptions, type UploadSource, upload } from './upload/upload.ts';
import { version } from './version.ts';

export interface ClientOptions {
  /** A workspace key (§5); it travels to the base URL's origin and nowhere else. */
  readonly apiKey: string;
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** The shared one of this key and origin unless given. */
  readonly limiter?: Limiter | undefined;
  /** Counts the limit together with other processes, see {@link openSqliteLimitStore}; idle where `limiter` is given. */
  readonly limitStore?: LimitStore | undefined;
  readonly retry?: { readonly [Key in keyof RetryPolicy]?: RetryPolicy[Key] | undefined } | undefined;
  /** For one attempt; 30 s unless told. */
  readonly timeoutMs?: number | undefined;
  /**
   * For all attempts and waits of one call. Unless told: 5 minutes from the start of its first attempt, so that a bulk of
   * calls may queue for the rate limit as long as it needs.
   */
  readonly deadlineMs?: number | undefined;
  /**
   * For the client as a whole, from when it is made: what is under way then ends as at its own deadline, and nothing
   * more is sent. For hosts that end a run after so many seconds. Unlimited unless told.
   */
  readonly lifetimeMs?: number | undefined;
  /** The longest wait for the rate limit; past it a RateLimitError says when to come back. Unlimited unless told. */
  readonly maxWaitMs?: number | undefined;
  /** Sent with each request to the API, never to a storage; a call's own headers win over them. */
  readonly headers?: CustomHeaders | undefined;
  /** One listener, or several that are told in turn. */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  readonly logger?: Logger | undefined;
  /** What was learned of this service, by `docshare learn`; one of another service is refused. */
  readonly profile?: ServiceProfile | undefined;
}

export interface Client extends Methods {
  readonly baseUrl: string;
  /** What was learned of the service and no answer has contradicted; undefined without a profile. */
  readonly activeProfile: ActiveProfile | undefined;
  /** Milliseconds until a call made now would start, by this client's limiter. */
  expectedWaitMs(): number;
  /**
   * Ends what waits, for the rate limit or for another attempt, as not sent (a NetworkError whose `code` is
   * `CLIENT_CLOSED`, as that of every error which comes of this) and what is under way, whether or not the transport heeds
   * its signal: of a write that may have run as an UnknownOutcomeError. Refuses later calls. Other clients of the same
   * key go on, and so does the transport: whoever made it closes it.
   */
  close(): Promise<void>;
  /** Sends a call that the catalogue does not name; see {@link RawRequest}. */
  request(raw: RawRequest, options?: RequestOptions): Promise<RawResponse>;
  /** Uploads a file of any size as a document, or as a new version of one; see {@link UploadOptions}. */
  upload(source: UploadSource, options?: UploadOptions): Promise<UploadResult>;
  /** Registers an upload whose bytes arrived but whose registration failed: from an error's `pending`, or `onPending`. */
  finalizeUpload(pending: PendingUpload, options?: RequestOptions): Promise<FinalizedUpload>;
}

/**
 * A typed client over any transport.
 * @throws InputError for an unusable key or base URL.
 */
export function defineClient(options: ClientOptions): Client {
  const closing = new AbortController();
  const context = createContext(options, closing.signal);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const named of operations) {
    const methodName = named.name.slice(named.group.length + 1);
    groups[named.group] ??= {};
    const methods = groups[named.group];
    const method = (input?: unknown, options: RequestOptions = {}): unknown =>
      invoke(context, { named, input, options, caller: captureCaller(method) });
    if (methods) methods[methodName] = method;
  }
  // The loop fills in exactly the keys of `catalogue`, which is what `Methods` maps over.
  const methodGroups = groups as unknown as Methods;
  const client: Client = {
    ...methodGroups,
    baseUrl: context.baseUrl,
    activeProfile: context.activeProfile,
    expectedWaitMs: () => context.limiter.expectedWaitMs(),
    close: async () => closing.abort(createClientClosedError()),
    request(raw, options = {}) {
      const run = () => sendRawRequest(context, raw, options);
      return runForCaller(captureCaller(client.request), { name: 'request', options }, run);
    },
    upload(source, options = {}) {
      const run = () => upload(client, context, { source, options });
      return runForCaller(captureCaller(client.upload), { name: 'upload', options }, run);
    },
    finalizeUpload(pending, options = {}) {
      const run = () => finalizeUpload(client, pending, options);
      return runForCaller(captureCaller(client.finalizeUpload), { name: 'finalizeUpload', options }, run);
    },
  };
  return client;
}

function createContext(options: ClientOptions, closing: AbortSignal): ClientContext {
  const apiKey = options.apiKey.trim();
  if (apiKey === '') throw new InputError('No API key was given. Create one in Settings → API keys.');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new InputError('The API key holds a blank or a character that no key has; copy it again.');
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { origin } = new URL(baseUrl);
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
    headers: { 'user-agent': userAgent(), ...checkHeaders(options.headers ?? {}) },
    retry: toRetryPolicy(options.retry ?? {}),
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs,
    endsAt: performance.now() + (options.lifetimeMs ?? Number.POSITIVE_INFINITY),
    maxWaitMs: options.maxWaitMs ?? Number.POSITIVE_INFINITY,
    observer,
    log: observer?.log ?? (() => undefined),
    activeProfile:
      profile &&
      createActiveProfile(profile, (contradiction) => reportContradiction(observer, contradiction)),
  };
}

function reportContradiction(observer: Observer | undefined, contradiction: Contradiction): void {
  observer?.log('warn', 'the service is no longer as it was learned; learn it again', { ...contradiction });
  observer?.emit('onContradiction', contradiction);
}

function userAgent(): string {
  return `docshare/${version} node/${process.versions.node}`;
}
