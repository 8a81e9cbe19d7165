import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { SCOPES } from '../src/scopes.ts';
import { createClock, LATEST } from './clock.ts';
import { addCompany } from './company/add-company.ts';
import { addControlRoutes } from './control/control-routes.ts';
import { createEventQueue } from './events/queue.ts';
import { viewAgreement } from './handlers/agreements.ts';
import { viewVisit } from './handlers/analytics.ts';
import { addApiRoutes, BASE_PATH } from './http/api-routes.ts';
import { allowBrowsers } from './http/cross-origin.ts';
import type { Doors, Env } from './http/exchange.ts';
import { createFaults } from './http/faults.ts';
import { createLimiter } from './http/limiter.ts';
import { listen } from './http/listen.ts';
import { addManners } from './http/manners.ts';
import { addPageExchange } from './http/page-exchange.ts';
import { createRequestLog } from './http/request-log.ts';
import { addPages } from './pages/index.ts';
import { chooseProfile } from './profile/choose-profile.ts';
import { createRandom, deriveBytes } from './random.ts';
import type { Sandbox, SandboxOptions, Snapshot } from './sandbox.ts';
import type { Service } from './service.ts';
import { createKeyRing } from './state/key-ring.ts';
import { endAgreement, signAgreement } from './state/signing.ts';
import { createState } from './state/state.ts';
import { visitAtOnce } from './state/visiting.ts';
import { STORAGE_PATH } from './storage/addresses.ts';
import { createFileStore } from './storage/file-store.ts';
import { addStorageRoutes } from './storage/storage-routes.ts';

/** Starts a service on 127.0.0.1. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = 1, data = 'company', cors = [] } = options;
  const at = options.at === undefined ? undefined : readMoment(options.at);
  const clock = createClock({ kind: options.clock ?? (at === undefined ? 'real' : 'manual'), at });
  const secretRoot =
    options.seed === undefined ? randomBytes(32) : deriveBytes(Buffer.of(), `seed ${seed}`, 32);
  const limiter = createLimiter();
  const service: Service = {
    state: createState(seed),
    profile: chooseProfile(options.profile ?? 'modern'),
    clock,
    keys: createKeyRing({ root: secretRoot, now: clock.now() }),
    files: createFileStore({ names: () => service.state.files }),
    secretRoot,
    origin: '',
    otherOrigin: '',
    emit: (kind, fields) => queue.emit(kind, fields),
  };
  const { keys } = service;
  const queue = createEventQueue(service);
  const doors: Doors = {
    service,
    log: createRequestLog(BASE_PATH),
    faults: createFaults(seed),
    random: createRandom(seed + 1),
  };
  let isFirstGiven = false;

  const app = new Hono<Env>();
  addManners(app, service);
  allowBrowsers(app, [`${BASE_PATH}/*`, `${STORAGE_PATH}/*`], cors);
  addPageExchange(app, doors);
  addApiRoutes(app, { ...doors, limiter });
  addStorageRoutes(app, doors);
  addPages(app, doors);
  const storageApp = new Hono<Env>();
  addManners(storageApp, service);
  allowBrowsers(storageApp, ['*'], cors);
  addStorageRoutes(storageApp, doors);

  function begin(snapshot: Snapshot): void {
    queue.pause();
    limiter.clear();
    const { state, profile } = structuredClone(snapshot);
    service.state = state;
    service.profile = profile;
  }

  const sandbox: Sandbox = {
    get url() {
      return `${service.origin}${BASE_PATH}`;
    },
    get origin() {
      return service.origin;
    },
    key(scopes) {
      if (scopes || isFirstGiven) return keys.create(scopes ?? SCOPES, clock.now());
      isFirstGiven = true;
      return keys.first;
    },
    revoke: (key) => keys.revoke(key),
    rotate: (key) => keys.rotate(key, clock.now()),
    get profile() {
      return service.profile;
    },
    use(profile) {
      service.profile = chooseProfile(profile);
    },
    faults: doors.faults,
    clock,
    log: doors.log,
    deliveries: {
      entries: () => [...service.state.deliveries.values()],
      redeliver: queue.redeliver,
      settled: queue.settled,
    },
    async visit(linkId, { pages = [], ...answers } = {}) {
      const visit = visitAtOnce(service, { linkId: String(linkId), answers, seconds: pages });
      return viewVisit(visit, clock.now());
    },
    async sign(agreementId, signer = {}) {
      return viewAgreement(service, signAgreement(service, { agreementId: String(agreementId), ...signer }));
    },
    async end(agreementId, status) {
      return viewAgreement(service, endAgreement(service, { agreementId: String(agreementId), status }));
    },
    reset() {
      begin(start);
      clock.set();
      keys.reset(clock.now());
      isFirstGiven = false;
      doors.random.state = createRandom(seed + 1).state;
      doors.faults.clear();
      doors.log.clear();
    },
    snapshot: () => structuredClone({ state: service.state, profile: service.profile }),
    restore(snapshot) {
      begin(snapshot);
      queue.resume();
    },
    async close() {
      queue.close();
      clock.stop();
      await Promise.all([server.close(), storage.close()]);
      service.files.close();
    },
  };
  // Every route stands before the first request can come.
  addControlRoutes(app, { sandbox, service, log: doors.log, queue });
  const server = await listen(app, port);
  const storage = await listen(storageApp, 0);
  service.origin = server.origin;
  service.otherOrigin = storage.origin;
  if (data === 'company') addCompany(service, seed);
  const start = sandbox.snapshot();
  return sandbox;
}

function readMoment(moment: Date | string | number): number {
  const at =
    moment instanceof Date ? moment.getTime() : typeof moment === 'number' ? moment : Date.parse(moment);
  if (at >= 0 && at <= LATEST) return at;
  throw new RangeError(`The clock can't start at "${moment}": give a date such as 2026-01-01T09:00Z`);
}
