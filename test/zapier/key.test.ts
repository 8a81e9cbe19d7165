import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { listenForFile } from '../support/listen.ts';
import { loadApp, type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

const KEY = 'dsk_never-to-be-seen-elsewhere-0123456789';

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

const listen = (listener: RequestListener) => listenForFile(createServer(listener));

/** Another host: a storage, a website with a file, and the target of redirects. */
const elsewhere: Seen[] = [];
const api: Seen[] = [];
let other: string;
let baseUrl: string;
let zap: Platform;

beforeAll(async () => {
  other = await listen((request, response) => {
    elsewhere.push({ url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => {
      if (request.url === '/hop') response.writeHead(302, { location: '/file.pdf' });
      else response.writeHead(200, { 'content-type': 'application/pdf' });
      response.end(request.url === '/hop' ? '' : '%PDF-1.7 bytes');
    });
  });
  const answers: Record<string, () => [number, Record<string, string>, unknown]> = {
    'GET /api/v1/agreements/agr_1/document': () => [302, { location: `${other}/hop` }, ''],
    'GET /api/v1/links?limit=100': () => [307, { location: `${other}/links` }, ''],
    'POST /api/v1/documents/uploads': () => [
      200,
      {},
      { uploadUrl: `${other}/put?sig=1`, headers: { 'Content-Type': 'text/plain' }, storageKey: 'k', token: 't' },
    ],
    'POST /api/v1/documents/uploads/finalize': () => [200, {}, { id: 'doc_1', name: 'n' }],
  };
  const origin = await listen((request, response) => {
    api.push({ url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => {
      const [status, headers, body] = answers[`${request.method} ${request.url}`]?.() ?? [200, {}, []];
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === '' ? '' : JSON.stringify(body));
    });
  });
  baseUrl = `${origin}/api/v1`;
  zap = await startPlatform({ apiKey: KEY, baseUrl }, undefined, { keepsLog: true });
});

test('the key is sent to no host but the API: not to a storage, a redirect target or a website with a file', async () => {
  await zap.act('upload_document', { file: `${other}/hop`, name: 'n', document: 'doc_1' });
  await zap.run('hydrators.fetchSignedDocument', { inputData: { agreement_id: 'agr_1' } });
  await zap.runError('triggers.link_list.operation.perform');
  expect(elsewhere.map(({ url }) => url).sort()).toEqual(['/file.pdf', '/file.pdf', '/hop', '/hop', '/put?sig=1']);
  expect(JSON.stringify(elsewhere)).not.toContain(KEY);
  expect(elsewhere.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  expect(api.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
});

test("the platform's own request step sends the key to URLs of the API and to no other", async () => {
  const { handler } = await loadApp();
  const ask = (url: string) =>
    handler({
      command: 'request',
      calledFromCli: true,
      bundle: { authData: { apiKey: KEY, baseUrl }, request: { url, method: 'GET' } },
    });
  elsewhere.length = 0;
  api.length = 0;
  await ask(`${other}/file.pdf`);
  await ask(`${baseUrl}/documents`);
  await ask(`${baseUrl.replace('/api/v1', '/storage')}/x`);
  await ask(`${baseUrl}evil/x`);
  expect(elsewhere[0]?.headers.authorization).toBeUndefined();
  expect(api.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/api/v1/documents', `Bearer ${KEY}`],
    ['/storage/x', undefined],
    ['/api/v1evil/x', undefined],
  ]);
});

test('an API request cannot leave the base URL', async () => {
  elsewhere.length = 0;
  api.length = 0;
  const paths = [
    `${other}/x`,
    `//${new URL(other).host}/x`,
    '/../v2/x',
    '/%2e%2e/x',
    '/\\evil',
    'links',
    '/a/../../..',
  ];
  for (const path of paths) {
    const error = await zap.actError('api_request', { method: 'GET', path });
    expect(error, path).toMatchObject({ name: 'AppError', message: expect.stringContaining(texts.belowTheBaseUrl) });
  }
  expect([...elsewhere, ...api]).toEqual([]);
});

test('no log line, error or output contains the key', async () => {
  const error = await zap.runError('triggers.link_list.operation.perform');
  expect(zap.logs.length).toBeGreaterThan(3);
  expect(zap.logs.join('\n')).not.toContain(KEY);
  expect(JSON.stringify(error)).not.toContain(KEY);
});
