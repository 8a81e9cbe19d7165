import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { Hono } from 'hono';
import { SCOPES } from '../src/scopes.ts';
import { AgreementEnding, Folder, Id, KeyScopes, Signer, VisitOptions } from './acts.ts';
import { checkOptions } from './check-options.ts';
import { createClock } from './clock.ts';
import { addCompany } from './company/add-company.ts';
import { addControlRoutes } from './control/control-routes.ts';
import { createEventQueue } from './events/queue.ts';
import { expectSnapshot } from './expect-snapshot.ts';
import { addFixtures } from './fixtures/add-fixtures.ts';
import { readFixtures } from './fixtures/read-fixtures.ts';
import { expectGiven } from './given.ts';
import { viewAgreement } from './handlers/agreements.ts';
import { viewVisit } from './handlers/analytics.ts';
import { addApiRoutes, BASE_PATH } from './http/api-routes.ts';
import { allowBrowsers, readOrigin } from './http/cross-origin.ts';
import type { Doors, Env } from './http/exchange.ts';
import { createFaults } from './http/faults.ts';
import { createLimiter } from './http/limiter.ts';
import { listen } from './http/listen.ts';
import { addManners } from './http/manners.ts';
import { addPageExchange } from './http/page-exchange.ts';
import { createRequestLog } from './http/request-log.ts';
import { lockFolder } from './keep/folder-lock.ts';
import { createKeeper, type Kept } from './keep/keeper.ts';
import { filesIn, readSaved } from './keep/saved.ts';
import { chooseService, readChoice } from './learned/choose-service.ts';
import { readMoment } from './moment.ts';
import { addPages } from './pages/index.ts';
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
  checkOptions(options);
  const given = await readGiven(options);
  const { keepIn } = options;
  const kept = keepIn === undefined ? undefined : { folder: resolve(keepIn), lock: lockFolder(keepIn) };
  const ends: (() => void)[] = kept ? [kept.lock.release] : [];
  return startSandbox({ ...options, ...given, kept }, ends).catch((error: unknown) => {
    for (const end of ends) end();
    throw taken(error, options.port);
  });
}

/** The code stays, for programs; the words are for people. */
function taken(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return error;
  const words = `Port ${port} is taken: choose another, or 0 for one that is free`;
  return Object.assign(new Error(words, { cause: error }), { code: error.code });
}

type Given = Omit<SandboxOptions, 'at' | 'fixtures' | 'cors' | 'keepIn'> &
  Awaited<ReturnType<typeof readGiven>> & { readonly kept: Kept | undefined };

/** What was given, read before anything is made for it: a start that is refused leaves no folder. */
async function readGiven({ profile, fixtures, at, cors = [] }: SandboxOptions) {
  const choice = await readChoice(profile);
  return {
    // Without types one is easily given alone.
    origins: [cors].flat().map(readOrigin),
    at: at === undefined ? undefined : readMoment(at),
    chosen: choice === undefined ? undefined : chooseService(choice),
    fixtures: fixtures === undefined ? null : await readFixtures(fixtures),
  };
}

/** `ends` gets what has to be ended with the sandbox, or when it can't start. */
async function startSandbox(options: Given, ends: (() => void)[]): Promise<Sandbox> {
  const { port = 0, seed = 1, kept, chosen, fixtures, at, origins } = options;
  const saved = kept ? await readSaved(kept.folder) : null;
  const data = options.data ?? (fixtures ? 'empty' : 'company');
  const clock = createClock({ kind: options.clock ?? (at === undefined ? 'real' : 'manual'), at });
  const secretRoot =
    saved?.secretRoot ??
    (options.seed === undefined ? randomBytes(32) : deriveBytes(Buffer.of(), `seed ${seed}`, 32));
  const limiter = createLimiter();
  const service: Service = {
    state: createState(seed),
    ...(chosen ?? chooseService('modern')),
    clock,
    keys: createKeyRing({ root: secretRoot, now: clock.now() }),
    files: createFileStore({
      names: () => service.state.files,
      folder: kept && filesIn(kept.folder),
    }),
    secretRoot,
    origin: '',
    otherOrigin: '',
    emit: (kind, fields) => queue.emit(kind, fields),
  };
  ends.unshift(() => service.files.close());
  const { keys } = service;
  const queue = createEventQueue(service);
  const keeper = createKeeper(service, kept);
  queue.watch(keeper.touch);
  const changed = <T>(value: T): T => {
    keeper.touch();
    return value;
  };
  const doors: Doors = {
    service,
    log: createRequestLog(BASE_PATH),
    faults: createFaults(seed),
    random: createRandom(seed + 1),
  };
  let isFirstGiven = false;
  let closing: Promise<void> | undefined;
  /** @throws Error for an act that would do nothing, or write over what is another sandbox's by now. */
  function expectOpen(act: string): void {
    if (closing) throw new Error(`The sandbox is closed, so ${act} does nothing: call it before close`);
  }

  const app = new Hono<Env>();
  addManners(app, service, keeper.touch);
  allowBrowsers(app, [`${BASE_PATH}/*`, `${STORAGE_PATH}/*`], origins);
  addPageExchange(app, doors);
  addApiRoutes(app, { ...doors, limiter });
  addStorageRoutes(app, doors);
  addPages(app, doors);
  const storageApp = new Hono<Env>();
  addManners(storageApp, service, keeper.touch);
  allowBrowsers(storageApp, ['*'], origins);
  addStorageRoutes(storageApp, doors);

  function begin(snapshot: Snapshot): void {
    queue.pause();
    limiter.clear();
    const { learned, ...changing } = snapshot;
    Object.assign(service, structuredClone(changing), { learned });
  }

  const sandbox: Sandbox = {
    get url() {
      return `${service.origin}${BASE_PATH}`;
    },
    get origin() {
      return service.origin;
    },
    key(scopes) {
      if (scopes === undefined && !isFirstGiven) {
        isFirstGiven = true;
        return keys.first;
      }
      expectOpen('key');
      const chosen = scopes === undefined ? SCOPES : expectGiven('key', KeyScopes, scopes);
      return changed(keys.create(chosen, clock.now()));
    },
    revoke(key) {
      expectOpen('revoke');
      changed(keys.revoke(key));
    },
    rotate(key) {
      expectOpen('rotate');
      return changed(keys.rotate(key, clock.now()));
    },
    get profile() {
      return service.profile;
    },
    get learned() {
      return service.learned;
    },
    use(profile) {
      expectOpen('use');
      Object.assign(service, changed(chooseService(profile)));
    },
    faults: {
      ...doors.faults,
      add(rule) {
        expectOpen('faults.add');
        return doors.faults.add(rule);
      },
    },
    clock: {
      now: clock.now,
      async advance(ms) {
        expectOpen('clock.advance');
        await clock.advance(ms);
        keeper.touch();
      },
    },
    log: doors.log,
    deliveries: {
      entries: () => [...service.state.deliveries.values()],
      async redeliver(id) {
        expectOpen('deliveries.redeliver');
        return queue.redeliver(id);
      },
      settled: queue.settled,
    },
    async visit(link, options = {}) {
      expectOpen('visit');
      const linkId = String(expectGiven('visit', Id, link));
      const { pages = [], ...answers } = expectGiven('visit', VisitOptions, options);
      const visit = visitAtOnce(service, { linkId, answers, seconds: pages });
      return changed(viewVisit(visit, clock.now()));
    },
    async sign(agreement, options = {}) {
      expectOpen('sign');
      const agreementId = String(expectGiven('sign', Id, agreement));
      const signer = expectGiven('sign', Signer, options);
      const signed = signAgreement(service, { agreementId, ...signer });
      return changed(viewAgreement(service, signed));
    },
    async end(agreement, ending) {
      expectOpen('end');
      const agreementId = String(expectGiven('end', Id, agreement));
      const status = expectGiven('end', AgreementEnding, ending);
      return changed(viewAgreement(service, endAgreement(service, { agreementId, status })));
    },
    reset() {
      expectOpen('reset');
      begin(start);
      clock.set();
      keys.reset(clock.now());
      isFirstGiven = false;
      doors.random.state = createRandom(seed + 1).state;
      doors.faults.clear();
      doors.log.clear();
      keeper.touch();
    },
    async save(folder) {
      expectOpen('save');
      await keeper.save(expectGiven('save', Folder, folder));
    },
    async load(folder) {
      expectOpen('load');
      const kept = await keeper.read(expectGiven('load', Folder, folder));
      queue.pause();
      limiter.clear();
      keeper.take(kept);
      queue.resume();
      keeper.touch();
    },
    snapshot: () => ({
      ...structuredClone({ state: service.state, profile: service.profile }),
      // Never changed, and large.
      learned: service.learned,
    }),
    restore(snapshot) {
      expectOpen('restore');
      expectSnapshot(snapshot);
      begin(snapshot);
      queue.resume();
      keeper.touch();
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
  async function shutDown(): Promise<void> {
    queue.close();
    clock.stop();
    await Promise.all([server.close(), storage.close()]);
    doors.log.end();
    try {
      await keeper.close();
    } finally {
      for (const end of ends) end();
    }
  }
  if (data === 'company') addCompany(service, seed);
  if (fixtures) await addFixtures(service, fixtures);
  const start = sandbox.snapshot();
  if (saved) {
    keeper.take(saved);
    Object.assign(service, chosen);
    if (at !== undefined) clock.set(at);
  }
  // Every route stands before the first request can come.
  addControlRoutes(app, { sandbox, service, log: doors.log, queue });
  const server = await listen(app, port);
  const storage = await listen(storageApp, 0);
  service.origin = server.origin;
  service.otherOrigin = storage.origin;
  queue.resume();
  keeper.touch();
  return sandbox;
}
