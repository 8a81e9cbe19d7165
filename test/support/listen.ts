import type { Server } from 'node:net';
import { afterAll, onTestFinished } from 'vitest';
import { type CreateClientOptions, createClient, createLimiter, type DisposableClient } from '../../src/index.ts';
import { startServer } from './start-server.ts';

/** Serves on a free port until the last test of the file ends. Returns the origin. */
export async function listenForFile(server: Server): Promise<string> {
  const { origin, close } = await startServer(server);
  afterAll(close);
  return origin;
}

/** Serves on a free port until the test ends. Returns the origin. */
export async function listenForTest(server: Server): Promise<string> {
  const { origin, close } = await startServer(server);
  onTestFinished(close);
  return origin;
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
