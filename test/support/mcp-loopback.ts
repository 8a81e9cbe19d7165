import { createServer, type IncomingMessage } from 'node:http';
import { startServer } from './start-server.ts';

export interface Loopback {
  /** Base URL for a client; ends in `/api/v1`. */
  readonly url: string;
  readonly requests: { method: string; path: string; query: Record<string, string>; body: string }[];
  close(): void;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly text?: string;
}

/** Starts a service whose responses the test defines. */
export async function openLoopback(
  answer: (request: { method: string; path: string; query: URLSearchParams }) => Reply | Promise<Reply>,
): Promise<Loopback> {
  const requests: Loopback['requests'] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { method = 'GET' } = request;
    const path = url.pathname.replace('/api/v1', '');
    requests.push({ method, path, query: Object.fromEntries(url.searchParams), body: await read(request) });
    const { status = 200, headers = {}, json, text } = await answer({ method, path, query: url.searchParams });
    response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/plain', ...headers });
    response.end(text ?? (json === undefined ? '' : JSON.stringify(json)));
  });
  const { origin, close } = await startServer(server);
  return { url: `${origin}/api/v1`, requests, close };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
