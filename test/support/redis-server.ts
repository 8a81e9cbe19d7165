import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { openHostedState } from '../../mcp/state/open-hosted-state.ts';
import { type SharedState, type StateStatus, StateUnavailableError } from '../../mcp/state/shared-state.ts';

/** True if this machine has a Redis; `.ci/run` installs Debian's. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
/** The reason that a skipped test shows without Redis. */
export const NO_REDIS = 'no redis-server on this machine (Debian: apt-get install redis-server)';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** The ID of the running process; 0 if none runs. */
  pid(): number;
  /** Kills it at once, like a lost machine. */
  kill(): Promise<void>;
  /** Starts it again on the same port; `empty` without its data. */
  start(options?: { empty?: boolean }): Promise<void>;
  /** Suspends it without closing its connections, and resumes it. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** A real Redis with its own port and folder. */
export async function startRedis(args: readonly string[] = ['--appendonly', 'yes']): Promise<RedisServer> {
  let port = await freePort();
  let folder = mkdtempSync(join(tmpdir(), 'docshare-redis-'));
  const folders = [folder];
  let child: ChildProcess | undefined;

  async function start({ empty = false } = {}): Promise<void> {
    if (empty) {
      folder = mkdtempSync(join(tmpdir(), 'docshare-redis-'));
      folders.push(folder);
    }
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const started = spawn('redis-server', [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    // However this process ends, its Redis ends with it.
    const last = () => void started.kill('SIGKILL');
    process.once('exit', last);
    started.once('exit', () => process.off('exit', last));
    let said = '';
    await new Promise<void>((resolve, reject) => {
      started.once('exit', () => reject(new Error(`redis-server ended: ${said.slice(-500)}`)));
      started.stdout?.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-20_000);
        if (said.includes('Ready to accept connections')) resolve();
      });
    });
  }

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  }

  // Another test file may take a free port before Redis does.
  for (let tried = 1; ; tried++) {
    try {
      await start();
      break;
    } catch (error) {
      if (tried === 5 || !String(error).includes('in use')) throw error;
      port = await freePort();
    }
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      await kill();
      for (const one of folders) rmSync(one, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export const SECRET = 'a secret of more than thirty-two characters';
export { type SharedState, StateUnavailableError };

/** Opens a server's state in this Redis and records its status changes: `up`, or the error code. It closes with the test. */
export async function openRedisState(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: string | { redisUrl: string; secrets?: string[]; holdMs?: number },
) {
  const changes: { readonly status: StateStatus; readonly code: string | undefined }[] = [];
  const state = await openHostedState({
    secrets: [SECRET],
    holdMs: 0,
    ...(typeof options === 'string' ? { redisUrl: options } : options),
    onStatusChange: (status, code) => void changes.push({ status, code }),
    onFailure: () => undefined,
  });
  onTestFinished(() => state.close());
  return { state, changes, codes: () => changes.map(({ status, code }) => (status.up ? 'up' : code)) };
}
