import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRoundRobin } from './round-robin.ts';

const source = fileURLToPath(new URL('../mcp/main.ts', import.meta.url));

export interface Replica {
  readonly name: string;
  readonly port: number;
  readonly metricsUrl: string;
  /** Lines of its log. */
  readonly lines: string[];
  readonly pid: number;
  /** Kills it without warning, like a lost machine. */
  kill(): Promise<void>;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
}

export interface Replicas {
  /** Shared public address. */
  readonly origin: string;
  readonly all: readonly Replica[];
  /** Starts another replica behind the balancer. */
  add(args?: readonly string[]): Promise<Replica>;
  close(): Promise<void>;
}

export interface ReplicasOptions {
  readonly count: number;
  readonly baseUrl: string;
  /** Program to start. Default: the source. */
  readonly main?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly onLine?: (replica: string, line: string) => void;
}

/** Runs hosted servers as local processes behind one round-robin balancer. */
export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const balancer = await startRoundRobin(options.port);
  const all: Replica[] = [];
  let replicaCount = 0;

  async function add(extraArgs: readonly string[] = []): Promise<Replica> {
    replicaCount += 1;
    const replica = await startReplica(`replica-${replicaCount}`, {
      ...options,
      args: [...(options.args ?? []), ...extraArgs],
      publicUrl: balancer.origin,
    });
    all.push(replica);
    balancer.setPorts(all.map(({ port }) => port));
    return replica;
  }

  await Promise.all(Array.from({ length: options.count }, () => add()));
  return {
    origin: balancer.origin,
    all,
    add,
    async close() {
      await balancer.close();
      await Promise.all(all.map((replica) => replica.kill()));
    },
  };
}

async function startReplica(
  name: string,
  { baseUrl, publicUrl, main = source, env = {}, args = [], onLine }: ReplicasOptions & { publicUrl: string },
): Promise<Replica> {
  const baseArgs = ['--hosted', '--port', '0', '--metrics-port', '0', '--public-url', publicUrl];
  const child = spawn(
    process.execPath,
    [main, ...baseArgs, '--trust-proxy', '1', '--replica', name, '--drain', '0', ...args],
    {
      env: { PATH: process.env['PATH'] ?? '', DOCSHARE_BASE_URL: baseUrl, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  // However this process ends, its servers end too.
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  const lines: string[] = [];
  const ready = await new Promise<{ url: string; metrics_url: string }>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended (${code}): ${lines.slice(-5).join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      onLine?.(name, line);
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line));
    });
  });
  // A replica gets requests once it is connected to the others.
  while (!(await fetch(`${ready.metrics_url}/readyz`)).ok) await sleep(50);
  return {
    name,
    port: Number(new URL(ready.url).port),
    metricsUrl: ready.metrics_url,
    lines,
    pid: child.pid ?? 0,
    kill: () => endProcess(child, 'SIGKILL'),
    stop: () => endProcess(child, 'SIGTERM'),
  };
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
