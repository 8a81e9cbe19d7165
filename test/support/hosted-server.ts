import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClientMetadataDocuments } from '../../mcp/hosted/oauth/client-metadata.ts';
import { prepareHosted } from '../../mcp/hosted/prepare-hosted.ts';
import { assembleServer } from '../../mcp/server/assemble-server.ts';
import { parseCommandLine } from '../../mcp/server/parse-command-line.ts';
import { collectText } from './collect-text.ts';
import { mcpMain } from './entry.ts';

/** 43 characters, as `openssl rand -base64 32` prints them. */
export const SECRET = 'a-secret-of-the-tests-that-is-long-enough-0';

export interface HostedServer {
  /** Its origin. */
  readonly url: string;
  /** Its stderr. */
  log(): string;
  /** Its process ID, if it has its own process. */
  readonly pid?: number | undefined;
  close(): Promise<void>;
}

/** Starts a hosted server as a separate process. */
export async function openHostedProcess(options: {
  baseUrl: string;
  args?: readonly string[];
  env?: Record<string, string>;
}): Promise<HostedServer> {
  const { baseUrl, args = [], env = {} } = options;
  const given = args.includes('--state') ? args : [...args, '--state', 'memory'];
  const child = spawn(process.execPath, [mcpMain, '--hosted', '--port', '0', ...given], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', DOCSHARE_BASE_URL: baseUrl, DOCSHARE_SECRETS: SECRET, ...env },
  });
  const getLog = collectText(child.stderr);
  const ended = once(child, 'close');
  while (!/"ready".*\n/.test(getLog())) {
    if (child.exitCode !== null) throw new Error(getLog());
    await Promise.race([once(child.stderr, 'data'), ended]);
  }
  return {
    url: new URL(JSON.parse(/.*"ready".*/.exec(getLog())?.[0] ?? '{}').url).origin,
    log: getLog,
    pid: child.pid,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** Starts a hosted server inside the test, with the test's clock or documents. */
export async function openHostedInProcess(options: {
  baseUrl: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Folder of the state that it shares with others (default: memory). */
  state?: string;
  now?: () => number;
  documents?: Pick<ClientMetadataDocuments, 'fetch'> & Partial<ClientMetadataDocuments>;
}): Promise<HostedServer> {
  const { baseUrl, args = [], env = {}, now = Date.now, documents, state = 'memory' } = options;
  const command = parseCommandLine(['--hosted', '--port', '0', '--state', state, '--log-level', 'debug', ...args]);
  let lines = '';
  const whole = { DOCSHARE_SECRETS: SECRET, DOCSHARE_BASE_URL: baseUrl, ...env };
  const openDoor = prepareHosted(command, whole);
  const assembled = await assembleServer(command, whole, {
    write: (line) => {
      lines += line;
    },
    minAnswerMs: 0,
  });
  const clientMetadata = documents && { keep: () => undefined, isOffered: async () => true, ...documents };
  const door = await openDoor(assembled.dependencies, { now, ...(clientMetadata ? { clientMetadata } : {}) });
  return {
    url: new URL(door.url).origin,
    log: () => lines,
    async close() {
      await door.close();
      await assembled.close();
    },
  };
}
