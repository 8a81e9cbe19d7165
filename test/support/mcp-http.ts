/** A server over HTTP in this process, and what hosts send to it message by message. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { type HttpServerOptions, startHttpServer } from '../../mcp/server/http-server.ts';
import { parseCommandLine } from '../../mcp/server/parse-command-line.ts';
import { openHttp } from '../../mcp/server/running-server.ts';
import { assemble } from './mcp-servers.ts';

export interface Sent {
  /** The API key; none if it is empty. */
  readonly key?: string;
  readonly session?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface HttpEntry {
  readonly url: string;
  /** What the server reported as a fault, or its log. */
  readonly faults: string[];
  /** Posts a message, or a text as it is. */
  send(body: unknown, sent?: Sent): Promise<Response>;
  /** Opens a session of the 2025 era; null if the server refuses one. */
  begin(sent?: Sent & { readonly forms?: boolean }): Promise<string | null>;
  close(): Promise<void>;
}

/** Serves a factory of the test's choice. */
export async function serveHttp(
  factory: McpServerFactory,
  options: Partial<HttpServerOptions> = {},
): Promise<HttpEntry> {
  const faults: string[] = [];
  const onError = ({ message }: Error) => void faults.push(message);
  const server = await startHttpServer(factory, { host: '127.0.0.1', port: 0, onError, ...options });
  return { ...sendTo(server.url), faults, close: server.close };
}

/** Serves what a command line says. */
export async function openHttpServer(
  args: readonly string[],
  env: Record<string, string>,
  waits: { minAnswerMs?: number; formWaitMs?: number } = {},
): Promise<HttpEntry> {
  const options = ['--http', '--port', '0', '--state', 'memory', ...args];
  const faults: string[] = [];
  const write = (line: string) => void faults.push(line);
  const server = await assemble(options, env, { minAnswerMs: 0, ...waits, write });
  const entry = await openHttp(server.factory, {
    command: parseCommandLine(options),
    log: server.log,
    end: server.end,
  });
  return { ...sendTo(entry.url), faults, close: () => entry.close().then(server.close) };
}

function sendTo(url: string) {
  const send: HttpEntry['send'] = (body, { key = '', session, method = 'POST', headers = {}, signal } = {}) =>
    fetch(url, {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(session ? { 'mcp-session-id': session } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  const begin: HttpEntry['begin'] = async ({ forms = false, ...sent } = {}) => {
    const response = await send(initialize({ elicitation: forms ? {} : undefined }), sent);
    await response.text();
    return response.headers.get('mcp-session-id');
  };
  return { url, send, begin };
}

export const request = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
export const initialize = (capabilities: object = {}, protocolVersion = '2025-11-25') =>
  request(1, 'initialize', { protocolVersion, capabilities, clientInfo: { name: 't', version: '1' } });
export const callOf = (id: unknown, name: string, args: object = {}) =>
  request(id, 'tools/call', { name, arguments: args });

/** The messages of an answer, as they come. */
export async function* messagesOf(response: Response) {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}
