import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createSandbox, type Sandbox, type SandboxProfileInput } from '../../sandbox/index.ts';
import {
  type ReceivedDelivery,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../scripts/demo-webhook-receiver.ts';
import { closeAfterAll } from './cleanup.ts';
import { openLoopback } from './mcp-loopback.ts';
import { startServer } from './start-server.ts';
import { unzipArtefact } from './zapier-artefact.ts';

export type Fields = Record<string, unknown>;
export type Handler = (event: Fields) => Promise<{ results: unknown; status?: string }>;

/** The parts of the compiled definition that tests read. */
export interface Definition {
  readonly triggers: Record<string, Described>;
  readonly creates: Record<string, Described>;
  readonly searches: Record<string, Described>;
}

interface Described {
  readonly operation: {
    readonly sample?: Fields;
    readonly outputFields?: { readonly key: string; readonly label?: string }[];
  };
}

/** Keys of outputs at their top level, sorted; each key of line items once. */
export function outputKeys(fields: readonly { readonly key: string }[]): string[] {
  return [...new Set(fields.map(({ key }) => key.split('[]')[0] ?? key))].sort();
}

export interface LoadedApp {
  readonly handler: Handler;
  readonly definition: Definition;
}

let loaded: Promise<LoadedApp> | undefined;

/** The handler of the built and unzipped artefact, as Zapier's Lambda loads it: one per process. */
export function loadApp(): Promise<LoadedApp> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<LoadedApp> {
  const { handler } = await (process.env['DOCSHARE_COVERAGE'] ? sourceHandler() : builtHandler());
  const { results } = await handler({ command: 'definition' });
  return { handler, definition: results as Definition };
}

/**
 * Removes work from the platform that `path` resolves to which affects no test and takes half of a run: it copies and
 * freezes the whole definition twice per event, with equal results, and runs in a domain, whose hooks then follow every
 * promise of the process. Without the domain, an uncaught error ends the tests instead of one run.
 */
export function easePlatform(path: string): void {
  const platform = createRequire(path);
  const name = 'zapier-platform-core/src';
  // The platform would end a large process; here, that is the one that runs the tests.
  platform(`${name}/constants`).KILL_MAX_LIMIT = Number.POSITIVE_INFINITY;
  platform('node:domain').create = () => ({ on: () => undefined, run: (work: () => unknown) => work() });
  const schema: { prepareApp: ((app: object) => object) & { once?: true } } = platform(`${name}/tools/schema`);
  if (schema.prepareApp.once) return;
  const { prepareApp } = schema;
  const prepared = new WeakMap<object, object>();
  const prepareOnce = (app: object) => {
    const known = prepared.get(app) ?? prepareApp(app);
    prepared.set(app, known);
    return known;
  };
  schema.prepareApp = Object.assign(prepareOnce, { once: true as const });
  // It reads the memory use of the process at each run, for the limit that is turned off here.
  replace(platform, `${name}/tools/memory-checker`, () => () => undefined);
  replace(platform, `${name}/tools/create-logger`, quietUnlessAsked);
}

/** Replaces a module that the platform loads from then on. */
function replace<Module>(platform: NodeJS.Require, path: string, by: (real: Module) => Module): void {
  const real: Module = platform(path);
  const module = platform.cache[platform.resolve(path)];
  if (module) module.exports = by(real);
}

interface LogBuffer {
  readonly logBuffer?: { type: string; message: string }[];
}
type Logger = ((message: string, content?: { log_type?: string }) => Promise<unknown>) & { end(): Promise<unknown> };
type CreateLogger = (event: { environment?: { LOGGING_ENDPOINT?: string } }, options?: LogBuffer) => Logger;

/** Keeps only log lines that an error quotes, unless a test reads them: searching each for secrets is slow. */
function quietUnlessAsked(real: CreateLogger): CreateLogger {
  return (event, options) => {
    if (event.environment?.LOGGING_ENDPOINT) return real(event, options);
    const note = async (message: string, { log_type: type = 'console' } = {}) => {
      if (type === 'console') options?.logBuffer?.push({ type, message });
    };
    return Object.assign(note, { end: async () => undefined });
  };
}

async function builtHandler(): Promise<{ handler: Handler }> {
  const wrapper = `${await unzipArtefact()}/zapier/zapierwrapper.js`;
  easePlatform(wrapper);
  return import(pathToFileURL(wrapper).href);
}

/** Under `npm run coverage` and `npm run mutate`, loads the sources instead. */
async function sourceHandler(): Promise<{ handler: Handler }> {
  easePlatform(import.meta.url);
  const [{ default: app }, platform] = await Promise.all([
    import('../../zapier/index.ts'),
    import('zapier-platform-core'),
  ]);
  // The platform's types omit what its own wrapper calls.
  const { createAppHandler } = platform.default as object as { createAppHandler(app: object): Handler };
  return { handler: createAppHandler(app) };
}

interface PlatformError {
  readonly name: string;
  readonly message: string;
  readonly delay?: number;
}

export interface Platform {
  readonly definition: Definition;
  /** Runs a method of the app with a bundle as Zapier fills it. */
  run<Result = Fields>(method: string, bundle?: Fields): Promise<Result>;
  /** The same, with the whole envelope: its `status` tells if a callback is awaited. */
  envelope(method: string, bundle?: Fields): Promise<{ results: unknown; status?: string }>;
  /** Runs a method that must fail. Returns the name and message of its error. */
  runError(method: string, bundle?: Fields): Promise<PlatformError>;
  /** Runs an action, an action that must fail, and a search with these values. */
  act(key: string, inputData: Fields): Promise<Fields>;
  actError(key: string, inputData: Fields): Promise<PlatformError>;
  find(key: string, inputData?: Fields): Promise<Fields[]>;
  /** Runs a trigger or a drop-down. */
  trigger<Result = Fields[]>(key: string, bundle?: Fields, method?: string): Promise<Result>;
  /** The platform's cache, with `nx` as in the real one; `failing` breaks it, always or conditionally. */
  readonly cache: Map<string, string> & { failing?: boolean | (() => boolean) };
  /** Cursors that drop-downs store between their pages. */
  readonly cursors: Map<string, string>;
  /** Every stashed file. */
  readonly stash: { name: string; type: string; bytes: Buffer }[];
  /** Every log line of the app's runs, if the platform was told to keep its log. */
  readonly logs: readonly string[];
  close(): void;
}

/** Emulates Zapier around the real handler: its RPC server (cache, cursor, files) and, if requested, its log sink. */
export async function startPlatform(authData: Fields, app?: LoadedApp, { keepsLog = false } = {}): Promise<Platform> {
  const { handler, definition } = app ?? (await loadApp());
  const cache: Platform['cache'] = new Map<string, string>();
  const cursors = new Map<string, string>();
  const stash: Platform['stash'] = [];
  const logs: string[] = [];

  const methods: Record<string, (...params: (string | boolean | null)[]) => unknown> = {
    zcache_get: (key) => cache.get(String(key)) ?? null,
    zcache_set: (key, value, _ttl, _scope, nx) => {
      if (nx && cache.has(String(key))) return false;
      cache.set(String(key), String(value));
      return true;
    },
    zcache_delete: (key) => cache.delete(String(key)),
    get_cursor: () => cursors.get('cursor') ?? null,
    set_cursor: (value) => void cursors.set('cursor', String(value)),
    get_presigned_upload_post_data: () => ({ url: `${origin}/stash/`, fields: { key: `file-${stash.length}` } }),
  };

  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (request.url === '/logs') {
      logs.push(...body.toString().split('\n').filter(Boolean));
      response.end('{}');
    } else if (request.url === '/stash/') {
      stash.push(readForm(body, String(request.headers['content-type'])));
      response.statusCode = 204;
      response.end();
    } else {
      const { id, method, params } = JSON.parse(body.toString());
      response.setHeader('content-type', 'application/json');
      const fails = typeof cache.failing === 'function' ? cache.failing() : cache.failing;
      if (fails && String(method).startsWith('zcache')) response.end(JSON.stringify({ id, error: 'cache is down' }));
      else response.end(JSON.stringify({ id, result: methods[method]?.(...params) ?? null }));
    }
  });
  const { origin, close } = await startServer(server);

  const envelope: Platform['envelope'] = (method, bundle = {}) =>
    handler({
      command: 'execute',
      method,
      bundle: { authData, inputData: {}, meta: {}, ...bundle },
      calledFromCli: true,
      token: 'run-token',
      rpc_base: `${origin}/rpc`,
      callback_url: `${origin}/callback`,
      ...(keepsLog && { environment: { LOGGING_ENDPOINT: `${origin}/logs` } }),
    });

  const run: Platform['run'] = async <Result>(method: string, bundle?: Fields) =>
    (await envelope(method, bundle)).results as Result;
  const runError: Platform['runError'] = async (method, bundle) => {
    const error: Error = await envelope(method, bundle).then(
      ({ results }) => {
        throw new Error(`${method} did not fail: ${JSON.stringify(results)}`);
      },
      (thrown) => thrown,
    );
    const [first = ''] = error.message.split('\nWhat happened:');
    try {
      return { name: error.name, ...JSON.parse(first) };
    } catch {
      return { name: error.name, message: first };
    }
  };

  return {
    definition,
    cache,
    cursors,
    stash,
    get logs() {
      if (!keepsLog) throw new Error('This platform keeps no log: start it with `keepsLog`');
      return logs;
    },
    envelope,
    run,
    runError,
    act: (key, inputData) => run(`creates.${key}.operation.perform`, { inputData }),
    actError: (key, inputData) => runError(`creates.${key}.operation.perform`, { inputData }),
    find: (key, inputData = {}) => run(`searches.${key}.operation.perform`, { inputData }),
    trigger: (key, bundle, method = 'perform') => run(`triggers.${key}.operation.${method}`, bundle),
    close,
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the file of a presigned POST. */
function readForm(body: Buffer, contentType: string): { name: string; type: string; bytes: Buffer } {
  const boundary = contentType.match(/boundary=(.+)$/)?.[1] ?? '';
  const text = body.toString('latin1');
  const head = text.indexOf('\r\n\r\n', text.indexOf('name="file"')) + 4;
  const end = text.indexOf(`\r\n--${boundary}`, head);
  const field = (name: string) => text.match(new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`, 'i'))?.[1] ?? '';
  const name = field('Content-Disposition').match(/filename="([^"]+)"/)?.[1] ?? '';
  return { name, type: field('Content-Type'), bytes: body.subarray(head, end) };
}

export type TriggerKey = 'link_viewed' | 'envelope_signed';

/** A sandbox, the built app on an emulated Zapier platform, and a receiver for its webhooks. */
export interface ZapierContext {
  readonly sandbox: Sandbox;
  readonly key: string;
  readonly zap: Platform;
  readonly hooks: WebhookReceiver;
  readonly act: Platform['act'];
  /** Subscribes a trigger. Read its deliveries with `delivered`. */
  subscribe(key: TriggerKey): Promise<Fields>;
  /** Waits for the next delivery to a trigger and returns the bundle that Zapier makes of it. */
  delivered(key: TriggerKey, subscribeData: Fields): Promise<Fields>;
  /** Creates a document with a link and a sent agreement. */
  share(): Promise<{ link: Fields; agreement: string }>;
  close(): Promise<void>;
}

/** Opens a context, on a company's data by default. With `keepsLog`, the platform keeps its log lines. */
export async function openZapierContext(
  profile: SandboxProfileInput = 'modern',
  { data = 'company', ...options }: { keepsLog?: boolean; data?: 'company' | 'empty' } = {},
): Promise<ZapierContext> {
  const sandbox = await createSandbox({ profile, data });
  const key = sandbox.key();
  const zap = await startPlatform({ apiKey: key, baseUrl: sandbox.url }, undefined, options);
  const hooks = await startWebhookReceiver();
  const shared = new Set<string>();
  const { act, trigger } = zap;
  return {
    sandbox,
    key,
    zap,
    hooks,
    act,
    subscribe: (name) => trigger<Fields>(name, { targetUrl: hooks.urlFor(`/${name}`) }, 'performSubscribe'),
    delivered: async (name, subscribeData) => bundleOf(await hooks.nextDelivery(`/${name}`, 10_000), subscribeData),
    async share() {
      const document = await act('upload_document', { file: 'data:,Between us.', name: 'NDA.txt' });
      const link = await act('create_link', { document: document['id'], email_required: true });
      await act('create_agreement', {
        name: 'NDA with Ann',
        document: document['id'],
        signer_emails: ['Ann Lee <ann@northwind.example>'],
      });
      const choices = await trigger('agreement_list');
      // Drop-downs add words to equal names.
      const named = choices.filter((choice) => String(choice['name']).startsWith('NDA with Ann'));
      const agreement = String(named.find(({ id }) => !shared.has(String(id)))?.['id']);
      shared.add(agreement);
      await act('send_agreement', { agreement });
      return { link, agreement };
    },
    async close() {
      await zap.close();
      await hooks.close();
      await sandbox.close();
    },
  };
}

/** The built app on a service that answers what a test wants, closed with the file; each test may replace the answer. */
export async function openZapOnService(answer: Parameters<typeof openLoopback>[0]) {
  const service = await closeAfterAll(openLoopback(answer));
  return { service, zap: await closeAfterAll(startPlatform({ apiKey: 'key', baseUrl: service.url })) };
}

/** A delivery as Zapier passes it on: its headers have names like `Http-X-Foo`. */
export function bundleOf({ body, headers }: Omit<ReceivedDelivery, 'path'>, subscribeData: Fields): Fields {
  const named = Object.entries(headers).map(([name, value]) => [
    `Http-${name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())}`,
    value,
  ]);
  return {
    subscribeData,
    cleanedRequest: JSON.parse(body),
    rawRequest: { method: 'POST', querystring: '', content: body, headers: Object.fromEntries(named) },
  };
}
