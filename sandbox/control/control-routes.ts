import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { SCOPES } from '../../src/scopes.ts';
import {
  FaultRuleSchema,
  IdSchema,
  KeyScopesSchema,
  SignerSchema,
  VisitOptionsSchema,
} from '../base/control-schemas.ts';
import { optionalField, validateOptions } from '../base/validate-options.ts';
import { PROFILE_NAMES } from '../profile/presets.ts';
import { SWITCHES } from '../profile/switches.ts';
import { describeService } from '../render/learned/choose-service.ts';
import type { Env } from '../server/exchange.ts';
import { readJson } from '../server/read-request.ts';
import type { RequestLog } from '../server/request-log.ts';
import { rejectRemoteRequests } from '../server/same-site.ts';
import type { Service } from '../state/service.ts';
import { AgreementEnding } from '../state/signing.ts';
import type { EventQueue } from '../webhooks/delivery-queue.ts';
import type { Sandbox, Snapshot } from './sandbox.ts';
import { getStoredRecords } from './view-store.ts';

const KeyBody = z.strictObject({ scopes: optionalField(KeyScopesSchema) });
const NamedKey = z.strictObject({ key: z.string().describe('a key') });
const ProfileBody = z.strictObject({
  profile: z
    .union([z.string(), z.record(z.string(), z.string())])
    .describe('a name such as modern, or an object of settings'),
});
const ClockBody = z.strictObject({ ms: z.number().min(0).describe('milliseconds (0 or more)') });
const VisitBody = VisitOptionsSchema.extend({ link: IdSchema });
const EndingBody = z.strictObject({ agreement: IdSchema, status: AgreementEnding });
const SignatureBody = SignerSchema.extend({ agreement: IdSchema });
const Empty = z.strictObject({});

/** Path prefix of the control routes. */
const CONTROL_PATH = '/_sandbox';

interface ControlContext {
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly log: RequestLog;
  readonly queue: EventQueue;
}

/** Adds the control routes, for the console and local scripts. Other websites can't use them. */
export function addControlRoutes(app: Hono<Env>, controlContext: ControlContext): void {
  const { sandbox, service } = controlContext;
  const control = new Hono<Env>();
  control.use(rejectRemoteRequests);
  control.onError((error, context) => context.json({ error: error.message }, 400));
  addViews(control, sandbox, service);
  addActions(control, sandbox, service);
  addSnapshots(control, sandbox);
  addEventStream(control, controlContext);
  control.all('*', (context) => context.json({ error: `No control route ${context.req.path}` }, 404));
  app.route(CONTROL_PATH, control);
}

interface Route<Schema extends z.ZodType> {
  /** Schema of the JSON body; without one, the body is not read. */
  readonly body?: Schema;
  readonly status?: 201;
  /** Its result is sent as JSON; undefined as 204. */
  readonly run: (body: z.output<Schema>, context: Context<Env>) => unknown;
}

/** Adds a route such as `POST /keys`. */
function addRoute<Schema extends z.ZodType>(
  control: Hono<Env>,
  route: string,
  { body: schema, status, run }: Route<Schema>,
): void {
  const [method = '', path = ''] = route.split(' ');
  control.on(method, path, async (context) => {
    const name = `${method} ${context.req.path}`;
    const body = schema && validateOptions(name, schema, (await readJson(context.env.incoming)) ?? {});
    const result = await run(body as z.output<Schema>, context);
    return result === undefined ? context.body(null, 204) : context.json(result as object, status ?? 200);
  });
}

function addViews(control: Hono<Env>, sandbox: Sandbox, service: Service): void {
  const addView = (path: string, run: (context: Context<Env>) => unknown) =>
    addRoute(control, `GET ${path}`, { run: (_, context) => run(context) });
  addView('/state', () => ({
    url: sandbox.url,
    now: sandbox.clock.now(),
    profile: describeService(sandbox),
    settings: sandbox.profile,
    counts: Object.fromEntries(Object.entries(getStoredRecords(service)).map(([name, list]) => [name, list.length])),
  }));
  addView('/records', () => getStoredRecords(service));
  addView('/profiles', () => ({ presets: PROFILE_NAMES, switches: SWITCHES }));
  addView('/scopes', () => SCOPES);
  addView('/log', (context) => {
    const after = context.req.query('after');
    const entries = sandbox.log.entries();
    const from = after === undefined ? -1 : entries.findIndex(({ id }) => id === after);
    return entries.slice(from + 1);
  });
  addView('/deliveries', () => sandbox.deliveries.entries());
  // The only route that returns whole keys, so that the local user can copy one.
  addView('/keys', () => service.keys.all().map((key) => ({ ...key, scopes: [...key.scopes] })));
  addView('/faults', () => sandbox.faults.rules());
}

function addActions(control: Hono<Env>, sandbox: Sandbox, service: Service): void {
  addRoute(control, 'POST /keys', {
    body: KeyBody,
    status: 201,
    run: ({ scopes }) => ({ key: service.keys.create(scopes ?? SCOPES, sandbox.clock.now()) }),
  });
  addRoute(control, 'POST /keys/revoke', { body: NamedKey, run: ({ key }) => sandbox.revoke(key) });
  addRoute(control, 'POST /keys/rotate', {
    body: NamedKey,
    status: 201,
    run: ({ key }) => ({ key: sandbox.rotate(key) }),
  });
  addRoute(control, 'PUT /profile', {
    body: ProfileBody,
    run: ({ profile }) => {
      sandbox.use(profile);
      return { profile: describeService(sandbox), settings: sandbox.profile };
    },
  });
  addRoute(control, 'POST /faults', {
    body: FaultRuleSchema,
    status: 201,
    run: (rule) => {
      sandbox.faults.add(rule);
      return sandbox.faults.rules();
    },
  });
  addRoute(control, 'DELETE /faults', { run: () => sandbox.faults.clear() });
  addRoute(control, 'DELETE /log', { run: () => sandbox.log.clear() });
  addRoute(control, 'POST /clock/advance', {
    body: ClockBody,
    run: async ({ ms }) => {
      await sandbox.clock.advance(ms);
      return { now: sandbox.clock.now() };
    },
  });
  addRoute(control, 'POST /visits', {
    body: VisitBody,
    status: 201,
    run: ({ link, ...options }) => sandbox.visit(link, options),
  });
  addRoute(control, 'POST /signatures', {
    body: SignatureBody,
    status: 201,
    run: ({ agreement, ...options }) => sandbox.sign(agreement, options),
  });
  addRoute(control, 'POST /agreements/end', {
    body: EndingBody,
    status: 201,
    run: ({ agreement, status }) => sandbox.endAgreement(agreement, status),
  });
  addRoute(control, 'POST /deliveries/:id/redeliver', {
    run: (_, context) => sandbox.deliveries.redeliver(context.req.param('id') ?? ''),
  });
  addRoute(control, 'POST /reset', { body: Empty, run: () => sandbox.reset() });
}

/** Each snapshot is a full copy of the state. */
const MAX_SNAPSHOTS = 20;

/** Snapshots stay in the process; clients refer to them by number. */
function addSnapshots(control: Hono<Env>, sandbox: Sandbox): void {
  const snapshots = new Map<string, Snapshot>();
  addRoute(control, 'POST /snapshots', {
    status: 201,
    run: () => {
      if (snapshots.size >= MAX_SNAPSHOTS)
        throw new RangeError(`The limit of ${MAX_SNAPSHOTS} snapshots is reached: restart the sandbox`);
      const id = String(snapshots.size + 1);
      snapshots.set(id, sandbox.snapshot());
      return { id };
    },
  });
  control.post('/snapshots/:id/restore', (context) => {
    const snapshot = snapshots.get(context.req.param('id'));
    if (!snapshot) return context.json({ error: 'No snapshot has this id' }, 404);
    sandbox.restore(snapshot);
    return context.body(null, 204);
  });
}

const HEARTBEAT_MS = 15_000;

/** `GET /_sandbox/events`: streams `request` and `delivery` server-sent events as they happen. */
export function addEventStream(control: Hono<Env>, { log, queue }: ControlContext): void {
  control.get('/events', (context) =>
    streamSSE(context, async (stream) => {
      const send = (event: string) => (entry: object) => {
        void stream.writeSSE({ event, data: JSON.stringify(entry) });
      };
      const unsubscribers = [log.subscribe(send('request')), queue.subscribe(send('delivery'))];
      const disconnected = Promise.withResolvers<void>();
      stream.onAbort(() => {
        disconnected.resolve();
        for (const unsubscribe of unsubscribers) unsubscribe();
      });
      send('alive')({});
      const heartbeat = setInterval(() => send('alive')({}), HEARTBEAT_MS).unref();
      await disconnected.promise;
      clearInterval(heartbeat);
    }),
  );
}
