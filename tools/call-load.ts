import { readFileSync } from 'node:fs';
import { Agent } from 'undici';

/** Servers of the same calls, used in turn. */
export interface Target {
  readonly urls: readonly string[];
  /** Process IDs of the servers. */
  readonly pids: readonly number[];
  /** Process ID of their shared Redis. */
  readonly redis?: number;
  readonly tokens: readonly string[];
  readonly tool: string;
}

export interface Load {
  readonly perSecond: number;
  /** CPU milliseconds of the servers per call; NaN if the system does not report them. */
  readonly cpuMs: number;
  /** CPU milliseconds of Redis per call. */
  readonly redisMs: number;
  /** Bytes of the last response. */
  readonly bytes: number;
}

/**
 * Calls a tool many times from several clients at once, each with its own connection.
 * @throws Error for an invalid response
 */
export async function callMany(target: Target, { calls, clients }: { calls: number; clients: number }): Promise<Load> {
  const agent = new Agent({ connections: clients });
  const { urls, tokens, pids, tool } = target;
  const redis = target.redis === undefined ? [] : [target.redis];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } });
  let [next, bytes] = [0, 0];
  async function client(): Promise<void> {
    while (next < calls) {
      const index = next++;
      const response = await agent.request({
        origin: urls[index % urls.length] ?? '',
        path: '/mcp',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${tokens[index % tokens.length]}`,
        },
        body,
      });
      const text = await response.body.text();
      bytes = text.length;
      if (response.statusCode !== 200 || /"isError":true|"error":/.test(text))
        throw new Error(`${tool}: ${response.statusCode} ${text.slice(0, 300)}`);
    }
  }
  const before = { servers: readCpuMs(pids), redis: readCpuMs(redis) };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = (readCpuMs(pids) - before.servers) / calls;
  const redisMs = (readCpuMs(redis) - before.redis) / calls;
  await agent.close();
  return { perSecond: calls / seconds, cpuMs, redisMs, bytes };
}

/** Linux counts CPU time in hundredths of a second. */
function readCpuMs(pids: readonly number[]): number {
  try {
    const times = pids.map((pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return 10 * (Number(fields[11]) + Number(fields[12]));
    });
    return times.reduce((sum, time) => sum + time, 0);
  } catch {
    return Number.NaN;
  }
}
