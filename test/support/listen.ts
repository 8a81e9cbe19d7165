import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, onTestFinished } from 'vitest';
import { type CreateClientOptions, createClient, createLimiter, type DisposableClient } from '../../src/index.ts';

async function start(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function end(server: Server): void {
  if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
  server.close();
}

/** Serves on a free port until the last test of the file ends. Returns the origin. */
export function listenForFile(server: Server): Promise<string> {
  afterAll(() => end(server));
  return start(server);
}

/** Serves on a free port until the test ends. Returns the origin. */
export function listenForTest(server: Server): Promise<string> {
  onTestFinished(() => end(server));
  return start(server);
}

/** Serves the API until the test ends. Returns a client of it, whose limiter keeps nobody waiting. */
export async function openClientOf(
  server: Server,
  options: CreateClientOptions = {},
): Promise<{ readonly origin: string; readonly client: DisposableClient }> {
  const origin = await listenForTest(server);
  const limiter = createLimiter({ requests: 100_000 });
  const client = createClient({ apiKey: 'key', baseUrl: `${origin}/api/v1`, limiter, ...options });
  onTestFinished(() => client.close());
  return { origin, client };
}
