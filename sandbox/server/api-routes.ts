import type { Context, Hono } from 'hono';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { BASE_PATH } from '../base/base-path.ts';
import { Rejection } from '../base/rejection.ts';
import { REQUEST_SCHEMAS } from '../handlers/body-schemas.ts';
import type { AnyHandler } from '../handlers/handler.ts';
import { getHandler } from '../handlers/handler-table.ts';
import { omitContentFields } from '../handlers/receive-base64.ts';
import { undocumentedDeletes } from '../handlers/undocumented-deletes.ts';
import type { ResourceView } from '../handlers/view.ts';
import { renderRejection } from '../render/error-response.ts';
import { renderLearnedError } from '../render/learned/learned-error.ts';
import { withLearnedHeaders } from '../render/learned/learned-headers.ts';
import { renderObject } from '../render/object-response.ts';
import { getRateLimitHeaders, type RateLimitResult } from '../render/rate-limit-headers.ts';
import { renameBody } from '../service-profile/rename-body.ts';
import type { KeyRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import {
  type Env,
  parseBearerToken,
  type RouteDependencies,
  type RouteResult,
  runRequest,
  type SandboxRequest,
} from './exchange.ts';
import type { KeyLimiter } from './rate-limiter.ts';
import { MAX_JSON_BYTES, readJson, readMultipart } from './read-request.ts';
import { renderResult } from './render-result.ts';

type ApiDependencies = RouteDependencies & { readonly limiter: KeyLimiter };

/** An operation of the API. */
interface ApiRoute {
  readonly operation: Operation;
  readonly handler: AnyHandler;
  /** Unset for an operation that the API document does not show. */
  readonly named?: NamedOperation;
}

/** Adds routing, keys, scopes and responses, all derived from the operations catalog. */
export function addApiRoutes(app: Hono<Env>, dependencies: ApiDependencies): void {
  const { service } = dependencies;
  const always = () => true;
  for (const named of operations) {
    const { operation } = named;
    const route = { operation, handler: getHandler(named.name), named };
    addRoute(app, dependencies, { route, path: toPathPattern(operation), isOffered: always });
    // Some services put the page number in the path.
    const isPageInPath = () => service.profile.paging === 'link-header-path';
    const pagePath = `${toPathPattern(operation)}/page/:page{\\d+}`;
    if (operation.responseKind === 'list')
      addRoute(app, dependencies, { route, path: pagePath, isOffered: isPageInPath });
  }
  const deletesAll = () => service.profile.undocumentedDeletes === 'all';
  for (const route of undocumentedDeletes)
    addRoute(app, dependencies, { route, path: toPathPattern(route.operation), isOffered: deletesAll });
  app.all(`${BASE_PATH}/*`, (context) => {
    const path = getApiPath(context);
    const run = (sandboxRequest: SandboxRequest) =>
      respond(dependencies, undefined, async (admission) => {
        admitRequest(dependencies, sandboxRequest, admission);
        throw isKnownPath(path)
          ? new Rejection('wrongMethod', `${context.req.method} is not allowed on ${path}`)
          : new Rejection('noRoute', `There is no route ${context.req.method} ${path}`);
      });
    return runRequest(context, dependencies, { path, run });
  });
}

/** Adds a route that exists only while the profile offers it. */
function addRoute(
  app: Hono<Env>,
  dependencies: ApiDependencies,
  { route, path, isOffered }: { route: ApiRoute; path: string; isOffered: () => boolean },
): void {
  const { operation, named } = route;
  const [method = ''] = operation.route.split(' ');
  app.on(method, path, (context, next) => {
    if (!isOffered()) return next();
    return runRequest(context, dependencies, {
      name: operation.route,
      ...(named ? { operation: named.name } : {}),
      path: getApiPath(context),
      run: (sandboxRequest) => runOperation(dependencies, { route, sandboxRequest, id: context.req.param('id') ?? '' }),
    });
  });
}

/** Returns the path of an operation's route as Hono writes it. */
function toPathPattern({ route }: Operation): string {
  const [, path = ''] = route.split(' ');
  return BASE_PATH + path.replace(/\{(\w+)\}/g, ':$1');
}

function getApiPath(context: Context<Env>): string {
  return new URL(context.req.url).pathname.slice(BASE_PATH.length);
}

function assertScope(key: KeyRecord, { scope }: Operation): void {
  if (!key.scopes.has(scope)) throw new Rejection('missingScope', `This key lacks the scope "${scope}"`);
}

const ROUTE_PATTERNS = operations.map(({ operation }) => {
  const path = operation.route.replace(/^\w+ /, '').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${path}$`);
});

function isKnownPath(path: string): boolean {
  return ROUTE_PATTERNS.some((pattern) => pattern.test(path));
}

function runOperation(
  dependencies: ApiDependencies,
  input: { route: ApiRoute; sandboxRequest: SandboxRequest; id: string },
): Promise<RouteResult> {
  const { service } = dependencies;
  const { route, sandboxRequest, id } = input;
  const { operation, handler, named } = route;
  return respond(dependencies, named, async (admission) => {
    const key = admitRequest(dependencies, sandboxRequest, admission);
    assertScope(key, operation);
    service.state.usage.api_requests += 1;
    const received = translateBody(service, named, await readRequestBody(dependencies, operation, sandboxRequest));
    const size = getStoredSize(service, operation, received.body);
    const result = await Promise.resolve(handler({ service, key, id, ...received })).catch(async (error: unknown) => {
      if (received.file) await service.files.remove(received.file.key);
      throw error;
    });
    service.state.storedJsonBytes += size;
    const response = named
      ? await renderResult(service, { named, url: sandboxRequest.url, result })
      : renderObject({ view: result as ResourceView, operation, profile: service.profile });
    return { response, effect: operation.effect !== 'read' };
  });
}

/** Total JSON stored for callers, so that every list can be rendered. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;

function getStoredSize({ state }: Service, operation: Operation, body: unknown): number {
  if (operation.effect === 'read' || operation.effect === 'delete' || body === undefined) return 0;
  const size = JSON.stringify(operation.bodyEncoding === 'multipart' ? omitContentFields(body) : body).length;
  if (size > MAX_JSON_BYTES) throw new Rejection('tooLarge', 'The fields besides the file are larger than 1 MiB');
  if (state.storedJsonBytes + size > MAX_STORED_BYTES)
    throw new Rejection('tooLarge', 'This sandbox stores at most 64 MiB of JSON: reset it or start another');
  return size;
}

/** Renames a body's fields from the learned names to those of the handlers. */
function translateBody<Received extends { readonly body: unknown }>(
  { serviceProfile }: Service,
  named: NamedOperation | undefined,
  received: Received,
): Received {
  const known = named && REQUEST_SCHEMAS[named.name];
  if (!serviceProfile || !known) return received;
  const form = serviceProfile.operations[named.name]?.requestBody;
  return { ...received, body: renameBody(received.body, { form, known }) };
}

async function readRequestBody(dependencies: RouteDependencies, operation: Operation, sandboxRequest: SandboxRequest) {
  const { incoming } = sandboxRequest;
  const isForm = /^multipart\/form-data/i.test(incoming.headers['content-type'] ?? '');
  if (operation.bodyEncoding === 'multipart' && isForm) {
    const form = await readMultipart(incoming, dependencies.service);
    sandboxRequest.body = form.body;
    return form;
  }
  const body = await readJson(incoming, { inline: operation.bodyEncoding === 'multipart' });
  sandboxRequest.body = body;
  return { body, file: null };
}

/** Results of admission that the response headers need. */
interface AdmissionResult {
  headers: Record<string, string>;
  rateLimit?: RateLimitResult;
}

/** Runs a route and renders its result or rejection, with the headers of admission. */
async function respond(
  { service }: RouteDependencies,
  named: NamedOperation | undefined,
  route: (admission: AdmissionResult) => Promise<RouteResult>,
): Promise<RouteResult> {
  const admission: AdmissionResult = { headers: {} };
  let rejection: Rejection | undefined;
  const outcome = await route(admission).catch((error: unknown): RouteResult => {
    if (!(error instanceof Rejection)) throw error;
    rejection = error;
    return { response: renderLearnedError(service, error) ?? renderRejection(error, service.profile) };
  });
  const { headers, rateLimit } = admission;
  const fullResponse = { ...outcome.response, headers: { ...headers, ...outcome.response.headers } };
  return { ...outcome, response: withLearnedHeaders(fullResponse, service, { named, rejection, rateLimit }) };
}

/** §5, §8: requires a valid key within its rate limit. */
function admitRequest(
  dependencies: ApiDependencies,
  sandboxRequest: SandboxRequest,
  admission: AdmissionResult,
): KeyRecord {
  const { service } = dependencies;
  const bearer = parseBearerToken(sandboxRequest.incoming);
  if (bearer === null) throw new Rejection('noKey', 'The request has no API key: send Authorization: Bearer <API_KEY>');
  const key = service.keys.find(bearer);
  if (!key) throw new Rejection('wrongKey', 'This API key is invalid or was revoked');
  const now = service.clock.now();
  const rateLimit = dependencies.limiter.countRequest({ key: key.key, now, profile: service.profile });
  admission.rateLimit = rateLimit;
  admission.headers = getRateLimitHeaders({ rateLimit, now, profile: service.profile });
  if (!rateLimit.admitted) throw new Rejection('limited', 'More than 120 requests per minute: wait and try again');
  return key;
}
