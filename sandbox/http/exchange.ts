import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { OperationName } from '../../src/operations/index.ts';
import { nextText, type Random } from '../random.ts';
import type { Service } from '../service.ts';
import { fingerprint } from '../state/key-ring.ts';
import type { FaultPicker, FaultRule } from './faults.ts';
import { redactRequest, redactText, sizeInLog, withAnswer } from './redact.ts';
import type { Reply } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import { applyFault, writeAnswer } from './write-answer.ts';

export type Env = { Bindings: HttpBindings };

/**
 * Says that the answer was written already. A copy is of the engine's own kind: where another server of the framework had put its
 * kind in the engine's place before this was loaded, the adapter would send the original once more.
 */
export const ALREADY_SENT = RESPONSE_ALREADY_SENT.clone();

/** What every route needs besides the service itself. */
export interface Doors {
  readonly service: Service;
  readonly log: RequestLog;
  readonly faults: FaultPicker;
  /** Names requests; apart from the state, so that a refused request does not shift the next id. */
  readonly random: Random;
}

/** One request on its way through: what was found out about it so far. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly url: URL;
  body?: unknown;
}

/** What a route did: its answer, and whether something changed. */
export interface Outcome {
  readonly answer: Reply;
  readonly effect?: boolean;
}

/**
 * Runs a route with its faults, writes its answer and its log entry. A `before` fault that replaces the answer keeps
 * the route from running; every other fault works on the answer of a route that ran.
 */
export async function runExchange(
  context: Context<Env>,
  doors: Doors,
  route: {
    name?: string;
    operation?: OperationName;
    /** The path that fault rules see. */
    path: string;
    /** Whether it stays out of the log. */
    isSilent?: boolean;
    run: (exchange: Exchange) => Promise<Outcome>;
  },
): Promise<Response> {
  const { service, log, faults, random } = doors;
  const { incoming, outgoing } = context.env as { incoming: IncomingMessage; outgoing: ServerResponse };
  const at = service.clock.now();
  const exchange: Exchange = { incoming, url: new URL(context.req.url) };
  const id = `req_${nextText(random, 16, '0123456789abcdef')}`;
  const fault = faults.pick({ method: context.req.method, path: route.path, operation: route.operation });
  const outcome = fault && replaces(fault) ? { answer: emptyFailure(fault) } : await route.run(exchange);
  const effect = outcome.effect === true;
  const answer = withCommonHeaders(outcome.answer, { id, at, service });

  const entry = {
    id,
    at,
    method: context.req.method,
    path: redactText(exchange.url.pathname),
    ...(route.name === undefined ? {} : { route: route.name }),
    ...(route.operation === undefined ? {} : { operation: route.operation }),
    ...getKeyFingerprint(incoming),
    ...(effect ? { effect } : {}),
    ...redactRequest({
      headers: context.req.raw.headers,
      query: exchange.url.searchParams,
      body: exchange.body,
    }),
    ...(fault ? { fault: true } : {}),
  };
  // Written to the log before the answer leaves: who has the answer finds the entry.
  const planned = applyFault(answer, fault);
  const status = fault?.cut ? 0 : planned.status;
  if (!route.isSilent)
    log.add(
      withAnswer({ ...entry, status, ms: service.clock.now() - at }, fault?.cut ? null : planned),
      sizeInLog(incoming, planned),
    );
  await writeAnswer(outgoing, answer, fault);
  return ALREADY_SENT;
}

function replaces(fault: FaultRule): boolean {
  return (
    fault.when !== 'after' &&
    (fault.status !== undefined || fault.body !== undefined || fault.cut !== undefined)
  );
}

function emptyFailure(fault: FaultRule): Reply {
  return {
    status: fault.status ?? 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: fault.body ?? `Fault ${fault.status ?? ''}\n`,
  };
}

function withCommonHeaders(answer: Reply, input: { id: string; at: number; service: Service }): Reply {
  const { profile, learned } = input.service;
  const requestId = (learned?.facts.requestId ?? profile.requestId).toLowerCase();
  const headers: Record<string, string> = { date: new Date(input.at).toUTCString(), ...answer.headers };
  if (requestId !== 'none') headers[requestId] = input.id;
  return { ...answer, headers };
}

/** The key a request carries, as its fingerprint. */
function getKeyFingerprint(incoming: IncomingMessage): { key?: string } {
  const key = readBearer(incoming);
  return key === null ? {} : { key: fingerprint(key) };
}

/** §5: `Authorization: Bearer <API_KEY>`. */
export function readBearer(incoming: IncomingMessage): string | null {
  return /^Bearer\s+(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1] ?? null;
}
