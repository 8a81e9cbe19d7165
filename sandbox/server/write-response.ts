import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../base/control-schemas.ts';
import type { HttpResponse } from '../render/http-response.ts';

/** Writes a response to which `applyFault` was applied, with the delays and damage of the fault rule. */
export async function writeResponse(
  outgoing: ServerResponse,
  response: HttpResponse,
  fault: FaultRule = {},
): Promise<void> {
  if (fault.delayMs) await pause(fault.delayMs, outgoing);
  if (fault.cut) return breakConnection(outgoing, fault.cut);
  const { status, isTruncated } = response;
  const body = isTruncated && typeof response.body === 'string' ? response.body.slice(0, -1) : response.body;
  if (outgoing.destroyed) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  const headers: Record<string, string | number> = { ...response.headers };
  const mayHaveBody = status !== 204 && status !== 304 && status >= 200;
  if (mayHaveBody && !(body instanceof Readable))
    headers['content-length'] ??= body === null ? 0 : Buffer.byteLength(body);
  outgoing.writeHead(status, headers);
  if (fault.bodyDelayMs) {
    outgoing.flushHeaders();
    await pause(fault.bodyDelayMs, outgoing);
  }
  if (fault.truncate !== undefined) {
    const bytes = await firstBytes(body, fault.truncate);
    await new Promise<void>((resolve) => outgoing.write(bytes, () => resolve()));
    outgoing.destroy();
  } else if (body instanceof Readable) {
    // A reader that disconnects is not an error.
    await pipeline(body, outgoing).catch(() => outgoing.destroy());
  } else outgoing.end(mayHaveBody ? body : null);
}

async function firstBytes(body: HttpResponse['body'], count: number): Promise<Uint8Array> {
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

export function applyFault(response: HttpResponse, fault?: FaultRule): HttpResponse {
  if (!fault) return response;
  const headers = { ...response.headers };
  if (fault.body !== undefined) headers['content-type'] = 'text/plain; charset=utf-8';
  for (const [name, value] of Object.entries(fault.headers ?? {})) headers[name.toLowerCase()] = value;
  return { status: fault.status ?? response.status, headers, body: fault.body ?? response.body };
}

async function breakConnection(outgoing: ServerResponse, mode: 'drop' | 'reset' | 'hang'): Promise<void> {
  const { socket } = outgoing;
  if (mode === 'reset') socket?.resetAndDestroy();
  else if (mode === 'drop') socket?.destroy();
  else await new Promise((resolve) => outgoing.once('close', resolve));
}

/** Ends early if the caller disconnects. */
async function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  const closed = new AbortController();
  const onClose = () => closed.abort();
  outgoing.once('close', onClose);
  await sleep(ms, undefined, { signal: closed.signal }).catch(() => undefined);
  outgoing.off('close', onClose);
}
