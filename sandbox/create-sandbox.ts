import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { Hono } from 'hono';
import { SCOPES, type Scope } from '../src/scopes.ts';
import { BASE_PATH } from './base/base-path.ts';
import { createClock } from './base/clock.ts';
import { IdSchema, KeyScopesSchema, SignerSchema, VisitOptionsSchema } from './base/control-schemas.ts';
import { createRandom, deriveBytes } from './base/random.ts';
import { parseTimestamp } from './base/timestamp.ts';
import { validateOptions } from './base/validate-options.ts';
import { assertSandboxOptions } from './check-options.ts';
import { addControlRoutes } from './control/control-routes.ts';
import type { Sandbox, SandboxOptions, Snapshot } from './control/sandbox.ts';
import { addDemoData } from './demo-data/add-demo-data.ts';
import { createFileStore } from './filesystem/file-store.ts';
import { lockFolder } from './filesystem/folder-lock.ts';
import { addFixtures } from './fixtures/add-fixtures.ts';
import { readFixtures } from './fixtures/read-fixtures.ts';
import { toAgreementView } from './handlers/agreements.ts';
import { toVisitView } from './handlers/analytics.ts';
import { addPages } from './pages/add-pages.ts';
import { createPersistence, type PersistentFolder } from './persistence/create-persistence.ts';
import { getFilesFolder, readSavedState } from './persistence/state-file.ts';
import { resolveService, resolveServiceOrFile } from './render/learned/resolve-service.ts';
import { addApiRoutes } from './server/api-routes.ts';
import { addCors, parseOrigin } from './server/cross-origin.ts';
import { addCommonHeaders, type Env, type RouteDependencies } from './server/exchange.ts';
import { createFaults } from './server/faults.ts';
import { startServer } from './server/listen.ts';
import { addPageRequests } from './server/page-exchange.ts';
import { createKeyLimiter } from './server/rate-limiter.ts';
import { createRequestLog } from './server/request-log.ts';
import { addStorageRoutes } from './server/storage-routes.ts';
import { createKeyRing } from './state/key-ring.ts';
import type { Service } from './state/service.ts';
import { AgreementEndSchema, endAgreement, signAgreement } from './state/signing.ts';
import { createState } from './state/state.ts';
import { recordVisit } from './state/visiting.ts';
import { STORAGE_PATH } from './storage/storage-urls.ts';
import { createDeliveryQueue } from './webhooks/delivery-queue.ts';

/** Snapshots of all sandboxes. Copies, such as through JSON, lose the maps of the state. */
const snapshots = new WeakSet<Snapshot>();

/** Starts a service on 127.0.0.1. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  assertSandboxOptions(options);
  const parsedOptions = await parseOptions(options);
  const { dataFolder } = options;
  const persistentFolder =
    dataFolder === undefined ? undefined : { folder: resolve(dataFolder), lock: lockFolder(dataFolder) };
  const cleanups: (() => void)[] = persistentFolder ? [persistentFolder.lock.release] : [];
  return startSandbox({ ...options, ...parsedOptions, persistentFolder }, cleanups).catch((error: unknown) => {
    for (const cleanUp of cleanups) cleanUp();
    throw toPortInUseError(error, options.port);
  });
}

function toPortInUseError(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return error;
  const message = `Port ${port} is in use. Choose another, or 0 for any free port`;
  return Object.assign(new Error(message, { cause: error }), { code: error.code });
}

type ParsedOptions = Omit<SandboxOptions, 'at' | 'fixtures' | 'cors' | 'dataFolder'> &
  Awaited<ReturnType<typeof parseOptions>> & { readonly persistentFolder: PersistentFolder | undefined };

/** Reads the options before anything is created, so that a failed start leaves no folder behind. */
async function parseOptions({ profile, fixtures, at, cors = [] }: SandboxOptions) {
  return {
    // JavaScript callers may pass a single origin.
    origins: [cors].flat().map(parseOrigin),
    at: at === undefined ? undefined : parseTimestamp(at),
    resolved: profile === undefined ? undefined : resolveServiceOrFile(profile),
    fixtures: fixtures === undefined ? null : await readFixtures(fixtures),
  };
}

/** `cleanups` collects what to undo when the sandbox closes or fails to start. */
async function startSandbox(options: ParsedOptions, cleanups: (() => void)[]): Promise<Sandbox> {
  const { port = 0, seed = 1, persistentFolder, resolved, fixtures, at, origins } = options;
  const saved = persistentFolder ? await readSavedState(persistentFolder.folder) : null;
  const data = options.data ?? (fixtures ? 'empty' : 'company');
  const clock = createClock({ kind: options.clock ?? (at === undefined ? 'real' : 'manual'), at });
  const secretRoot =
    saved?.secretRoot ?? (options.seed === undefined ? randomBytes(32) : deriveBytes(Buffer.of(), `seed ${seed}`, 32));
  const limiter = createKeyLimiter();
  const service: Service = {
    state: createState(seed),
    ...(resolved ?? resolveService('modern')),
    clock,
    keys: createKeyRing({ root: secretRoot, now: clock.now() }),
    files: createFileStore({
      names: () => service.state.files,
      folder: persistentFolder && getFilesFolder(persistentFolder.folder),
    }),
    secretRoot,
    origin: '',
    otherOrigin: '',
    emit: (kind, fields) => queue.emit(kind, fields),
  };
  cleanups.unshift(() => service.files.close());
  const { keys } = service;
  const queue = createDeliveryQueue(service);
  const persistence = createPersistence(service, persistentFolder);
  queue.subscribe(persistence.scheduleSave);
  const dependencies: RouteDependencies = {
    service,
    log: createRequestLog(),
    faults: createFaults(seed),
    random: createRandom(seed + 1),
  };
  let isFirstKeyReturned = false;
  let closing: Promise<void> | undefined;
  /** @throws Error if the sandbox is closed: its folder may belong to another one by now */
  function assertOpen(method: string): void {
    if (closing) throw new Error(`The sandbox is closed: call ${method} before close`);
  }
  /** A method that changes data: it throws after `close`, and its changes are saved. */
  function changes<Args extends unknown[], Result>(method: string, run: (...args: Args) => Result) {
    return (...args: Args): Result => {
      assertOpen(method);
      const result = run(...args);
      persistence.scheduleSave();
      return result;
    };
  }
  /** As `changes`, for a method that returns a promise. */
  function changesLater<Args extends unknown[], Result>(
    method: string,
    run: (...args: Args) => Result | Promise<Result>,
  ) {
    return async (...args: Args): Promise<Result> => {
      const result = await changes(method, run)(...args);
      persistence.scheduleSave();
      return result;
    };
  }

  const app = new Hono<Env>();
  addCommonHeaders(app, service, persistence.scheduleSave);
  addCors(app, [`${BASE_PATH}/*`, `${STORAGE_PATH}/*`], origins);
  addPageRequests(app, dependencies);
  addApiRoutes(app, { ...dependencies, limiter });
  addStorageRoutes(app, dependencies);
  addPages(app, dependencies);
  const storageApp = new Hono<Env>();
  addCommonHeaders(storageApp, service, persistence.scheduleSave);
  addCors(storageApp, ['*'], origins);
  addStorageRoutes(storageApp, dependencies);

  function applySnapshot(snapshot: Snapshot): void {
    queue.pause();
    limiter.clear();
    const { serviceProfile, ...changing } = snapshot;
    Object.assign(service, structuredClone(changing), { serviceProfile });
  }

  const createKey = changes('key', (scopes: readonly Scope[] = SCOPES) =>
    keys.create(validateOptions('key', KeyScopesSchema, scopes), clock.now()),
  );

  const sandbox: Sandbox = {
    get url() {
      return `${service.origin}${BASE_PATH}`;
    },
    get origin() {
      return service.origin;
    },
    key(scopes) {
      if (scopes !== undefined || isFirstKeyReturned) return createKey(scopes);
      isFirstKeyReturned = true;
      return keys.first;
    },
    revoke: changes('revoke', keys.revoke),
    rotate: changes('rotate', (key) => keys.rotate(key, clock.now())),
    get profile() {
      return service.profile;
    },
    get serviceProfile() {
      return service.serviceProfile;
    },
    use: changes('use', (profile) => void Object.assign(service, resolveService(profile))),
    faults: { ...dependencies.faults, add: changes('faults.add', dependencies.faults.add) },
    clock: { now: clock.now, advance: changesLater('clock.advance', clock.advance) },
    log: dependencies.log,
    deliveries: {
      entries: () => [...service.state.deliveries.values()],
      redeliver: changesLater('deliveries.redeliver', queue.redeliver),
      settled: queue.settled,
    },
    visit: changesLater('visit', (link, options = {}) => {
      const linkId = validateOptions('visit', IdSchema, link);
      const { pages = [], ...gateInput } = validateOptions('visit', VisitOptionsSchema, options);
      return toVisitView(recordVisit(service, { linkId, gateInput, seconds: pages }), clock.now());
    }),
    sign: changesLater('sign', (agreement, options = {}) => {
      const agreementId = validateOptions('sign', IdSchema, agreement);
      const signer = validateOptions('sign', SignerSchema, options);
      return toAgreementView(service, signAgreement(service, { agreementId, ...signer }));
    }),
    endAgreement: changesLater('endAgreement', (agreement, ending) => {
      const agreementId = validateOptions('endAgreement', IdSchema, agreement);
      const status = validateOptions('endAgreement', AgreementEndSchema, ending);
      return toAgreementView(service, endAgreement(service, { agreementId, status }));
    }),
    reset: changes('reset', () => {
      applySnapshot(startSnapshot);
      clock.set();
      keys.reset(clock.now());
      isFirstKeyReturned = false;
      dependencies.random.state = createRandom(seed + 1).state;
      dependencies.faults.clear();
      dependencies.log.clear();
    }),
    snapshot() {
      const { state, profile, serviceProfile } = service;
      // Not cloned: the learned profile, which is immutable and large.
      const snapshot = { ...structuredClone({ state, profile }), serviceProfile };
      snapshots.add(snapshot);
      return snapshot;
    },
    restore: changes('restore', (snapshot) => {
      if (!snapshots.has(snapshot)) throw new RangeError('restore needs a snapshot as snapshot() returned it');
      applySnapshot(snapshot);
      queue.resume();
    }),
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
  async function shutDown(): Promise<void> {
    queue.close();
    clock.stop();
    await Promise.all([server.close(), storage.close()]);
    dependencies.log.end();
    try {
      await persistence.close();
    } finally {
      for (const cleanUp of cleanups) cleanUp();
    }
  }
  if (data === 'company') addDemoData(service);
  if (fixtures) await addFixtures(service, fixtures);
  const startSnapshot = sandbox.snapshot();
  if (saved) {
    persistence.restore(saved);
    Object.assign(service, resolved);
    if (at !== undefined) clock.set(at);
  }
  // All routes exist before the first request can arrive.
  addControlRoutes(app, { sandbox, service, log: dependencies.log, queue });
  const server = await startServer(app, port);
  const storage = await startServer(storageApp, 0);
  service.origin = server.origin;
  service.otherOrigin = storage.origin;
  queue.resume();
  persistence.scheduleSave();
  return sandbox;
}
