import { createServer, type IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type StartedServer, startServer } from '../start-server.ts';

/** A request as a row of the API document sees it. */
export interface RowRequest {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The fields of its JSON or of its form; the name of a file stands under `file`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

export interface RowResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** `GET /links/{id}` and what it answers. */
export type Rows = Readonly<Record<string, (request: RowRequest) => RowResponse>>;

export interface OtherService extends StartedServer {
  readonly url: string;
}

/** Serves rows below `/api/v1` on 127.0.0.1. `admit` comes before each; what no row is for gets `lost`. */
export async function serveRows(service: {
  rows: (origin: () => string) => Rows;
  admit: (request: RowRequest) => RowResponse | undefined;
  lost: (request: RowRequest, isMethod: boolean) => RowResponse;
  /** What goes with every answer of the API. */
  dress: (response: RowResponse) => RowResponse;
  json: string;
}): Promise<OtherService> {
  let origin = '';
  const rows = Object.entries(service.rows(() => origin)).map(([row, run]) => {
    const [method = '', path = ''] = row.split(' ');
    return { method, pattern: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`), run };
  });
  const answer = async (incoming: IncomingMessage): Promise<RowResponse> => {
    const url = new URL(incoming.url ?? '/', origin);
    const { bytes, fields } = await readBody(incoming);
    const path = url.pathname.replace('/api/v1', '');
    const found = rows.filter(({ pattern }) => pattern.test(path));
    const row = found.find(({ method }) => method === incoming.method);
    const id = decodeURIComponent(row?.pattern.exec(path)?.[1] ?? '');
    const { method = '', headers } = incoming;
    const request = { method, path, id, query: url.searchParams, headers, fields, bytes };
    if (!url.pathname.startsWith('/api/v1')) return row ? row.run(request) : { status: 404 };
    const refused = service.admit(request);
    return service.dress(refused ?? (row ? row.run(request) : service.lost(request, found.length > 0)));
  };
  const server = createServer((incoming, outgoing) => {
    void answer(incoming).then(({ status, headers, body }) => {
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : service.json;
      outgoing.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type }), ...headers });
      outgoing.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const started = await startServer(server);
  origin = started.origin;
  return { ...started, url: `${origin}/api/v1` };
}

async function readBody(incoming: IncomingMessage): Promise<Pick<RowRequest, 'bytes' | 'fields'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = incoming.headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) return { bytes, fields: await readForm(incoming, bytes) };
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return { bytes, fields: typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} };
  } catch {
    return { bytes, fields: {} };
  }
}

function readForm(incoming: IncomingMessage, bytes: Buffer): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  return new Promise((resolve) => {
    const form = busboy({ headers: incoming.headers });
    form.on('field', (name, value) => {
      fields[name] = value;
    });
    form.on('file', (name, stream, { filename }) => {
      fields[name] = filename;
      stream.resume();
    });
    form.on('close', () => resolve(fields));
    form.end(bytes);
  });
}
