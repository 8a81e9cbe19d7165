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
import { createOptionalField, validateOptions } from '../base/validate-options.ts';
import { PROFILE_NAMES } from '../profile/presets.ts';
import { SWITCHES } from '../profile/switches.ts';
import { describeService } from '../render/learned/resolve-service.ts';
import type { Env } from '../server/exchange.ts';
import { readJson } from '../server/read-request.ts';
import type { RequestLog } from '../server/request-log.ts';
import { rejectRemoteRequests } from '../server/same-site.ts';
import type { Service } from '../state/service.ts';
import { AgreementEndSchema } from '../state/signing.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import type { Sandbox, Snapshot } from './sandbox.ts';
import { getStoredRecords } from './stored-records.ts';

const KeyBody = z.strictObject({ scopes: createOptionalField(KeyScopesSchema) });
const NamedKey = z.strictObject({ key: z.string().describe('a key') });
const ProfileBody = z.strictObject({
  profile: z
    .union([z.string(), z.record(z.string(), z.string())])
    .describe('a name such as modern, or an object of settings'),
});
const ClockBody = z.strictObject({ ms: z.number().min(0).describe('milliseconds (0 or more)') });
const VisitBody = VisitOptionsSchema.extend({ link: IdSchema });
const EndingBody = z.strictObject({ agreement: IdSchema, status: AgreementEndSchema });
const SignatureBody = SignerSchema.extend({ agreement: IdSchema });
const Empty = z.strictObject({});

/** Path prefix of the control routes. */
const CONTROL_PATH = '/_sandbox';

interface ControlContext {
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly log: RequestLog;
  readonly queue: DeliveryQueue;
}

/** Adds the control routes, for the console and local scripts. Other websites can't use them. */
export function addControlRoutes(app: Hono<Env>, controlContext: ControlContext): void {
  const { sandbox, service } = controlContext;
  const control = new Hono<Env>();
  control.use(rejectRemoteRequests);
  control.onError((error, context) => context.json({ error: error.message }, 400));
  addViews(control, sandbox, service);
  addActions(control, sandbox);
  addSnapshots(control, sandbox);
  addEventStream(control, controlContext);
  control.all('*', (context) => context.json({ error: `No control route ${context.req.path}` }, 404));
  app.route(CONTROL_PATH, control);
}

function addViews(control: Hono<Env>, sandbox: Sandbox, service: Service): void {
  control.get('/state', (context) =>
    context.json({
      url: sandbox.url,
      now: sandbox.clock.now(),
      profile: describeService(sandbox),
      settings: sandbox.profile,
      counts: Object.fromEntries(Object.entries(getStoredRecords(service)).map(([name, list]) => [name, list.length])),
    }),
  );
  control.get('/records', (context) => context.json(getStoredRecords(service)));
  control.get('/profiles', (context) => context.json({ presets: PROFILE_NAMES, switches: SWITCHES }));
  control.get('/scopes', (context) => context.json(SCOPES));
  control.get('/log', (context) => {
    const after = context.req.query('after');
    const entries = sandbox.log.entries();
    const from = after === undefined ? -1 : entries.findIndex(({ id }) => id === after);
    return context.json(entries.slice(from + 1));
  });
  control.delete('/log', (context) => {
    sandbox.log.clear();
    return context.body(null, 204);
  });
  control.get('/deliveries', (context) => context.json(sandbox.deliveries.entries()));
  // The only route that returns whole keys, so that the local user can copy one.
  control.get('/keys', (context) =>
    context.json(service.keys.all().map((key) => ({ ...key, scopes: [...key.scopes] }))),
  );
}

function addActions(control: Hono<Env>, sandbox: Sandbox): void {
  /** Adds a route with a body. Without a result, its response is 204. */
  const addAction = <S extends z.ZodType>(
    route: `${'POST' | 'PUT'} /${string}`,
    { body: schema, status = 200 }: { body: S; status?: 200 | 201 },
    run: (body: z.output<S>) => unknown,
  ) => {
    const [method = '', path = ''] = route.split(' ');
    control.on(method, path, async (context) => {
      const result = await run(await readControlBody(context, schema));
      return result === undefined ? context.body(null, 204) : context.json(result, status);
    });
  };
  addAction('POST /keys', { body: KeyBody, status: 201 }, ({ scopes = SCOPES }) => ({ key: sandbox.key(scopes) }));
  addAction('POST /keys/revoke', { body: NamedKey }, ({ key }) => sandbox.revoke(key));
  addAction('POST /keys/rotate', { body: NamedKey, status: 201 }, ({ key }) => ({ key: sandbox.rotate(key) }));
  addAction('PUT /profile', { body: ProfileBody }, ({ profile }) => {
    sandbox.use(profile);
    return { profile: describeService(sandbox), settings: sandbox.profile };
  });
  addAction('POST /faults', { body: FaultRuleSchema, status: 201 }, (rule) => {
    sandbox.faults.add(rule);
    return sandbox.faults.rules();
  });
  addAction('POST /clock/advance', { body: ClockBody }, async ({ ms }) => {
    await sandbox.clock.advance(ms);
    return { now: sandbox.clock.now() };
  });
  addAction('POST /visits', { body: VisitBody, status: 201 }, ({ link, ...options }) => sandbox.visit(link, options));
  addAction('POST /signatures', { body: SignatureBody, status: 201 }, ({ agreement, ...options }) =>
    sandbox.sign(agreement, options),
  );
  addAction('POST /agreements/end', { body: EndingBody, status: 201 }, ({ agreement, status }) =>
    sandbox.endAgreement(agreement, status),
  );
  addAction('POST /reset', { body: Empty }, () => sandbox.reset());
  control.get('/faults', (context) => context.json(sandbox.faults.rules()));
  control.delete('/faults', (context) => {
    sandbox.faults.clear();
    return context.body(null, 204);
  });
  control.post('/deliveries/:id/redeliver', async (context) =>
    context.json(await sandbox.deliveries.redeliver(context.req.param('id'))),
  );
}

/** Each snapshot is a full copy of the state. */
const MAX_SNAPSHOTS = 20;

/** Snapshots stay in the process; clients refer to them by number. */
function addSnapshots(control: Hono<Env>, sandbox: Sandbox): void {
  const snapshots = new Map<string, Snapshot>();
  control.post('/snapshots', (context) => {
    if (snapshots.size >= MAX_SNAPSHOTS)
      return context.json({ error: `The limit of ${MAX_SNAPSHOTS} snapshots is reached: restart the sandbox` }, 400);
    const id = String(snapshots.size + 1);
    snapshots.set(id, sandbox.snapshot());
    return context.json({ id }, 201);
  });
  control.post('/snapshots/:id/restore', (context) => {
    const snapshot = snapshots.get(context.req.param('id'));
    if (!snapshot) return context.json({ error: 'No snapshot has this id' }, 404);
    sandbox.restore(snapshot);
    return context.body(null, 204);
  });
}

async function readControlBody<S extends z.ZodType>(context: Context<Env>, schema: S): Promise<z.output<S>> {
  const body = await readJson(context.env.incoming);
  return validateOptions(`${context.req.method} ${context.req.path}`, schema, body ?? {});
}

const HEARTBEAT_MS = 15_000;

/** `GET /_sandbox/events`: streams `request` and `delivery` server-sent events as they happen. */
function addEventStream(control: Hono<Env>, { log, queue }: ControlContext): void {
  control.get('/events', (context) =>
    streamSSE(context, async (stream) => {
      const send = (event: string) => (entry: object) => {
        void stream.writeSSE({ event, data: JSON.stringify(entry) });
      };
      const unsubscribers = [log.subscribe(send('request')), queue.subscribe(send('delivery'))];
      const disconnected = Promise.withResolvers<void>();
      stream.onAbort(disconnected.resolve);
      send('alive')({});
      const heartbeat = setInterval(() => send('alive')({}), HEARTBEAT_MS).unref();
      await disconnected.promise;
      clearInterval(heartbeat);
      for (const unsubscribe of unsubscribers) unsubscribe();
    }),
  );
}
