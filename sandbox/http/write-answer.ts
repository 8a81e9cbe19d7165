import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from './faults.ts';
import type { Reply } from './reply.ts';

/** Writes an answer to the wire, as whole or as broken as the rule wants it. Returns the status that went out. */
export async function writeAnswer(
  outgoing: ServerResponse,
  answer: Reply,
  fault?: FaultRule,
): Promise<number> {
  if (fault?.delayMs) await pause(fault.delayMs, outgoing);
  if (fault?.cut) return cut(outgoing, fault.cut);
  if (outgoing.destroyed) return 0;
  const changed = applyFault(answer, fault);
  const body = wholeOrCut(changed);
  const headers: Record<string, string | number> = { ...changed.headers };
  const mayHaveBody = changed.status !== 204 && changed.status !== 304 && changed.status >= 200;
  if (mayHaveBody && !(body instanceof Readable))
    headers['content-length'] ??= body === null ? 0 : Buffer.byteLength(body);
  outgoing.writeHead(changed.status, headers);
  if (fault?.bodyDelayMs) {
    outgoing.flushHeaders();
    await pause(fault.bodyDelayMs, outgoing);
  }
  if (fault?.truncate !== undefined) {
    const bytes = await firstBytes(body, fault.truncate);
    await new Promise<void>((resolve) => outgoing.write(bytes, () => resolve()));
    outgoing.destroy();
  } else if (body instanceof Readable) {
    // A reader that leaves early is no fault of the service.
    await pipeline(body, outgoing).catch(() => outgoing.destroy());
  } else if (body === null || !mayHaveBody) outgoing.end();
  else outgoing.end(body);
  return changed.status;
}

function wholeOrCut({ body, cutShort }: Reply): Reply['body'] {
  return cutShort && typeof body === 'string' ? body.slice(0, -1) : body;
}

async function firstBytes(body: Reply['body'], count: number): Promise<Uint8Array> {
  if (!(body instanceof Readable)) return Buffer.from(body ?? '').subarray(0, count);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= count) break;
  }
  return Buffer.concat(chunks).subarray(0, count);
}

export function applyFault(answer: Reply, fault?: FaultRule): Reply {
  if (!fault) return answer;
  const headers = { ...answer.headers };
  if (fault.body !== undefined) headers['content-type'] = 'text/plain; charset=utf-8';
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name.toLowerCase()] = value;
  return { status: fault.status ?? answer.status, headers, body: fault.body ?? answer.body };
}

async function cut(outgoing: ServerResponse, how: 'drop' | 'reset' | 'hang'): Promise<number> {
  const { socket } = outgoing;
  if (how === 'reset') socket?.resetAndDestroy();
  else if (how === 'drop') socket?.destroy();
  else await new Promise((resolve) => outgoing.once('close', resolve));
  return 0;
}

/** Ends early when the caller is gone, so that nothing waits for no one. */
async function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  outgoing.off('close', leave);
}
