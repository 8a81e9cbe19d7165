import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { isWorkingFolderMissing, splitList, WORKING_FOLDER_MISSING } from '../../src/command-line.ts';
import { version } from '../../src/version.ts';
import { type Accounts, createAccounts } from '../account/account.ts';
import { type AuditLog, openAudit, STDOUT_PATH } from '../audit/audit.ts';
import { createLog, type Log, writeReady } from '../audit/log.ts';
import type { Services } from '../call/call-tool.ts';
import { createIdempotencyStore } from '../call/idempotency.ts';
import { createShutdownSignals, type ShutdownSignals } from '../call/shutdown-signals.ts';
import { createConfirmation } from '../confirm/confirm.ts';
import { createFileAccess } from '../files/file-access.ts';
import { createServerFactory } from '../server-factory.ts';
import { StateConfigError } from '../state/encryptor.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { getStateFolder } from '../state/state-folder.ts';
import { createStateProvider } from '../state/state-provider.ts';
import type { ToolDefinition } from '../toolset/tool-definition.ts';
import { resolveAllowedFolders } from './allowed-folders.ts';
import { printBanner } from './banner.ts';
import { readHostedSecrets } from './hosted-secrets.ts';
import { createListenError } from './listen-error.ts';
import { loadProfile } from './load-profile.ts';
import { type Command, CommandLineError, parseCommandLine, USAGE } from './parse-command-line.ts';
import {
  exitWithError,
  FLUSH_TIMEOUT_MS,
  installShutdownHandlers,
  logUncaughtErrors,
  SHUTDOWN_TIMEOUT_MS,
  STDIO_SHUTDOWN_TIMEOUT_MS,
} from './process-shutdown.ts';
import { selectToolset, ToolsetError } from './select-toolset.ts';
import { startSandbox } from './start-sandbox.ts';
import { guardStdout } from './stdout-guard.ts';
import { runDoctorCommand, runLearnCommand, runSetupCommand } from './subcommands.ts';

/** Whoever reads the output may be gone first, as `head` is: that is no fault, and what is at work goes on. Others are told by the exit code. */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (getErrorCode(error) !== 'EPIPE') process.exitCode ||= 1;
    });
}

/** Starts the server that the command line asks for. Ends the process with one sentence where it can't be meant. */
export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  transports: { hosted: PrepareHosted },
): Promise<void> {
  ignoreBrokenPipes();
  try {
    if (args[0] === 'setup') return await runSetupCommand(args.slice(1), env);
    if (args[0] === 'learn') return await runLearnCommand(args.slice(1));
    const command = parseCommandLine(args);
    if (command.help) process.stdout.write(USAGE);
    else if (command.version) process.stdout.write(`${version}\n`);
    else if (command.doctor) await runDoctorCommand(command, env);
    else await runServer(command, env, transports);
  } catch (error) {
    exitWithError(getErrorMessage(error));
  }
}

function getErrorMessage(error: unknown): string {
  const isUserError = [CommandLineError, ToolsetError, StateConfigError].some(
    (ErrorClass) => error instanceof ErrorClass,
  );
  if (isUserError && error instanceof Error) return error.message;
  if (isWorkingFolderMissing(error)) return WORKING_FOLDER_MISSING;
  const code = getErrorCode(error);
  return `the server could not start${code === 'unknown' ? '' : ` (${code})`}.`;
}

async function runServer(
  command: Command,
  env: NodeJS.ProcessEnv,
  transports: { hosted: PrepareHosted },
): Promise<void> {
  const protocolOutput = command.http || command.hosted ? undefined : guardStdout();
  const startHosted = command.hosted ? await transports.hosted(command, env) : undefined;
  const { factory, log, tools, sandboxServer, dependencies, end, close } = await assembleServer(command, env);
  const opening = startHosted
    ? startHosted(dependencies)
    : protocolOutput
      ? openStdio(factory, { input: process.stdin, protocolOutput, log, end })
      : openHttp(factory, { command, log, end });
  const server = await opening.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  logUncaughtErrors(log);
  const { url, publicUrl, metricsUrl, ended, shutdownTimeoutMs } = server;
  installShutdownHandlers(
    async (immediate) => {
      // First, so that the calls which run still have what they need.
      await server.close(immediate);
      await close();
    },
    { ended, timeoutMs: shutdownTimeoutMs },
  );
  writeReady({
    url,
    ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
    ...(metricsUrl === undefined ? {} : { metrics_url: metricsUrl }),
    tools,
    ...(sandboxServer ? { sandbox: sandboxServer.url } : {}),
  });
  // A host's pipes are no terminal: somebody is trying it out.
  if (process.stdin.isTTY && process.stderr.isTTY)
    printBanner({ server, pagesUrl: sandboxServer?.origin, data: command.data });
}

/** A server before it has a door: nothing in it knows of this process's own streams, signals and end. */
export interface AssembledServer {
  readonly factory: McpServerFactory;
  readonly log: Log;
  /** How many tools its menu has. */
  readonly tools: number;
  /** The sandbox that it brought along. */
  readonly sandboxServer: { readonly url: string; readonly origin: string } | undefined;
  readonly dependencies: HostedDependencies;
  /** Whoever closes its door begins it. */
  readonly end: ShutdownSignals;
  close(): Promise<void>;
}

/**
 * Puts together what a command line asks for; `write` takes the lines of its log.
 *
 * @throws CommandLineError, MenuError where it can't be meant.
 */
export async function assembleServer(
  command: Command,
  env: NodeJS.ProcessEnv,
  write?: (line: string) => void,
): Promise<AssembledServer> {
  const { http } = command;
  const scopes = env['DOCSHARE_SCOPES']?.trim() ? splitList([env['DOCSHARE_SCOPES']]) : undefined;
  if (scopes?.length === 0)
    throw new CommandLineError(
      'DOCSHARE_SCOPES takes the scopes of the key, such as documents:read,links:read.',
    );
  // The sandbox is another service than the one that was learned.
  const { profile, catalog } = command.sandbox ? {} : await loadProfile(env);
  const { tools, readableGroups } = selectToolset({ ...command, scopes, catalog });
  const files = createFileAccess(resolveAllowedFolders(command), { readOnly: command.readOnly });
  const secrets = command.hosted ? readHostedSecrets(command, env) : [];
  const audit =
    command.audit === undefined
      ? undefined
      : openAuditFile(command.audit, {
          command,
          onFailure: (error) => log.error('audit_failed', { code: getErrorCode(error) }),
        });
  const sandboxServer = command.sandbox ? await startSandbox(command.data) : undefined;
  const log = createLog({
    level: command.logLevel,
    secrets: getSecrets(env, sandboxServer?.key),
    ...(command.hosted ? { baseFields: { replica: command.replica } } : {}),
    ...(write ? { write } : {}),
  });
  const folder = resolveStateFolder(command, env);
  if (folder === undefined && command.state === undefined && !command.sandbox)
    log.warn('state_in_memory', { code: 'NO_HOME' });
  const onFailure = (error: unknown) => log.warn('state_in_memory', { code: getErrorCode(error) });
  const state = command.hosted
    ? await openSharedState({ folder, secrets, replicas: command.replicas, onFailure, log, env })
    : createStateProvider({ folder, onFailure });
  const baseUrl = sandboxServer?.url ?? env['DOCSHARE_BASE_URL'];
  const accounts = createAccounts({
    baseUrl,
    missingKey: http ? MISSING_KEY.http : MISSING_KEY.stdio,
    state,
    profile,
    onContradiction: (seen) => log.warn('profile_contradicted', { ...seen, next: 'docshare learn' }),
  });
  const end = createShutdownSignals();
  const services: HostedDependencies['services'] = {
    confirm: command.confirm,
    mode: { readOnly: command.readOnly, sandbox: command.sandbox, confirm: command.confirm, readableGroups },
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
  const apiKey = sandboxServer?.key ?? (http ? undefined : env['DOCSHARE_API_KEY']);
  return {
    factory: createServerFactory({ tools, accounts, apiKey, services }),
    log,
    tools: tools.length,
    sandboxServer,
    dependencies: {
      command,
      env,
      accounts,
      services,
      log,
      baseUrl,
      sandboxKey: sandboxServer?.key,
      scopes,
      secrets,
      catalog,
    },
    end,
    async close() {
      const [, sandboxClosed] = await Promise.allSettled([accounts.close(), sandboxServer?.close()]);
      if (sandboxClosed.status === 'rejected')
        log.error('sandbox_not_saved', { reason: String(sandboxClosed.reason.message) });
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
export interface HostedDependencies {
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
  readonly catalog: readonly ToolDefinition[] | undefined;
}

/** Gives what opens the door. @throws CommandLineError for settings that can't be meant. */
export type PrepareHosted = (
  command: Command,
  env: NodeJS.ProcessEnv,
) => Promise<(dependencies: HostedDependencies) => Promise<RunningServer>>;

export interface RunningServer {
  readonly url: string;
  /** Where people reach it, if that is another address. */
  readonly publicUrl?: string;
  /** Where its metrics and probes are. */
  readonly metricsUrl?: string | undefined;
  /** Settles when the other side hangs up; never for HTTP. */
  readonly ended: Promise<void>;
  /** How long its end may take. */
  readonly shutdownTimeoutMs?: number;
  close(immediate?: boolean): Promise<void>;
}

/** The protocol over two streams: this process's own, or those of whoever runs the server in his. */
export async function openStdio(
  factory: McpServerFactory,
  {
    input,
    protocolOutput,
    log,
    end,
  }: { input: Readable; protocolOutput: Writable; log: Log; end: ShutdownSignals },
): Promise<RunningServer> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createStdioTransport } = await import('./stdio-transport.ts');
  const transport = createStdioTransport(input, protocolOutput, ({ code }) =>
    log.warn('line_rejected', { code }),
  );
  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => log.warn('protocol_error', { message: error.message }),
  });
  return {
    url: 'stdio:',
    ended: transport.ended,
    shutdownTimeoutMs: STDIO_SHUTDOWN_TIMEOUT_MS,
    async close() {
      // Whoever piped all calls in still reads the answers.
      const timeoutMs = STDIO_SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS;
      end.start({ readTimeoutMs: timeoutMs, writeTimeoutMs: timeoutMs });
      await transport.drain(STDIO_SHUTDOWN_TIMEOUT_MS);
      await handle.close();
      await new Promise<void>((resolve) => protocolOutput.end(() => resolve()));
    },
  };
}

/** The protocol over HTTP, for one person. */
export async function openHttp(
  factory: McpServerFactory,
  { command, log, end }: { command: Command; log: Log; end: ShutdownSignals },
): Promise<RunningServer> {
  const { host, port } = command;
  const { startHttpServer } = await import('./http-server.ts');
  const onError = (error: Error) => log.warn('protocol_error', { message: error.message });
  const server = await startHttpServer(factory, { host, port, onError }).catch((error: unknown) => {
    throw createListenError(`--host ${host} --port ${port}`, getErrorCode(error));
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
async function openSharedState(options: {
  folder: string | undefined;
  secrets: readonly string[];
  replicas: number | undefined;
  onFailure: (error: unknown) => void;
  log: Log;
  env: NodeJS.ProcessEnv;
}): Promise<StateProvider & { close(): Promise<void> }> {
  const { log, env, ...more } = options;
  const { openHostedState } = await import('../state/open-hosted-state.ts');
  const state = await openHostedState({
    ...more,
    redisUrl: env['DOCSHARE_REDIS_URL'],
    onStatusChange: ({ backend, up, replicas, holdMs }, code) =>
      up
        ? log.info('state_available', { backend, replicas, hold_s: Math.ceil(holdMs / 1000) })
        : log.warn('state_unavailable', { backend, replicas, code }),
  });
  return Object.assign(async () => state, { close: () => state.close() });
}

/** Undefined: memory. What is tried on the sandbox is nobody else's business. */
function resolveStateFolder({ state, sandbox }: Command, env: NodeJS.ProcessEnv): string | undefined {
  if (sandbox || state === 'memory') return undefined;
  return state === undefined ? getStateFolder(env) : resolve(state);
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
