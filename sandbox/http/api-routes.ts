import type { Context, Hono } from 'hono';
import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { getHandler } from '../handlers/index.ts';
import { isRemovable, removals } from '../handlers/removals.ts';
import { TAKES } from '../handlers/takes.ts';
import { dressLearned, refuseLearned } from '../learned/answer-learned.ts';
import { readLearnedBody } from '../learned/read-learned-body.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { KeyRecord } from '../state/records.ts';
import { withoutContent } from '../storage/receive-base64.ts';
import { answerRefusal } from './error-answer.ts';
import { type Doors, type Env, type Exchange, type Outcome, readBearer, runExchange } from './exchange.ts';
import { type Limiter, type LimitVerdict, limitHeaders } from './limiter.ts';
import { answerObject } from './object-answer.ts';
import { present } from './present.ts';
import { JSON_LIMIT_BYTES, readForm, readJson } from './read-request.ts';

export const BASE_PATH = '/api/v1';

/** Routing, keys, scopes and the form of answers, all derived from the catalogue. */
export function addApiRoutes(app: Hono<Env>, doors: Doors & { limiter: Limiter }): void {
  for (const named of operations) {
    const [method = '', path = ''] = named.operation.route.split(' ');
    const route = BASE_PATH + path.replace(/\{(\w+)\}/g, ':$1');
    const handle = (context: Context<Env>) =>
      runExchange(context, doors, {
        name: named.operation.route,
        operation: named.name,
        path: new URL(context.req.url).pathname.slice(BASE_PATH.length),
        run: (exchange) => runOperation(doors, { named, exchange, id: context.req.param('id') ?? '' }),
      });
    app.on(method, route, handle);
    if (named.operation.responseKind !== 'list') continue;
    // Some services number the pages of a list in its path.
    app.on(method, `${route}/page/:page{\\d+}`, (context, next) =>
      doors.service.profile.paging === 'link-header-path' ? handle(context) : next(),
    );
  }
  addRemovals(app, doors);
  app.all(`${BASE_PATH}/*`, (context) => {
    const path = new URL(context.req.url).pathname.slice(BASE_PATH.length);
    const run = (exchange: Exchange) =>
      answered(doors, undefined, async (admitted) => {
        admit(doors, exchange, admitted);
        throw isKnownPath(path)
          ? new Refusal('wrongMethod', `${context.req.method} is not allowed on ${path}`)
          : new Refusal('noRoute', `There is no route ${context.req.method} ${path}`);
      });
    return runExchange(context, doors, { path, run });
  });
}

/** Routes beyond the document's: to a service that has none of them they are unknown. */
function addRemovals(app: Hono<Env>, doors: Doors & { limiter: Limiter }): void {
  const { service } = doors;
  for (const { operation, run } of removals)
    app.delete(
      BASE_PATH + operation.route.slice('DELETE '.length).replace('{id}', ':id'),
      (context, next) => {
        if (!isRemovable(service)) return next();
        const id = context.req.param('id') ?? '';
        return runExchange(context, doors, {
          name: operation.route,
          path: new URL(context.req.url).pathname.slice(BASE_PATH.length),
          run: (exchange) =>
            answered(doors, undefined, async (admitted) => {
              expectScope(admit(doors, exchange, admitted), operation);
              service.state.usage.api_requests += 1;
              const view = run(service, id);
              return { answer: answerObject({ view, operation, profile: service.profile }), effect: true };
            }),
        });
      },
    );
}

function expectScope(key: KeyRecord, { scope }: Operation): void {
  if (!key.scopes.has(scope)) throw new Refusal('missingScope', `This key lacks the scope "${scope}"`);
}

const PATTERNS = operations.map(({ operation }) => {
  const path = operation.route.replace(/^\w+ /, '').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${path}$`);
});

function isKnownPath(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}

function runOperation(
  doors: Doors & { limiter: Limiter },
  input: { named: NamedOperation; exchange: Exchange; id: string },
): Promise<Outcome> {
  const { service } = doors;
  const { named, exchange, id } = input;
  const { operation } = named;
  return answered(doors, named, async (admitted) => {
    const key = admit(doors, exchange, admitted);
    expectScope(key, operation);
    service.state.usage.api_requests += 1;
    const received = readAs(service, named, await readInput(doors, named, exchange));
    const size = sizeToKeep(service, operation, received.body);
    const query = exchange.url.searchParams;
    const call = { service, key, operation: named.name, id, query, ...received };
    const result = await Promise.resolve(getHandler(named.name)(call)).catch(async (error: unknown) => {
      if (received.file) await service.files.remove(received.file.key);
      throw error;
    });
    service.state.kept += size;
    const answer = await present(service, { named, url: exchange.url, result });
    return { answer, effect: operation.effect !== 'read' };
  });
}

/** What a sandbox keeps of its callers' JSON in all: little enough for every list to be written out. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;

function sizeToKeep({ state }: Service, operation: Operation, body: unknown): number {
  if (operation.effect === 'read' || operation.effect === 'delete' || body === undefined) return 0;
  const size = JSON.stringify(operation.bodyEncoding === 'multipart' ? withoutContent(body) : body).length;
  if (size > JSON_LIMIT_BYTES) throw new Refusal('tooLarge', 'All but the file itself ends at 1 MiB');
  if (state.kept + size > MAX_STORED_BYTES)
    throw new Refusal('tooLarge', 'This sandbox keeps 64 MiB of JSON at most: reset it, or start another');
  return size;
}

/** A body under the names of the service that was learned, as the handlers know them. */
function readAs<Received extends { readonly body: unknown }>(
  { learned, state }: Service,
  { name }: NamedOperation,
  received: Received,
): Received {
  const takes = TAKES[name];
  if (!learned || !takes) return received;
  return {
    ...received,
    body: readLearnedBody(received.body, { called: learned.operations[name], takes, state }),
  };
}

async function readInput(doors: Doors, { operation }: NamedOperation, exchange: Exchange) {
  const { incoming } = exchange;
  const isForm = /^multipart\/form-data/i.test(incoming.headers['content-type'] ?? '');
  if (operation.bodyEncoding === 'multipart' && isForm) {
    const form = await readForm(incoming, doors.service);
    exchange.body = form.body;
    return form;
  }
  const body = await readJson(incoming, { inline: operation.bodyEncoding === 'multipart' });
  exchange.body = body;
  return { body, file: null };
}

/** What admission found out, for the headers of whatever answer follows. */
interface Admitted {
  headers: Record<string, string>;
  verdict?: LimitVerdict;
}

/** Answers what the route gives, or its refusal, with the headers that admission set. */
async function answered(
  { service }: Doors,
  named: NamedOperation | undefined,
  route: (admitted: Admitted) => Promise<Outcome>,
): Promise<Outcome> {
  const admitted: Admitted = { headers: {} };
  let refusal: Refusal | undefined;
  const outcome = await route(admitted).catch((error: unknown): Outcome => {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
    return { answer: refuseLearned(service, error) ?? answerRefusal(error, service.profile) };
  });
  const { headers, verdict } = admitted;
  const whole = { ...outcome.answer, headers: { ...headers, ...outcome.answer.headers } };
  return { ...outcome, answer: dressLearned(whole, service, { named, refusal, verdict }) };
}

/** §5, §8: a good key that is within its limit. */
function admit(doors: Doors & { limiter: Limiter }, exchange: Exchange, admitted: Admitted): KeyRecord {
  const { service } = doors;
  const bearer = readBearer(exchange.incoming);
  if (bearer === null)
    throw new Refusal('noKey', 'This request carries no API key: send Authorization: Bearer <API_KEY>');
  const key = service.keys.find(bearer);
  if (!key) throw new Refusal('wrongKey', 'This API key is not known or was revoked');
  const now = service.clock.now();
  const verdict = doors.limiter.admit({ key: key.key, now, profile: service.profile });
  if (verdict) {
    admitted.verdict = verdict;
    Object.assign(admitted.headers, limitHeaders({ verdict, now, profile: service.profile }));
    if (!verdict.admitted)
      throw new Refusal('limited', 'More than 120 requests in a minute: wait and try again');
  }
  return key;
}
