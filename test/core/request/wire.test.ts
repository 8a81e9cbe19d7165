/** The exact request of every operation, written by hand from the API document, with the network off. */
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { getMethod } from '../../../src/get-method.ts';
import { createClient, createLimiter, type OperationName, operations } from '../../../src/index.ts';

const ORIGIN = 'https://docs.example.com';
const KEY = 'key_live_0123456789';
const ID = 'a/b ü?#%';
const SEGMENT = 'a%2Fb%20%C3%BC%3F%23%25';

type Row = [operation: string, input: object, request: string, body?: object];
const list = { status: 'open', tag: ['a b', 'ü'], limit: 2, archived: false, q: undefined };
const query = '?status=open&tag=a+b&tag=%C3%BC&limit=2&archived=false';
const fields = { name: 'Prés 💼', nested: { a: [1, null, false] }, count: 0, note: '', gone: undefined };
const sent = { name: 'Prés 💼', nested: { a: [1, null, false] }, count: 0, note: '' };
const stored = { storageKey: 'k', token: 't' };

const ROWS: Row[] = [
  ['documents.list', list, `GET /documents${query}`],
  ['documents.get', { id: ID }, `GET /documents/${SEGMENT}`],
  ['documents.pages', { id: ID, limit: 5 }, `GET /documents/${SEGMENT}/pages?limit=5`],
  ['documents.startUpload', fields, 'POST /documents/uploads', sent],
  ['documents.finalizeUpload', stored, 'POST /documents/uploads/finalize', stored],
  ['links.list', list, `GET /links${query}`],
  ['links.create', { document_id: ID, ...fields }, 'POST /links', { document_id: ID, ...sent }],
  ['links.update', { id: ID, ...fields }, `PATCH /links/${SEGMENT}`, sent],
  ['links.delete', { id: ID }, `DELETE /links/${SEGMENT}`],
  ['rooms.list', list, `GET /rooms${query}`],
  ['rooms.create', fields, 'POST /rooms', sent],
  ['rooms.addFolder', { id: ID, ...fields }, `POST /rooms/${SEGMENT}/folders`, sent],
  ['rooms.addFile', { id: ID, ...fields }, `POST /rooms/${SEGMENT}/files`, sent],
  ['rooms.addGroup', { id: ID, ...fields }, `POST /rooms/${SEGMENT}/groups`, sent],
  ['rooms.setPermissions', { id: ID, ...fields }, `PUT /rooms/${SEGMENT}/permissions`, sent],
  ['agreements.list', list, `GET /agreements${query}`],
  ['agreements.create', fields, 'POST /agreements', sent],
  ['agreements.send', { id: ID }, `POST /agreements/${SEGMENT}/send`, {}],
  ['agreements.document', { id: ID }, `GET /agreements/${SEGMENT}/document`],
  ['proposals.list', list, `GET /proposals${query}`],
  ['proposals.create', fields, 'POST /proposals', sent],
  ['proposals.send', { id: ID, ...fields }, `POST /proposals/${SEGMENT}/send`, sent],
  ['templates.list', list, `GET /templates${query}`],
  ['templates.get', { id: ID }, `GET /templates/${SEGMENT}`],
  ['templates.create', fields, 'POST /templates', sent],
  ['templates.update', { id: ID, ...fields }, `PATCH /templates/${SEGMENT}`, sent],
  ['templates.delete', { id: ID }, `DELETE /templates/${SEGMENT}`],
  ['contacts.list', list, `GET /contacts${query}`],
  ['contacts.create', fields, 'POST /contacts', sent],
  ['contacts.update', { id: ID, ...fields }, `PATCH /contacts/${SEGMENT}`, sent],
  ['contacts.addTags', { id: ID, tags: ['ü'] }, `POST /contacts/${SEGMENT}/tags`, { tags: ['ü'] }],
  ['analytics.link', { id: ID }, `GET /analytics/links/${SEGMENT}`],
  ['analytics.visitors', { id: ID }, `GET /analytics/links/${SEGMENT}/visitors`],
  ['analytics.visit', { id: ID }, `GET /analytics/visits/${SEGMENT}`],
  ['analytics.room', { id: ID }, `GET /analytics/rooms/${SEGMENT}`],
  ['webhooks.create', fields, 'POST /webhooks', sent],
  ['webhooks.list', list, `GET /webhooks${query}`],
  ['webhooks.delete', { id: ID }, `DELETE /webhooks/${SEGMENT}`],
  ['billing.subscription', {}, 'GET /billing/subscription'],
  ['billing.invoices', list, `GET /billing/invoices${query}`],
  ['billing.usage', {}, 'GET /billing/usage'],
];

interface Sent {
  readonly line: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}
const seen: Sent[] = [];
const client = createClient({ apiKey: KEY, baseUrl: `${ORIGIN}/api/v1`, limiter: createLimiter({ requests: 10_000 }) });

beforeAll(() => {
  nock.disableNetConnect();
  const session = { uploadUrl: 'https://s.example/u', headers: {}, ...stored };
  const answer = { id: 'x1', url: 'https://d.example/x', ...session, items: [] };
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
    nock(ORIGIN)
      .persist()
      .intercept(/.*/, method)
      .reply(async (request: Request) => {
        const url = new URL(request.url);
        const body = Buffer.from(await request.arrayBuffer());
        seen.push({
          line: `${request.method} ${url.pathname}${url.search}`,
          headers: Object.fromEntries(request.headers),
          body,
        });
        return [200, answer];
      });
});
afterAll(async () => {
  await client.close();
  nock.cleanAll();
  nock.enableNetConnect();
});

async function capture(operation: string, input: object): Promise<Sent> {
  seen.length = 0;
  // The table names its operations as strings.
  await getMethod(client, operation as OperationName)(input);
  expect(seen).toHaveLength(1);
  return seen[0] as Sent;
}

test.each(ROWS)('%s sends exactly this line, headers and body', async (operation, input, request, body) => {
  const { line, headers, body: bytes } = await capture(operation, input);
  expect(line).toBe(request.replace(' ', ' /api/v1'));
  const text = body === undefined ? '' : JSON.stringify(body);
  expect(bytes.toString()).toBe(text);
  expect(headers).toEqual({
    accept: operation === 'agreements.document' ? 'application/json, */*;q=0.8' : 'application/json',
    'accept-encoding': 'gzip, br',
    authorization: `Bearer ${KEY}`,
    'user-agent': `docshare/${manifest.version} node/${process.versions.node}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    // Only some rows of the interceptor show the headers that undici adds itself.
    ...('content-length' in headers ? { 'content-length': String(Buffer.byteLength(text)) } : {}),
    ...('host' in headers ? { host: 'docs.example.com' } : {}),
    ...('connection' in headers ? { connection: 'keep-alive' } : {}),
  });
});

test('documents.create sends exactly one form with an exact length', async () => {
  const file = new File(['%PDF-1.7'], 'Prés "1".pdf', { type: 'application/pdf' });
  const { line, headers, body } = await capture('documents.create', { file, name: 'Prés 1' });
  expect(line).toBe('POST /api/v1/documents');
  const boundary = headers['content-type']?.match(/^multipart\/form-data; boundary=(docshare-[0-9a-f-]{36})$/)?.[1];
  expect(body.toString()).toBe(
    [
      `--${boundary}`,
      'content-disposition: form-data; name="name"',
      '',
      'Prés 1',
      `--${boundary}`,
      'content-disposition: form-data; name="file"; filename="Prés %221%22.pdf"',
      'content-type: application/pdf',
      '',
      '%PDF-1.7',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  );
  expect(headers['content-length']).toBe(String(body.byteLength));
  expect(headers['authorization']).toBe(`Bearer ${KEY}`);
});

test('the rows above cover every operation', () => {
  const typed = [...ROWS.map(([operation]) => operation), 'documents.create'];
  expect(typed.sort()).toEqual(operations.map(({ name }) => name as string).sort());
});
