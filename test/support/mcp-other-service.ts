/** A second, unrelated implementation of the API document, with shapes of its own wherever the document shows none. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherService {
  readonly url: string;
  /** `GET /links/{id}` and the like, as asked for. */
  readonly reached: ReadonlySet<string>;
  close(): Promise<void>;
}

const KEY = 'other-key';
const isId = (part: string) => /^\d+$|^D-/.test(part);

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Bare arrays, PascalCase, numeric ids, wrapped items, one strict body each for webhooks and uploads. */
export async function openOtherService(): Promise<OtherService> {
  const reached = new Set<string>();
  let next = 100;
  let base = '';

  function answerOf(route: string, id: string, body: Buffer): [status: number, answer?: unknown] {
    const json = (): Record<string, unknown> => {
      try {
        return JSON.parse(body.toString() || '{}');
      } catch {
        return {};
      }
    };
    const fault = (words: string): [number, unknown] => [422, { Fault: { Reason: words } }];
    next += 1;
    switch (route) {
      case 'GET /documents':
        return [200, [{ id: 'D-1', DisplayName: 'Deck' }]];
      case 'POST /documents':
        return body.includes('name="file"') ? [201, { id: `D-${next}` }] : fault('no file');
      case 'GET /documents/{id}':
        return [200, { document: { id, DisplayName: 'Deck', Pages: 2 } }];
      case 'GET /documents/{id}/pages':
        return [200, { Pages: [{ Number: 1 }, { Number: 2 }], Count: 2 }];
      case 'POST /documents/uploads':
        return 'file_size' in json()
          ? [
              200,
              {
                uploadUrl: `${base}/store/${next}`,
                headers: { 'Content-Type': 'application/pdf', 'x-seal': 'yes' },
                storageKey: `k${next}`,
                token: 't',
              },
            ]
          : fault('file_size');
      case 'POST /documents/uploads/finalize':
        return json()['storageKey'] ? [201, { result: { DocumentId: `D-${next}` } }] : fault('storageKey');
      case 'POST /links':
        return [201, { link: { Id: next, url: `${base}/l/${next}` } }];
      case 'POST /webhooks':
        return typeof json()['target_url'] === 'string'
          ? [201, { Id: next, SigningKey: 's3cret-of-hook' }]
          : fault('target_url');
      case 'GET /agreements/{id}/document':
        return [200, { Download: { Href: `${base}/store/signed` } }];
      case 'GET /analytics/links/{id}/visitors':
        return [200, { Visitors: [{ Email: 'v@example.com', VisitId: '7' }] }];
      case 'GET /billing/invoices':
        return [200, { Invoices: [{ No: 'R-1', AmountCents: 100 }] }];
      default:
        break;
    }
    if (route.startsWith('DELETE') || route.endsWith('/send')) return [204];
    if (route.startsWith('GET') && !/\{id\}|billing/.test(route))
      return [
        200,
        [
          { Id: 5, Title: 'One' },
          { Id: 6, Title: 'Two' },
        ],
      ];
    return [200, { Id: id === '' ? next : Number(id) || id, Title: 'One' }];
  }

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = await bodyOf(request);
    if (pathname.startsWith('/store/')) {
      response.writeHead(request.method === 'PUT' && request.headers['x-seal'] !== 'yes' ? 403 : 200).end();
      return;
    }
    const parts = pathname.replace(/^\/api\/v1\//, '').split('/');
    const route = `${request.method} /${parts.map((part) => (isId(part) ? '{id}' : part)).join('/')}`;
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    if (isKnown) reached.add(route);
    const [status, answer] = isKnown
      ? answerOf(route, parts.find(isId) ?? '', body)
      : ([401, { Fault: { Reason: 'who are you' } }] as const);
    response.writeHead(status, answer === undefined ? {} : { 'content-type': 'application/json' });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${base}/api/v1`,
    reached,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const OTHER_KEY = KEY;
