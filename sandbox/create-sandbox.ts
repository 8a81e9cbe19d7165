import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { SCOPES } from '../src/scopes.ts';
import { createClock } from './clock.ts';
import { addCompany } from './company/add-company.ts';
import { addControlRoutes } from './control/control-routes.ts';
import { createEventQueue } from './events/queue.ts';
import { viewAgreement } from './handlers/agreements.ts';
import { viewVisit } from './handlers/analytics.ts';
import { addApiRoutes, BASE_PATH } from './http/api-routes.ts';
import type { Doors, Env } from './http/exchange.ts';
import { createFaults } from './http/faults.ts';
import { createLimiter } from './http/limiter.ts';
import { listen } from './http/listen.ts';
import { createRequestLog } from './http/request-log.ts';
import { addPages } from './pages/index.ts';
import { chooseProfile } from './profile/choose-profile.ts';
import type { Profile } from './profile/switches.ts';
import { createRandom } from './random.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import type { Service } from './service.ts';
import { createKeyRing } from './state/key-ring.ts';
import { signAgreement } from './state/signing.ts';
import { createState, type State } from './state/state.ts';
import { visitAtOnce } from './state/visiting.ts';
import { createFileStore } from './storage/file-store.ts';
import { addStorageRoutes } from './storage/storage-routes.ts';

/** Starts a service on 127.0.0.1. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, seed = 1, data = 'company' } = options;
  const firstProfile = chooseProfile(options.profile ?? 'modern');
  const clock = createClock(options.clock ?? 'real');
  const keys = createKeyRing();
  const limiter = createLimiter();
  const service: Service = {
    state: createState(seed),
    profile: firstProfile,
    clock,
    keys,
    files: createFileStore(),
    signingSecret: randomBytes(32),
    origin: '',
    otherOrigin: '',
    emit: (kind, fields) => queue.emit(kind, fields),
  };
  const queue = createEventQueue(service);
  const doors: Doors = {
    service,
    log: createRequestLog(),
    faults: createFaults(seed),
    random: createRandom(seed + 1),
  };

  const app = new Hono<Env>();
  addApiRoutes(app, { ...doors, limiter });
  addStorageRoutes(app, doors);
  addPages(app, doors);
  const storageApp = new Hono<Env>();
  addStorageRoutes(storageApp, doors);

  function fill(): void {
    if (data === 'company') addCompany(service, seed);
  }

  function begin(state: State, profile: Profile): void {
    queue.pause();
    limiter.clear();
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
    key: (scopes = SCOPES) => keys.create(scopes, clock.now()),
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
    reset() {
      begin(createState(seed), firstProfile);
      doors.faults.clear();
      doors.log.clear();
      fill();
    },
    snapshot: () => structuredClone({ state: service.state, profile: service.profile }),
    restore(snapshot) {
      const { state, profile } = structuredClone(snapshot);
      begin(state, profile);
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
  fill();
  return sandbox;
}
