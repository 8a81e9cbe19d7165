import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readPeakMiB } from './peak-memory.ts';

export interface StartMeasurement {
  /** Time from the start of the process to the whole list of tools. */
  readonly ms: number;
  readonly tools: number;
  /** CPU time of all its threads, which other programs don't affect; 0 if the system does not report it. */
  readonly cpuMs: number;
  /** Peak memory of the process; 0 if the system does not report it. */
  readonly peakMiB: number;
}

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
];

/** Starts an MCP server like a host, lists its tools, and stops it. */
export async function measureStart(
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<StartMeasurement> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(options.env ? { env: options.env } : {}),
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const [first, ...others] = MESSAGES;
  if (first) send(first);
  let text = '';
  for await (const chunk of child.stdout) {
    const before = text;
    text += chunk;
    if (!before.includes('"id":1') && text.includes('"id":1')) for (const message of others) send(message);
    if (text.includes('"id":2') && text.endsWith('\n')) break;
  }
  const ms = performance.now() - startedAt;
  const peakMiB = readPeakMiB(child.pid);
  const cpuMs = readCpuMs(child.pid);
  child.stdin.end();
  const timer = setTimeout(() => child.kill(), 3000);
  await ended;
  clearTimeout(timer);
  const last = text.split('\n').find((line) => line.includes('"id":2')) ?? '{}';
  return { ms, cpuMs, peakMiB, tools: JSON.parse(last).result?.tools.length ?? 0 };
}

function readCpuMs(pid: number | undefined): number {
  try {
    const tasks = `/proc/${pid}/task`;
    const nanoseconds = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
  } catch {
    return 0;
  }
}
