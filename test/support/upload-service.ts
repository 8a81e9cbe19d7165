/** A loopback service for upload tests: it records what arrives and answers as each test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { vi } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { createFolderForTest } from './cleanup.ts';
import { openClientOf } from './listen.ts';

export const KEY = 'key_test_upload_1234567890';

export interface Seen {
  /** `PUT /storage/1`: without the query. */
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  /** Bytes received so far. */
  body: Buffer;
}

type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => unknown;

/** Answers by `METHOD /path`; a function that returns an object sends it as JSON. Bodies are read whole unless `early`. */
export async function startUploadService(
  answers: { [line: string]: Answer } = {},
  options: Partial<ClientOptions> & { early?: string } = {},
) {
  const { early, ...clientOptions } = options;
  const log: Seen[] = [];
  let sessions = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', origin);
    const seen: Seen = { line: `${request.method} ${url.pathname}`, headers: request.headers, body: Buffer.alloc(0) };
    log.push(seen);
    request.on('error', () => undefined);
    const route = seen.line.replace(/^(PUT|GET) \/storage\/\d+$/, '$1 /storage');
    if (route !== early) {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk);
      } catch {
        return;
      } finally {
        seen.body = Buffer.concat(chunks);
      }
    }
    const answer = answers[route] ?? defaults[route];
    // A request that the client aborts rejects its reader.
    const result = await Promise.resolve(answer?.(seen, response, request)).catch(() => undefined);
    if (response.writableEnded || response.headersSent || response.destroyed) return;
    if (result === undefined && answers[route]) return;
    response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result ?? {}));
  });
  const { origin, client } = await openClientOf(server, { apiKey: KEY, retry: { baseDelayMs: 10 }, ...clientOptions });
  const defaults: Record<string, Answer> = {
    'POST /api/v1/documents': () => ({ id: 'doc_multipart' }),
    'POST /api/v1/documents/uploads': () => session(),
    'PUT /storage': (_, response) => response.writeHead(200).end(),
    'POST /api/v1/documents/uploads/finalize': () => ({ id: 'doc_direct' }),
  };
  function session(more: object = {}) {
    const n = ++sessions;
    return {
      uploadUrl: `${origin}/storage/${n}?X-Amz-Signature=presigned-secret-${n}`,
      headers: { 'Content-Type': 'application/pdf', 'x-amz-server-side-encryption': 'AES256' },
      storageKey: `uploads/file-${n}`,
      token: `upload-token-${n}`,
      ...more,
    };
  }
  return {
    client,
    origin,
    log,
    session,
    lines: () => log.map(({ line }) => line),
    /** Closes the connection as a crash would. */
    drop: (_: Seen, response: ServerResponse) => void response.socket?.resetAndDestroy(),
  };
}

export function jsonOf(seen: Seen | undefined): unknown {
  return JSON.parse(seen?.body.toString() ?? 'null');
}

/** A temporary folder that only this test uses, so that it can check for leftover files. */
export function ownTemporaryFolder(): string {
  const folder = createFolderForTest('docshare-test-');
  vi.stubEnv('TMPDIR', folder);
  return folder;
}
