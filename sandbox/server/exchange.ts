import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import type { OperationName } from '../../src/operations/index.ts';
import type { FaultRule } from '../base/control-schemas.ts';
import { nextText, type Random } from '../base/random.ts';
import type { HttpResponse } from '../render/http-response.ts';
import { getKeyFingerprint } from '../state/key-ring.ts';
import type { Service } from '../state/service.ts';
import type { FaultPicker } from './faults.ts';
import { drainBody } from './read-bytes.ts';
import { estimateLogSize, redactRequest, redactText, withLoggedResponse } from './redact.ts';
import type { RequestLog } from './request-log.ts';
import { applyFault, writeResponse } from './write-response.ts';

export type Env = { Bindings: HttpBindings };

/**
 * Marks a response as already written. Cloned so that it has this engine's class: if another server replaced
 * the global Response before, the adapter would send the original again.
 */
export const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** Dependencies of every route, besides the service. */
export interface RouteDependencies {
  readonly service: Service;
  readonly log: RequestLog;
  readonly faults: FaultPicker;
  /** Generates request ids; separate from the state, so that a rejected request does not shift the next record id. */
  readonly random: Random;
}

/** A request with everything known about it so far. */
export interface SandboxRequest {
  readonly incoming: IncomingMessage;
  readonly url: URL;
  body?: unknown;
}

export interface RouteResult {
  readonly response: HttpResponse;
  readonly effect?: boolean;
}

/**
 * Runs a route with its faults, writes the response and the log entry. A `before` fault that replaces the
 * response keeps the route from running; others change the response of a route that ran.
 */
export async function runRequest(
  context: Context<Env>,
  dependencies: RouteDependencies,
  route: {
    name?: string;
    operation?: OperationName;
    /** The path that fault rules match. */
    path: string;
    /** If true, the request is not logged. */
    isSilent?: boolean;
    run: (sandboxRequest: SandboxRequest) => Promise<RouteResult>;
  },
): Promise<Response> {
  const { service, log, faults, random } = dependencies;
  const { incoming, outgoing } = context.env as { incoming: IncomingMessage; outgoing: ServerResponse };
  const at = service.clock.now();
  const sandboxRequest: SandboxRequest = { incoming, url: new URL(context.req.url) };
  const id = `req_${nextText(random, 16, '0123456789abcdef')}`;
  const fault = faults.pick({ method: context.req.method, path: route.path, operation: route.operation });
  const outcome =
    fault && replacesResponse(fault) ? { response: createFaultResponse(fault) } : await route.run(sandboxRequest);
  const effect = outcome.effect === true;
  const response = addResponseHeaders(outcome.response, { id, at, service });

  const entry = {
    id,
    at,
    method: context.req.method,
    path: redactText(sandboxRequest.url.pathname),
    ...(route.name === undefined ? {} : { route: route.name }),
    ...(route.operation === undefined ? {} : { operation: route.operation }),
    ...identifyKey(incoming),
    ...(effect ? { effect } : {}),
    ...redactRequest({
      headers: context.req.raw.headers,
      query: sandboxRequest.url.searchParams,
      body: sandboxRequest.body,
    }),
    ...(fault ? { fault: true } : {}),
  };
  // Logged before the response is sent, so that its receiver finds the entry.
  const finalResponse = applyFault(response, fault);
  const status = fault?.cut ? 0 : finalResponse.status;
  if (!route.isSilent)
    log.add(
      withLoggedResponse({ ...entry, status, ms: service.clock.now() - at }, fault?.cut ? null : finalResponse),
      estimateLogSize(incoming, finalResponse),
    );
  await writeResponse(outgoing, finalResponse, fault);
  return ALREADY_SENT;
}

function replacesResponse(fault: FaultRule): boolean {
  return fault.when !== 'after' && (fault.status !== undefined || fault.body !== undefined || fault.cut !== undefined);
}

function createFaultResponse(fault: FaultRule): HttpResponse {
  return {
    status: fault.status ?? 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: fault.body ?? `Fault ${fault.status ?? ''}\n`,
  };
}

function addResponseHeaders(response: HttpResponse, input: { id: string; at: number; service: Service }): HttpResponse {
  const { profile, serviceProfile } = input.service;
  const requestId = (serviceProfile?.facts.requestId ?? profile.requestId).toLowerCase();
  const headers: Record<string, string> = { date: new Date(input.at).toUTCString(), ...response.headers };
  if (requestId !== 'none') headers[requestId] = input.id;
  return { ...response, headers };
}

function identifyKey(incoming: IncomingMessage): { key?: string } {
  const key = parseBearerToken(incoming);
  return key === null ? {} : { key: getKeyFingerprint(key) };
}

/** §5: `Authorization: Bearer <API_KEY>`. */
export function parseBearerToken(incoming: IncomingMessage): string | null {
  return /^Bearer\s+(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1] ?? null;
}

/** Dates every response by the sandbox's clock and drains unread bodies. Calls `onFinish` after each. */
export function addCommonHeaders(app: Hono<Env>, service: Service, onFinish: () => void): void {
  app.use(async (context, next) => {
    const { incoming, outgoing } = context.env;
    outgoing.setHeader('date', new Date(service.clock.now()).toUTCString());
    outgoing.once('finish', () => {
      drainBody(incoming);
      onFinish();
    });
    await next();
  });
}
