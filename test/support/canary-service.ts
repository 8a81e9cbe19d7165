/** A service with an own format whose account is full of canaries: in values, chosen names and repetitions. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Canaries, drawCanaries } from './canaries.ts';
import { startServer } from './start-server.ts';

/** Fields of every record that the service does not announce. */
const NAMED_AFTER_PEOPLE = { Page: 'x', Price: 3, Sign: true, mark: 'x', bill: 2 };

export interface CanaryService {
  readonly url: string;
  readonly canaries: Canaries;
  /** Requests by method. */
  readonly calls: Readonly<Record<string, number>>;
  close(): void;
}

export async function startCanaryService(seed: number): Promise<CanaryService> {
  const canaries = drawCanaries(seed);
  const { text, field, token } = canaries;
  const calls: Record<string, number> = {};
  // Custom fields of each record.
  const own = Array.from({ length: 12 }, field);
  const spoken = ['Acme Lobster Code', 'krankheit_von_mueller', 'walrus.lobster@zebra.example', text(), text()];
  const [header, media, cursor, place] = [token(), token(), field(), field()];
  const kinds = new Map<string, Record<string, unknown>[]>();
  let count = 0;

  const map = (inner: unknown = text()) => ({ ...NAMED_AFTER_PEOPLE, [text()]: inner, [field()]: inner });
  const record = (kind: string) => {
    count += 1;
    return {
      id: `${kind.slice(0, 3)}_${count}a8f3c9e1d`,
      name: text(),
      description: text(),
      status: text(),
      type: field(),
      role: field(),
      email: `${token()}@${token()}.example`,
      url: `https://${token()}.example/${token()}?${token()}=${token()}`,
      external_id: `${token().replaceAll('-', '')}-4711`,
      owner_key: `${field()}_99ab77`,
      created_at: new Date(1_790_000_000_000 + count * 1000).toISOString(),
      created_by: { name: text(), email: text(), [field()]: text() },
      ...Object.fromEntries([...own, ...spoken].map((name) => [name, text()])),
      [field()]: text(),
      custom_fields: map({ [field()]: text(), price: 3 }),
      metadata: map(),
      properties: map(),
      attributes: map(),
      tags: [{ [text()]: text(), name: text() }],
      labels: map([{ Page: text() }]),
      answers: [{ question: text(), answer: text(), [text()]: text() }],
      merge_fields: { ...map(), nested: map(map()) },
      contactCustomFields: map(),
      shares: { [text()]: 'view', [text()]: 'edit' },
      by_reader: { [field()]: 3 },
      [place]: { data: [{ [field()]: text(), id: `x_${count}` }] },
      history: [{ [field()]: text(), at: '2026-01-01T00:00:00Z', value: text() }],
    };
  };
  const all = (kind: string) => {
    const known = kinds.get(kind) ?? Array.from({ length: 5 }, () => record(kind));
    kinds.set(kind, known);
    return known;
  };

  const refusal = () => ({
    error: { code: field(), message: text(), type: text(), [field()]: text(), Page: text() },
    errors: { [text()]: [text()], [field()]: [text()] },
    details: [{ field: text(), message: text(), [field()]: text() }],
    [field()]: text(),
    [own[0] ?? '']: { [text()]: text() },
  });

  const send = (response: ServerResponse, status: number, body?: unknown, more: Record<string, string> = {}) => {
    const type = `application/vnd.${media}+json; charset=utf-8; profile=${media}`;
    response.writeHead(status, {
      'x-request-id': `${token()}_88aa77`,
      [`x-${header}`]: token(),
      [`${header}-request-id`]: token(),
      [`x-ratelimit-${header}`]: '99',
      [`x-${token()}`]: token(),
      'content-disposition': `attachment; filename="${token()}.pdf"`,
      etag: `"${token()}"`,
      server: token(),
      'set-cookie': `${token()}=${token()}`,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...more,
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  const list = (response: ServerResponse, url: URL, kind: string) => {
    const entries = all(kind);
    const limit = Math.min(3, Number(url.searchParams.get('limit') ?? 3));
    if (!(limit > 0)) return send(response, 422, refusal());
    const from = Number(url.searchParams.get(cursor)?.slice(1) ?? 0);
    const next = `${origin}${url.pathname}?${token()}=${token()}&limit=${limit}&${cursor}=c${from + limit}`;
    const isMore = from + limit < entries.length;
    send(
      response,
      200,
      {
        data: entries.slice(from, from + limit),
        ...(isMore ? { next } : {}),
        has_more: isMore,
        meta: { [text()]: text(), filters: { [text()]: text() } },
        [field()]: text(),
      },
      isMore ? { link: `<${next}>; rel="next"` } : {},
    );
  };

  const answer = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => {
    const url = new URL(request.url ?? '/', origin);
    const [, , , kind = '', id, below] = url.pathname.split('/');
    const { method = '' } = request;
    calls[method] = (calls[method] ?? 0) + 1;
    if (url.pathname.startsWith('/store/')) return send(response, 200, { [field()]: text() });
    if (!/^Bearer key/.test(request.headers.authorization ?? '')) return send(response, 401, refusal());
    const found = all(kind).find((one) => one['id'] === id);
    if (kind === 'billing' && method === 'GET')
      return id === 'invoices' ? list(response, url, 'invoices') : send(response, 200, record('billing'));
    if (kind === 'analytics' && method === 'GET')
      return url.pathname.endsWith('/visitors')
        ? list(response, url, 'visitors')
        : send(response, 200, { ...record('visit'), by_page: map(), pages: [{ [field()]: text(), number: 1 }] });
    if (!/^(?:documents|links|rooms|agreements|proposals|templates|contacts|webhooks)$/.test(kind))
      return send(response, 404, refusal());
    if (id === 'uploads' && method === 'POST') {
      if (below === 'finalize') return made(response, kind, body);
      if (!body['fileName'] && !body['name']) return send(response, 422, refusal());
      const headers = { 'Content-Type': 'application/pdf', [`x-amz-meta-${token()}`]: token() };
      const encryption = { 'x-amz-server-side-encryption': token() };
      const session = { uploadUrl: `${origin}/store/${token()}?${token()}=1`, storageKey: text(), token: text() };
      return send(response, 201, { ...session, headers: { ...headers, ...encryption }, [field()]: text() });
    }
    if (method === 'GET' && id === undefined) return list(response, url, kind);
    if (method === 'POST' && id === undefined) return made(response, kind, body);
    if (!found) return send(response, 404, refusal());
    if (method === 'GET' && kind === 'agreements')
      return send(response, 200, { url: `${origin}/f/${token()}?Expires=60&${token()}=${token()}`, [field()]: text() });
    if (method === 'GET') return below ? list(response, url, below) : send(response, 200, found);
    if (method === 'PATCH') return send(response, 200, Object.assign(found, body));
    if (method !== 'DELETE') return send(response, 405, refusal());
    kinds.set(
      kind,
      all(kind).filter((one) => one !== found),
    );
    send(response, 204);
  };

  const made = (response: ServerResponse, kind: string, body: Record<string, unknown>) => {
    if (Object.keys(body).length === 0) return send(response, 422, refusal());
    const entry = { ...record(kind), ...body, secret: `whsec_${text()}` };
    all(kind).push(entry);
    send(response, 201, entry, { location: `/${token()}/${entry.id}` });
    const url = String(body['url'] ?? '');
    if (kind === 'webhooks' && url.startsWith('http://127.0.0.1')) void deliver(url);
  };
  const deliver = (url: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [`x-${header}`]: token(), 'x-signature': token() },
      body: JSON.stringify({
        id: `evt_${text()}`,
        type: 'link.viewed',
        created_at: '2026-01-01T00:00:00Z',
        [field()]: text(),
        data: { ...record('links'), [field()]: map() },
      }),
    }).catch(() => undefined);

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      let body: Record<string, unknown> = {};
      try {
        body = JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        body = chunks.length > 0 ? { name: 'a form' } : {};
      }
      answer(request, response, body);
    });
  });
  const { origin, close } = await startServer(server);
  return { url: `${origin}/api/v1`, canaries, calls, close };
}
