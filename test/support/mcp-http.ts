/** An HTTP server in this process, and a client that sends it single messages. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { AssembleOptions } from '../../mcp/server/assemble-server.ts';
import { type HttpServerOptions, startHttpServer } from '../../mcp/server/http-server.ts';
import { parseCommandLine } from '../../mcp/server/parse-command-line.ts';
import { openHttp } from '../../mcp/server/running-server.ts';
import { assemble } from './mcp-servers.ts';

export interface SendOptions {
  /** The API key. An empty one is not sent. */
  readonly key?: string;
  readonly session?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface HttpEntry {
  readonly url: string;
  /** Errors that the server reported, or the lines of its log. */
  readonly faults: string[];
  /** Posts a message as JSON, or a string unchanged. */
  send(body: unknown, sent?: SendOptions): Promise<Response>;
  /** Opens a session as the 2025 protocol does. Returns null if the server refuses. */
  openSession(sent?: SendOptions & { readonly forms?: boolean }): Promise<string | null>;
  close(): Promise<void>;
}

/** Serves the servers that the factory creates. */
export async function serveHttp(
  factory: McpServerFactory,
  options: Partial<HttpServerOptions> = {},
): Promise<HttpEntry> {
  const faults: string[] = [];
  const onError = ({ message }: Error) => void faults.push(message);
  const server = await startHttpServer(factory, { host: '127.0.0.1', port: 0, onError, ...options });
  return { ...sendTo(server.url), faults, close: server.close };
}

/** Starts the server that a command line describes. */
export async function openHttpServer(
  args: readonly string[],
  env: Record<string, string>,
  waits: AssembleOptions = {},
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
  const url = entry.url.replace('0.0.0.0', '127.0.0.1');
  return { ...sendTo(url), faults, close: () => entry.close().then(server.close) };
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
  const openSession: HttpEntry['openSession'] = async ({ forms = false, ...sent } = {}) => {
    const response = await send(initialize({ elicitation: forms ? {} : undefined }), sent);
    await response.text();
    return response.headers.get('mcp-session-id');
  };
  return { url, send, openSession };
}

export const request = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
export const initialize = (capabilities: object = {}, protocolVersion = '2025-11-25') =>
  request(1, 'initialize', { protocolVersion, capabilities, clientInfo: { name: 't', version: '1' } });
export const toolCall = (id: unknown, name: string, args: object = {}) =>
  request(id, 'tools/call', { name, arguments: args });

/** Yields the messages of an event stream as they arrive. */
export async function* readMessages(response: Response) {
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
