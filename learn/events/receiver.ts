import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One delivery as it came, in memory only. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Receiver {
  /** On this machine; a public address may lead to it. */
  readonly address: string;
  /** Resolves with what was delivered: when something came and nothing follows, the time is over, or a stop. */
  wait(seconds: number, signal: AbortSignal): Promise<readonly Delivered[]>;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DELIVERIES = 50;
/** Behind the first delivery others may follow at once. */
const QUIET_PERIOD_MS = 1500;

/** Listens on 127.0.0.1 for deliveries whose path holds the marker; all else is answered 404. */
export async function openReceiver({ port, marker }: { port: number; marker: string }): Promise<Receiver> {
  const came: Delivered[] = [];
  let onDelivery: (() => void) | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) throw new Error('too large');
        chunks.push(chunk);
      }
    } catch {
      return void request.destroy();
    }
    const isOurs = request.method === 'POST' && request.url?.includes(marker) && came.length < MAX_DELIVERIES;
    response.writeHead(isOurs ? 204 : 404).end();
    if (!isOurs) return;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
    came.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
    onDelivery?.();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}`,
    wait: (seconds, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          onDelivery = undefined;
          resolve(came);
        };
        let timer = setTimeout(end, seconds * 1000);
        onDelivery = () => {
          clearTimeout(timer);
          timer = setTimeout(end, QUIET_PERIOD_MS);
        };
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
        else if (came.length > 0) onDelivery();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
