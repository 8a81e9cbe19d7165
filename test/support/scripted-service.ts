import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CreateClientOptions, createClient, createLimiter, type DisposableClient } from '../../src/index.ts';
import { endWithTest } from './cleanup.ts';
import { startServer } from './start-server.ts';

/** Answers one request, whose body is already read. */
export type ScriptedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

export interface ScriptedService extends AsyncDisposable {
  readonly origin: string;
  readonly requests: SeenRequest[];
  readonly client: DisposableClient;
  /** Number of open connections. */
  connections(): Promise<number>;
}

/** Creates a service that answers each request with the next response (the last one repeats), and a client for it. */
export async function startScripted(
  answers: readonly ScriptedAnswer[],
  options: CreateClientOptions = {},
): Promise<ScriptedService> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    const { method, url, headers } = request;
    const seen = { line: `${method} ${url}`, headers, body: '', at: performance.now() };
    requests.push(seen);
    request.on('error', () => undefined);
    request.on('data', (chunk) => {
      seen.body += chunk;
    });
    request.on('end', () => answer?.(request, response));
  });
  const { origin, close } = await startServer(server);
  const client = createClient({
    apiKey: 'key_live_0123456789',
    baseUrl: `${origin}/api/v1`,
    limiter: createLimiter({ requests: 10_000 }),
    retry: { baseDelayMs: 1, maxDelayMs: 50 },
    ...options,
  });
  return {
    origin,
    requests,
    client,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async [Symbol.asyncDispose]() {
      await client.close();
      close();
    },
  };
}

/** The same, until the test ends. Not for concurrent tests. */
export const openScripted = async (...args: Parameters<typeof startScripted>) =>
  endWithTest(await startScripted(...args));

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Sends raw bytes, including the head; then closes the connection. */
export const raw =
  (...parts: readonly string[]): ScriptedAnswer =>
  (request) => {
    for (const part of parts) request.socket.write(part);
    request.socket.end();
  };
