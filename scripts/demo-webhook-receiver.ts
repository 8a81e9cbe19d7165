import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Webhook delivery to the URL that a Zap registered. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookReceiver {
  urlFor(path: string): string;
  /** Returns the next delivery to a path, or one that has already arrived; fails after `timeoutMs`. */
  nextDelivery(path: string, timeoutMs: number): Promise<ReceivedDelivery>;
  close(): Promise<void>;
}

/** Replaces hooks.zapier.com: responds with 200 at once and keeps each delivery for the Zap. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const waiters = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers });
    response.end('{"status":"success"}');
    for (const wake of waiters) wake();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function takeDelivery(path: string): ReceivedDelivery | undefined {
    const index = received.findIndex((delivered) => delivered.path === path);
    return index < 0 ? undefined : received.splice(index, 1)[0];
  }

  return {
    urlFor: (path) => `http://127.0.0.1:${port}${path}`,
    nextDelivery: (path, timeoutMs) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          waiters.delete(check);
        };
        const check = () => {
          const delivered = takeDelivery(path);
          if (!delivered) return;
          stop();
          resolve(delivered);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no webhook arrived at ${path} within ${timeoutMs} ms`));
        }, timeoutMs);
        waiters.add(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
