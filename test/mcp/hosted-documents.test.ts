import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClientMetadataDocuments } from '../../mcp/hosted/oauth/client-metadata.ts';
import { OAuthRequestError } from '../../mcp/hosted/oauth/oauth-request-error.ts';
import { openHostedInProcess } from '../support/hosted-server.ts';
import { cert, key } from '../support/self-signed.ts';
import { texts } from './texts.ts';

let server: Server;
let origin: string;
let asked: string[] = [];
/** What the website answers, by path; the document names itself unless told. */
const ANSWERS: Record<string, (id: string) => { status?: number; headers?: Record<string, string>; body?: string }> = {
  '/good': (id) => ({
    body: JSON.stringify({ client_id: id, client_name: 'Good', redirect_uris: ['https://a.example/cb'] }),
  }),
  '/other': () => ({ body: JSON.stringify({ client_id: 'https://host.example/good' }) }),
  '/moved': () => ({ status: 302, headers: { location: `${origin}/good` } }),
  '/page': () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }),
  '/list': () => ({ body: '[]' }),
  '/broken': () => ({ body: '{' }),
  '/long': () => ({ body: `{"x":"${'x'.repeat(40_000)}"}` }),
  '/gone': () => ({ status: 404 }),
  '/brief': (id) => ({ headers: { 'cache-control': 'max-age=1' }, body: JSON.stringify({ client_id: id }) }),
  '/lasting': (id) => ({
    headers: { 'cache-control': 'public, max-age=999999999' },
    body: JSON.stringify({ client_id: id }),
  }),
};

beforeAll(async () => {
  server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path.startsWith('/silent')) return;
    const { status = 200, headers = {}, body = '' } = ANSWERS[path]?.(origin + path) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function open(now?: () => number) {
  asked = [];
  return createClientMetadataDocuments({ isAllowed: () => true, connect: { ca: cert }, ...(now ? { now } : {}) });
}

test('a document is fetched once, and kept as long as it says within bounds', async () => {
  let at = 0;
  const documents = open(() => at);
  const all = await Promise.all([documents.fetch(`${origin}/good`), documents.fetch(`${origin}/good`)]);
  expect(all).toMatchObject([{ client_name: 'Good' }, { client_name: 'Good' }]);
  await documents.fetch(`${origin}/brief`);
  await documents.fetch(`${origin}/lasting`);
  at = 59_000;
  await documents.fetch(`${origin}/brief`);
  expect(asked).toEqual(['/good', '/brief', '/lasting']);
  at = 61_000;
  await documents.fetch(`${origin}/brief`);
  at = 23 * 60 * 60_000;
  await documents.fetch(`${origin}/lasting`);
  expect(asked).toEqual(['/good', '/brief', '/lasting', '/brief']);
  at = 25 * 60 * 60_000;
  await documents.fetch(`${origin}/lasting`);
  expect(asked.at(-1)).toBe('/lasting');
});

describe('no client', () => {
  test.each([
    ['/other', 'names another client_id'],
    ['/moved', 'status 302'],
    ['/page', 'JSON'],
    ['/list', texts.notAJsonObject],
    ['/broken', texts.notAJsonObject],
    ['/long', 'longer than'],
    ['/gone', 'status 404'],
  ])('%s', async (path, why) => {
    const documents = open();
    const failed = await documents.fetch(origin + path).catch((fault: unknown) => fault);
    expect(failed).toBeInstanceOf(OAuthRequestError);
    expect(failed).toMatchObject({ code: 'invalid_client', message: expect.stringContaining(why) });
    // Nor is the website asked again at once.
    await documents.fetch(origin + path).catch(() => undefined);
    expect(asked).toEqual([path]);
  });

  test('a website that keeps silent', async () => {
    await expect(open().fetch(`${origin}/silent`)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      status: 503,
    });
  }, 15_000);

  test('an address that the guard closes, and that is then never asked', async () => {
    asked = [];
    const guarded = createClientMetadataDocuments({ connect: { ca: cert } });
    await expect(guarded.fetch(`${origin}/good`)).rejects.toThrow(texts.notOnThePublicInternet);
    await expect(guarded.fetch(`${origin.replace('127.0.0.1', 'localhost')}/good`)).rejects.toThrow(OAuthRequestError);
    expect(asked).toEqual([]);
  });
});

test('fifty apps are looked up at once, and no more: whoever names many can’t have it hold a crowd of connections', async () => {
  const documents = open();
  const ends: unknown[] = [];
  for (let at = 0; at < 50; at += 1)
    documents.fetch(`${origin}/silent${at}`).catch((error: unknown) => ends.push(error));
  const full = await documents.fetch(`${origin}/good`).catch((error: unknown) => error);
  expect(full).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
  await expect
    .poll(() => {
      server.closeAllConnections();
      return ends.length;
    })
    .toBe(50);
  for (const one of ends) expect(one).toMatchObject({ code: 'temporarily_unavailable' });
  // It was the crowd that was refused, not the app.
  expect(await documents.fetch(`${origin}/good`)).toMatchObject({ client_name: 'Good' });
});

describe('a server without outbound internet', () => {
  const signIn = (url: string) => {
    const query = new URLSearchParams({ client_id: 'https://127.0.0.1:1/app', response_type: 'code' });
    return fetch(`${url}/authorize?${query}`, { redirect: 'manual' });
  };
  const baseUrl = 'http://127.0.0.1:1/api/v1';

  test('says when to try again, and names the option for the operator', async () => {
    const hosted = await openHostedInProcess({ baseUrl, documents: open() });
    onTestFinished(hosted.close);
    const page = await signIn(hosted.url);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await page.text()).toContain('--no-client-documents');
  });

  test('does not offer client ID documents with --no-client-documents', async () => {
    const hosted = await openHostedInProcess({ baseUrl, documents: open(), args: ['--no-client-documents'] });
    onTestFinished(hosted.close);
    const metadata = await fetch(`${hosted.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ client_id_metadata_document_supported: false });
    const page = await signIn(hosted.url);
    expect([page.status, page.headers.get('retry-after')]).toEqual([400, null]);
  });
});
