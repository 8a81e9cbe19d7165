import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as received. Kept in memory only. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DELIVERIES = 50;
/** More deliveries may follow the first one at once. */
const QUIET_PERIOD_MS = 1500;

/** Listens on 127.0.0.1 for deliveries whose path has the marker; everything else gets a 404. */
export async function startWebhookReceiver({ port, marker }: { port: number; marker: string }) {
  const deliveries: ReceivedDelivery[] = [];
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
    const isExpected = request.method === 'POST' && request.url?.includes(marker) && deliveries.length < MAX_DELIVERIES;
    response.writeHead(isExpected ? 204 : 404).end();
    if (!isExpected) return;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
    deliveries.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
    onDelivery?.();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    /** URL on this machine; a public URL may forward to it. */
    url: `http://127.0.0.1:${boundPort}`,
    /** Resolves with the deliveries after a quiet period, at the end of the time, or on abort. */
    waitForDeliveries: (seconds: number, signal: AbortSignal) =>
      new Promise<readonly ReceivedDelivery[]>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          onDelivery = undefined;
          resolve(deliveries);
        };
        let timer = setTimeout(finish, seconds * 1000);
        onDelivery = () => {
          clearTimeout(timer);
          timer = setTimeout(finish, QUIET_PERIOD_MS);
        };
        signal.addEventListener('abort', finish, { once: true });
        if (signal.aborted) finish();
        else if (deliveries.length > 0) onDelivery();
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
