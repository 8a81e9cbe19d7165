import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One delivery as it reached the address that a Zap had registered. */
export interface Delivered {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Hooks {
  address(path: string): string;
  /** The next delivery to a path, also one that came already; fails after `timeoutMs`. */
  next(path: string, timeoutMs: number): Promise<Delivered>;
  close(): Promise<void>;
}

/** Stands in for hooks.zapier.com: takes each delivery, answers 200 at once, keeps it for the Zap. */
export async function receiveHooks(): Promise<Hooks> {
  const arrived: Delivered[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    arrived.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers });
    response.end('{"status":"success"}');
    for (const wake of waiting) wake();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  function take(path: string): Delivered | undefined {
    const at = arrived.findIndex((delivered) => delivered.path === path);
    return at < 0 ? undefined : arrived.splice(at, 1)[0];
  }

  return {
    address: (path) => `http://127.0.0.1:${port}${path}`,
    next: (path, timeoutMs) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = () => {
          const delivered = take(path);
          if (!delivered) return;
          stop();
          resolve(delivered);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no webhook arrived at ${path} within ${timeoutMs} ms`));
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
