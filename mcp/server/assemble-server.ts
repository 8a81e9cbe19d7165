import { join, resolve } from 'node:path';
import { splitList } from '../../src/command-line.ts';
import { isLoopbackHostname } from '../../src/loopback.ts';
import { createAccounts } from '../account/account.ts';
import { readWorkspaces } from '../account/workspaces.ts';
import { type AuditLog, openAudit, STDOUT_PATH } from '../audit/audit.ts';
import { createLog, type Log } from '../audit/log.ts';
import type { Services } from '../call/call-tool.ts';
import { createIdempotencyStore } from '../call/idempotency.ts';
import { createShutdownSignals } from '../call/shutdown-signals.ts';
import { type ConfirmationOptions, createConfirmation } from '../confirm/confirm.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { createFileAccess } from '../files/file-access.ts';
import { createSecretStore } from '../files/secret-store.ts';
import type { UploadPolicy } from '../files/upload-name.ts';
import { getHomeFolder } from '../home-folder.ts';
import { createLocalConfirmationPages } from '../pages/local-confirmation-page.ts';
import { openBrowser } from '../pages/open-browser.ts';
import { createServerFactory } from '../server-factory.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { ensurePrivateFolder, getStateFolder } from '../state/state-folder.ts';
import { createStateProvider } from '../state/state-provider.ts';
import { resolveAllowedFolders } from './allowed-folders.ts';
import { readHostedSecrets } from './hosted-secrets.ts';
import { loadProfile } from './load-profile.ts';
import { type Command, CommandLineError } from './parse-command-line.ts';
import { selectToolset } from './select-toolset.ts';
import { startSandbox } from './start-sandbox.ts';

/** Parts of a server that the hosted server needs. */
export type HostedDependencies = Awaited<ReturnType<typeof assembleServer>>['dependencies'];

export interface AssembleOptions extends Pick<ConfirmationOptions, 'minAnswerMs' | 'pageWaitMs' | 'formWaitMs'> {
  /** Receives the log lines. */
  readonly write?: (line: string) => void;
  readonly openBrowser?: (url: string) => Promise<boolean>;
}

/**
 * Builds the server that a command line describes, without a transport and independent of this process's streams and signals.
 * @throws CommandLineError for invalid options.
 */
export async function assembleServer(command: Command, env: NodeJS.ProcessEnv, options: AssembleOptions = {}) {
  const { write, openBrowser: openPage, ...waits } = options;
  const { http } = command;
  const scopes = env['DOCSHARE_SCOPES']?.trim() ? splitList([env['DOCSHARE_SCOPES']]) : undefined;
  if (scopes?.length === 0)
    throw new CommandLineError('DOCSHARE_SCOPES must list scopes of the key, for example documents:read,links:read.');
  // The profile belongs to another service than the sandbox.
  const { profile, catalog } = command.sandbox ? {} : await loadProfile(env);
  const { tools, readableGroups } = selectToolset({ ...command, scopes, catalog });
  const files = createFileAccess(resolveAllowedFolders(command), {
    readOnly: command.readOnly,
    uploads: getUploadPolicy(command),
    ...(command.hosted ? { folderAdvice: false } : {}),
    secrets: isRemote(command) ? undefined : createSecretStore(resolveSecretsFolder(command, env)),
    machine: {
      platform: process.platform,
      home: getHomeFolder(env['HOME']),
      privateFolders: [resolveStateFolder(command, env) ?? []].flat(),
    },
  });
  const secrets = command.hosted ? readHostedSecrets(command, env) : [];
  const audit =
    command.audit === undefined
      ? undefined
      : openAuditFile(command.audit, {
          command,
          onFailure: (error) => log.error('audit_failed', { code: getSystemErrorCode(error) }),
        });
  // A hosted or HTTP server takes its keys from sign-ins and requests.
  const workspaces = command.sandbox || http || command.hosted ? [] : readWorkspaces(env);
  const sandboxServer = command.sandbox ? await startSandbox(command.data) : undefined;
  const log = createLog({
    level: command.logLevel,
    secrets: [env['DOCSHARE_API_KEY']?.trim(), sandboxServer?.key, ...workspaces.map(({ apiKey }) => apiKey)].flatMap(
      (key) => key || [],
    ),
    ...(command.hosted ? { baseFields: { replica: command.replica } } : {}),
    ...(write ? { write } : {}),
  });
  const folder = resolveStateFolder(command, env);
  if (command.hosted && command.state !== undefined && folder !== undefined) requireStateFolder(folder);
  if (folder === undefined && command.state === undefined && !command.sandbox)
    log.warn('state_in_memory', { code: 'NO_HOME' });
  const onFailure = (error: unknown) => log.warn('state_in_memory', { code: getSystemErrorCode(error) });
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
  const services = {
    confirm: command.confirm,
    hostAsks: command.hostAsks,
    mode: {
      readOnly: command.readOnly,
      sandbox: command.sandbox,
      confirm: command.confirm,
      readableGroups,
      ...(workspaces.length > 0 ? { workspaces: workspaces.map(({ name }) => name) } : {}),
    },
    confirmation: createConfirmation({
      state,
      unattended: command.confirm === 'unattended',
      actionsPerHour: command.actionsPerHour,
      ...waits,
    }),
    state,
    idempotencyStore: createIdempotencyStore({ state }),
    files,
    log,
    profile,
    shutdown: end,
    ...(audit ? { audit } : {}),
  } satisfies Services;
  // The browser of this machine belongs to nobody who calls from another one.
  const localPages = isRemote(command)
    ? undefined
    : createLocalConfirmationPages({ state, openBrowser: openPage ?? ((url) => openBrowser(url, env)) });
  // Over HTTP, the server's own keys would serve everyone who reaches the port.
  const apiKey = sandboxServer?.key ?? (http ? undefined : env['DOCSHARE_API_KEY']);
  return {
    factory: createServerFactory({
      tools,
      accounts,
      apiKey,
      services,
      workspaces,
      ...(localPages ? { confirmationPage: localPages.forAccount } : {}),
    }),
    log,
    /** Number of tools. */
    tools: tools.length,
    /** The embedded sandbox, if any. */
    sandboxServer,
    dependencies: {
      command,
      env,
      accounts,
      services,
      log,
      baseUrl,
      /** Public key of the embedded sandbox. */
      sandboxKey: sandboxServer?.key,
      /** From `DOCSHARE_SCOPES`: limits the toolset. */
      scopes,
      /** From `DOCSHARE_SECRETS`. */
      secrets,
      /** Tools described by the profile; undefined without one. */
      catalog,
    },
    /** Started by the code that closes the transport. */
    end,
    async close(): Promise<void> {
      const [, sandboxClosed] = await Promise.allSettled([
        accounts.close(),
        sandboxServer?.close(),
        localPages?.close(),
      ]);
      if (sandboxClosed.status === 'rejected')
        log.error('sandbox_not_saved', { reason: String(sandboxClosed.reason.message) });
      await state.close();
    },
  };
}

/** Returns whether users on other machines, who can't read this one's files, may reach the server. */
function isRemote({ hosted, host }: Command): boolean {
  return hosted || !isLoopbackHostname(host.includes(':') ? `[${host}]` : host);
}

/** Secrets are stored beside the state, or the data of a sandbox. */
function resolveSecretsFolder(command: Command, env: NodeJS.ProcessEnv): string | undefined {
  const folder = command.data === undefined ? resolveStateFolder(command, env) : resolve(command.data);
  return folder && join(folder, 'secrets');
}

/** A folder that a person named allows more than the folder that a host happened to start the server in. */
function getUploadPolicy({ files, anyFile }: Command): UploadPolicy {
  if (anyFile) return 'any';
  return files.length > 0 ? 'files' : 'documents';
}

const MISSING_KEY = {
  http: 'No API key: send it with each request as Authorization: Bearer KEY. Create keys in Settings → API keys.',
  stdio:
    "No API key: set DOCSHARE_API_KEY in the server's environment (in the host's configuration) and restart it. Create keys in Settings → API keys. To try it without a key, start with --sandbox.",
};

/** Opens the state that replicas share, in Redis if configured. */
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

/** @throws CommandLineError if replicas could not share the folder: each would reject the sign-ins of the others. */
function requireStateFolder(folder: string): void {
  try {
    ensurePrivateFolder(folder);
  } catch (error) {
    const code = getSystemErrorCode(error);
    const reason = code === 'unknown' && error instanceof Error ? error.message : code;
    throw new CommandLineError(
      `--state ${folder} can't be used (${reason}). Choose a folder that only this user can write to.`,
    );
  }
}

/** Returns undefined for memory, which the sandbox always uses. */
function resolveStateFolder({ state, sandbox }: Command, env: NodeJS.ProcessEnv): string | undefined {
  if (sandbox || state === 'memory') return undefined;
  return state === undefined ? getStateFolder(env) : resolve(state);
}

/**
 * @throws CommandLineError if the file can't be written: a server that must leave a trace must not start
 * without one.
 */
function openAuditFile(
  path: string,
  { command: { hosted, replica }, onFailure }: { command: Command; onFailure: (error: unknown) => void },
): AuditLog {
  try {
    // Stdout takes audit lines only if it does not carry the protocol.
    return openAudit(hosted && path === STDOUT_PATH ? path : resolve(path), {
      ...(hosted ? { replica } : {}),
      onFailure,
    });
  } catch (error) {
    const code = getSystemErrorCode(error);
    throw new CommandLineError(
      code === 'ENXIO'
        ? `--audit ${path} is a pipe without a reader. Use a file, or start the reader first.`
        : `--audit ${path} can't be written (${code}). Choose another file.`,
    );
  }
}
