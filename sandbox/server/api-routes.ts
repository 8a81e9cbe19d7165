import type { Context, Hono } from 'hono';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { Rejection } from '../base/rejection.ts';
import { REQUEST_SCHEMAS } from '../handlers/body-schemas.ts';
import { getHandler } from '../handlers/handler-table.ts';
import { omitContentFields } from '../handlers/receive-base64.ts';
import { allowsUndocumentedDeletes, undocumentedDeletes } from '../handlers/undocumented-deletes.ts';
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

export const BASE_PATH = '/api/v1';

type ApiDependencies = RouteDependencies & { readonly limiter: KeyLimiter };

/** Adds routing, keys, scopes and responses, all derived from the operations catalog. */
export function addApiRoutes(app: Hono<Env>, dependencies: ApiDependencies): void {
  for (const named of operations) {
    const [method = '', path = ''] = named.operation.route.split(' ');
    const route = BASE_PATH + path.replace(/\{(\w+)\}/g, ':$1');
    const handleRoute = (context: Context<Env>) =>
      runRequest(context, dependencies, {
        name: named.operation.route,
        operation: named.name,
        path: new URL(context.req.url).pathname.slice(BASE_PATH.length),
        run: (sandboxRequest) =>
          runOperation(dependencies, { named, sandboxRequest, id: context.req.param('id') ?? '' }),
      });
    app.on(method, route, handleRoute);
    if (named.operation.responseKind !== 'list') continue;
    // Some services put the page number in the path.
    app.on(method, `${route}/page/:page{\\d+}`, (context, next) =>
      dependencies.service.profile.paging === 'link-header-path' ? handleRoute(context) : next(),
    );
  }
  addUndocumentedDeletes(app, dependencies);
  app.all(`${BASE_PATH}/*`, (context) => {
    const path = new URL(context.req.url).pathname.slice(BASE_PATH.length);
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

/** Routes beyond the API document, unknown to profiles without them. */
function addUndocumentedDeletes(app: Hono<Env>, dependencies: ApiDependencies): void {
  const { service } = dependencies;
  for (const { operation, run } of undocumentedDeletes)
    app.delete(BASE_PATH + operation.route.slice('DELETE '.length).replace('{id}', ':id'), (context, next) => {
      if (!allowsUndocumentedDeletes(service)) return next();
      const id = context.req.param('id') ?? '';
      return runRequest(context, dependencies, {
        name: operation.route,
        path: new URL(context.req.url).pathname.slice(BASE_PATH.length),
        run: (sandboxRequest) =>
          respond(dependencies, undefined, async (admission) => {
            assertScope(admitRequest(dependencies, sandboxRequest, admission), operation);
            service.state.usage.api_requests += 1;
            const view = run(service, id);
            return { response: renderObject({ view, operation, profile: service.profile }), effect: true };
          }),
      });
    });
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
  input: { named: NamedOperation; sandboxRequest: SandboxRequest; id: string },
): Promise<RouteResult> {
  const { service } = dependencies;
  const { named, sandboxRequest, id } = input;
  const { operation } = named;
  return respond(dependencies, named, async (admission) => {
    const key = admitRequest(dependencies, sandboxRequest, admission);
    assertScope(key, operation);
    service.state.usage.api_requests += 1;
    const received = translateBody(service, named, await readRequestBody(dependencies, named, sandboxRequest));
    const size = getStoredSize(service, operation, received.body);
    const query = sandboxRequest.url.searchParams;
    const call = { service, key, operation: named.name, id, query, ...received };
    const result = await Promise.resolve(getHandler(named.name)(call)).catch(async (error: unknown) => {
      if (received.file) await service.files.remove(received.file.key);
      throw error;
    });
    service.state.storedJsonBytes += size;
    const response = await renderResult(service, { named, url: sandboxRequest.url, result });
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
  { name }: NamedOperation,
  received: Received,
): Received {
  const schema = REQUEST_SCHEMAS[name];
  if (!serviceProfile || !schema) return received;
  return {
    ...received,
    body: renameBody(received.body, { form: serviceProfile.operations[name]?.requestBody, known: schema }),
  };
}

async function readRequestBody(
  dependencies: RouteDependencies,
  { operation }: NamedOperation,
  sandboxRequest: SandboxRequest,
) {
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
  if (rateLimit) {
    admission.rateLimit = rateLimit;
    Object.assign(admission.headers, getRateLimitHeaders({ rateLimit, now, profile: service.profile }));
    if (!rateLimit.admitted) throw new Rejection('limited', 'More than 120 requests per minute: wait and try again');
  }
  return key;
}
