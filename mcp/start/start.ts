import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { isWorkingFolderMissing, WORKING_FOLDER_MISSING } from '../../src/command-line.ts';
import { version } from '../../src/version.ts';
import { type Accounts, createAccounts } from '../account/account.ts';
import type { Services } from '../call/call-tool.ts';
import { createIdempotencyStore } from '../call/deed-ledger.ts';
import { createConfirmation } from '../call/gate.ts';
import { createShutdownSignals, type ShutdownSignals } from '../call/server-end.ts';
import { createFileDoor } from '../files/file-door.ts';
import type { ToolDefinition } from '../menu/listed-tool.ts';
import { type AuditLog, openAudit, STDOUT_PATH } from '../record/audit.ts';
import { createLog, type Log, writeReady } from '../record/log.ts';
import { createServerFactory } from '../server.ts';
import { createStateOpener } from '../state/open-state.ts';
import { StateSettingError } from '../state/seal.ts';
import type { OpenState } from '../state/shared-state.ts';
import { stateFolder } from '../state/state-folder.ts';
import { cannotListen } from './cannot-listen.ts';
import { type Command, CommandLineError, names, parseCommandLine, USAGE } from './command-line.ts';
import {
  endFailed,
  endWith,
  FLUSH_TIMEOUT_MS,
  SHUTDOWN_TIMEOUT_MS,
  STDIO_SHUTDOWN_TIMEOUT_MS,
  surviveFaults,
} from './ending.ts';
import { openFolders } from './folders.ts';
import { greet } from './greet.ts';
import { examine, learn, setUp } from './jobs.ts';
import { chooseMenu, MenuError } from './menu.ts';
import { readLearned } from './profile.ts';
import { startSandbox } from './sandbox.ts';
import { readSecrets } from './secrets.ts';
import { guardStdout } from './stdout-guard.ts';

/** Whoever reads the output may be gone first, as `head` is: that is no fault, and what is at work goes on. Others are told by the exit code. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (getErrorCode(error) !== 'EPIPE') process.exitCode ||= 1;
    });
}

/** Starts the server that the command line asks for. Ends the process with one sentence where it can't be meant. */
export async function start(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  doors: { hosted: PrepareHosted },
): Promise<void> {
  outliveReaders();
  try {
    if (args[0] === 'setup') return await setUp(args.slice(1), env);
    if (args[0] === 'learn') return await learn(args.slice(1));
    const command = parseCommandLine(args);
    if (command.help) process.stdout.write(USAGE);
    else if (command.version) process.stdout.write(`${version}\n`);
    else if (command.doctor) await examine(command, env);
    else await serve(command, env, doors);
  } catch (error) {
    endFailed(getErrorMessage(error));
  }
}

function getErrorMessage(error: unknown): string {
  const meant = [CommandLineError, MenuError, StateSettingError].some((Kind) => error instanceof Kind);
  if (meant && error instanceof Error) return error.message;
  if (isWorkingFolderMissing(error)) return WORKING_FOLDER_MISSING;
  const code = getErrorCode(error);
  return `the server could not start${code === 'unknown' ? '' : ` (${code})`}.`;
}

async function serve(
  command: Command,
  env: NodeJS.ProcessEnv,
  doors: { hosted: PrepareHosted },
): Promise<void> {
  const wire = command.http || command.hosted ? undefined : guardStdout();
  const openHosted = command.hosted ? await doors.hosted(command, env) : undefined;
  const { factory, log, tools, service, parts, end, close } = await assemble(command, env);
  const opening = openHosted
    ? openHosted(parts)
    : wire
      ? openStdio(factory, { input: process.stdin, wire, log, end })
      : openHttp(factory, { command, log, end });
  const door = await opening.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  surviveFaults(log);
  const { url, publicUrl, metricsUrl, ended, withinMs } = door;
  endWith(
    async (hurry) => {
      // First, so that the calls which run still have what they need.
      await door.close(hurry);
      await close();
    },
    { ended, withinMs },
  );
  writeReady({
    url,
    ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
    ...(metricsUrl === undefined ? {} : { metrics_url: metricsUrl }),
    tools,
    ...(service ? { sandbox: service.url } : {}),
  });
  // A host's pipes are no terminal: somebody is trying it out.
  if (process.stdin.isTTY && process.stderr.isTTY)
    greet({ door, pages: service?.origin, data: command.data });
}

/** A server before it has a door: nothing in it knows of this process's own streams, signals and end. */
export interface Assembled {
  readonly factory: McpServerFactory;
  readonly log: Log;
  /** How many tools its menu has. */
  readonly tools: number;
  /** The sandbox that it brought along. */
  readonly service: { readonly url: string; readonly origin: string } | undefined;
  readonly parts: HostedParts;
  /** Whoever closes its door begins it. */
  readonly end: ShutdownSignals;
  close(): Promise<void>;
}

/**
 * Puts together what a command line asks for; `write` takes the lines of its log.
 *
 * @throws CommandLineError, MenuError where it can't be meant.
 */
export async function assemble(
  command: Command,
  env: NodeJS.ProcessEnv,
  write?: (line: string) => void,
): Promise<Assembled> {
  const { http } = command;
  const scopes = names(env['DOCSHARE_SCOPES']?.trim() ? [env['DOCSHARE_SCOPES']] : undefined);
  if (scopes?.length === 0)
    throw new CommandLineError(
      'DOCSHARE_SCOPES takes the scopes of the key, such as documents:read,links:read.',
    );
  // The sandbox is another service than the one that was learned.
  const { profile, listed } = command.sandbox ? {} : await readLearned(env);
  const { tools, reach } = chooseMenu({ ...command, scopes, listed });
  const files = createFileDoor(openFolders(command), { readOnly: command.readOnly });
  const secrets = command.hosted ? readSecrets(command, env) : [];
  const audit =
    command.audit === undefined
      ? undefined
      : openAuditFile(command.audit, {
          command,
          onFailure: (error) => log.error('audit_failed', { code: getErrorCode(error) }),
        });
  const service = command.sandbox ? await startSandbox(command.data) : undefined;
  const log = createLog({
    level: command.logLevel,
    secrets: getSecrets(env, service?.key),
    ...(command.hosted ? { baseFields: { replica: command.replica } } : {}),
    ...(write ? { write } : {}),
  });
  const folder = resolveStateFolder(command, env);
  if (folder === undefined && command.state === undefined && !command.sandbox)
    log.warn('state_in_memory', { code: 'NO_HOME' });
  const onFailure = (error: unknown) => log.warn('state_in_memory', { code: getErrorCode(error) });
  const state = command.hosted
    ? await openShared({ folder, secrets, replicas: command.replicas, onFailure, log, env })
    : createStateOpener({ folder, onFailure });
  const baseUrl = service?.url ?? env['DOCSHARE_BASE_URL'];
  const accounts = createAccounts({
    baseUrl,
    missingKey: http ? MISSING_KEY.http : MISSING_KEY.stdio,
    state,
    profile,
    onContradiction: (seen) => log.warn('profile_contradicted', { ...seen, next: 'docshare learn' }),
  });
  const end = createShutdownSignals();
  const services: HostedParts['services'] = {
    confirm: command.confirm,
    mode: { readOnly: command.readOnly, sandbox: command.sandbox, confirm: command.confirm, reach },
    confirmation: createConfirmation({ state, tokensOnly: command.confirm === 'token' }),
    state,
    idempotencyStore: createIdempotencyStore({ state }),
    files,
    log,
    profile,
    shutdown: end,
    ...(audit ? { audit } : {}),
  };
  // Over HTTP the server's own key would serve everybody who reaches the port.
  const apiKey = service?.key ?? (http ? undefined : env['DOCSHARE_API_KEY']);
  return {
    factory: createServerFactory({ tools, accounts, apiKey, services }),
    log,
    tools: tools.length,
    service,
    parts: {
      command,
      env,
      accounts,
      services,
      log,
      baseUrl,
      sandboxKey: service?.key,
      scopes,
      secrets,
      listed,
    },
    end,
    async close() {
      const [, kept] = await Promise.allSettled([accounts.close(), service?.close()]);
      if (kept.status === 'rejected') log.error('not_kept', { reason: String(kept.reason.message) });
      await state.close();
    },
  };
}

const MISSING_KEY = {
  http: 'No API key: send it with each request as Authorization: Bearer KEY. Keys are made in Settings → API keys.',
  stdio:
    "No API key: set DOCSHARE_API_KEY in the server's environment (in the host's configuration) and restart it. Keys are made in Settings → API keys. To try without one, start with --sandbox.",
};

/** What a server is made of, for the door of many people. */
export interface HostedParts {
  readonly command: Command;
  readonly env: NodeJS.ProcessEnv;
  readonly accounts: Accounts;
  readonly services: Services & { readonly log: Log };
  readonly log: Log;
  readonly baseUrl: string | undefined;
  /** The key of the embedded sandbox, which anybody may know. */
  readonly sandboxKey: string | undefined;
  /** Of `DOCSHARE_SECRETS`. */
  readonly secrets: readonly string[];
  /** Of `DOCSHARE_SCOPES`: what the menu is limited to. */
  readonly scopes: readonly string[] | undefined;
  /** The tools as they are told by what was learned; unset: as always. */
  readonly listed: readonly ToolDefinition[] | undefined;
}

/** Gives what opens the door. @throws CommandLineError for settings that can't be meant. */
export type PrepareHosted = (
  command: Command,
  env: NodeJS.ProcessEnv,
) => Promise<(parts: HostedParts) => Promise<Door>>;

export interface Door {
  readonly url: string;
  /** Where people reach it, if that is another address. */
  readonly publicUrl?: string;
  /** Where its metrics and probes are. */
  readonly metricsUrl?: string | undefined;
  /** Settles when the other side hangs up; never for HTTP. */
  readonly ended: Promise<void>;
  /** How long its end may take. */
  readonly withinMs?: number;
  close(hurry?: boolean): Promise<void>;
}

/** The protocol over two streams: this process's own, or those of whoever runs the server in his. */
export async function openStdio(
  factory: McpServerFactory,
  { input, wire, log, end }: { input: Readable; wire: Writable; log: Log; end: ShutdownSignals },
): Promise<Door> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createStdioTransport } = await import('./stdio-transport.ts');
  const transport = createStdioTransport(input, wire, ({ code }) => log.warn('line_refused', { code }));
  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => log.warn('protocol_error', { message: error.message }),
  });
  return {
    url: 'stdio:',
    ended: transport.ended,
    withinMs: STDIO_SHUTDOWN_TIMEOUT_MS,
    async close() {
      // Whoever piped all calls in still reads the answers.
      const graceMs = STDIO_SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS;
      end.start({ readTimeoutMs: graceMs, writeTimeoutMs: graceMs });
      await transport.settle(STDIO_SHUTDOWN_TIMEOUT_MS);
      await handle.close();
      await new Promise<void>((resolve) => wire.end(() => resolve()));
    },
  };
}

/** The protocol over HTTP, for one person. */
export async function openHttp(
  factory: McpServerFactory,
  { command, log, end }: { command: Command; log: Log; end: ShutdownSignals },
): Promise<Door> {
  const { host, port } = command;
  const { serveHttp } = await import('./http.ts');
  const onError = (error: Error) => log.warn('protocol_error', { message: error.message });
  const server = await serveHttp(factory, { host, port, onError }).catch((error: unknown) => {
    throw cannotListen(`--host ${host} --port ${port}`, getErrorCode(error));
  });
  return {
    ...server,
    ended: new Promise(() => undefined),
    close() {
      end.start({ readTimeoutMs: 0, writeTimeoutMs: SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS });
      return server.close();
    },
  };
}

/** What replicas share: in Redis where there is one. */
async function openShared(options: {
  folder: string | undefined;
  secrets: readonly string[];
  replicas: number | undefined;
  onFailure: (error: unknown) => void;
  log: Log;
  env: NodeJS.ProcessEnv;
}): Promise<OpenState & { close(): Promise<void> }> {
  const { log, env, ...more } = options;
  const { openHostedState } = await import('../state/open-hosted-state.ts');
  const state = await openHostedState({
    ...more,
    redisUrl: env['DOCSHARE_REDIS_URL'],
    onCondition: ({ carrier, up, replicas, holdMs }, code) =>
      up
        ? log.info('state_back', { carrier, replicas, hold_s: Math.ceil(holdMs / 1000) })
        : log.warn('state_away', { carrier, replicas, code }),
  });
  return Object.assign(async () => state, { close: () => state.close() });
}

/** Undefined: memory. What is tried on the sandbox is nobody else's business. */
function resolveStateFolder({ state, sandbox }: Command, env: NodeJS.ProcessEnv): string | undefined {
  if (sandbox || state === 'memory') return undefined;
  return state === undefined ? stateFolder(env) : resolve(state);
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function getSecrets(env: NodeJS.ProcessEnv, sandboxKey: string | undefined): string[] {
  return [env['DOCSHARE_API_KEY']?.trim(), sandboxKey].flatMap((key) => key || []);
}

/** @throws CommandLineError where the file can't be written: a server that should leave a trace must not start without. */
function openAuditFile(
  path: string,
  { command: { hosted, replica }, onFailure }: { command: Command; onFailure: (error: unknown) => void },
): AuditLog {
  try {
    // Only where stdout is no protocol does it take lines.
    return openAudit(hosted && path === STDOUT_PATH ? path : resolve(path), {
      ...(hosted ? { replica } : {}),
      onFailure,
    });
  } catch (error) {
    const code = getErrorCode(error);
    throw new CommandLineError(
      code === 'ENXIO'
        ? `--audit ${path}: it is a pipe that nobody reads. Give a file, or start its reader first.`
        : `--audit ${path}: the file can't be written (${code}).`,
    );
  }
}
