import { randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClientMetadataDocuments } from '../../../mcp/hosted/oauth/client-metadata.ts';
import { OAuthRequestError } from '../../../mcp/hosted/oauth/oauth-request-error.ts';
import { createMemoryState } from '../../../mcp/state/memory-state.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { isPublicAddress } from '../../../src/public-address.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { rpcAt } from '../../support/hosted-calls.ts';
import { authorizePath, registerHost, type TestHost } from '../../support/hosted-oauth.ts';
import { type HostedServer, openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { listenForFile } from '../../support/listen.ts';
import { cert, key } from '../../support/self-signed.ts';
import { texts } from '../texts.ts';

let asked: string[] = [];
/** The responses of the website by path; by default, the document contains its own URL. */
type Answer = (id: string) => { status?: number; headers?: Record<string, string>; body?: string };
const ANSWERS: Record<string, Answer> = {
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

const origin = await listenForFile(
  createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path.startsWith('/silent')) return;
    const { status = 200, headers = {}, body = '' } = ANSWERS[path]?.(origin + path) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  }),
);

/** Address in a network of its own. */
const createAddress = () => `2001:db8:${randomBytes(2).toString('hex')}::1`;

/** Each lookup comes from a separate network, unless the test sets one. */
function open(now?: () => number, { isAllowed = () => true }: { isAllowed?: (address: string) => boolean } = {}) {
  asked = [];
  const state = createMemoryState();
  const connect = { ca: cert };
  const documents = createClientMetadataDocuments({
    state: async () => state,
    ...{ isAllowed, connect, ...(now ? { now } : {}) },
  });
  return { ...documents, fetch: (id: string, address = createAddress()) => documents.fetch(id, address) };
}

test('a document is fetched once and cached as long as it states, within limits', async () => {
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

describe('an invalid client document', () => {
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
    const failed: OAuthRequestError = await documents.fetch(origin + path).catch((error) => error);
    expect(failed).toBeInstanceOf(OAuthRequestError);
    expect(failed).toMatchObject({ code: 'invalid_client', message: expect.stringContaining(why) });
    expect(failed.toResponse().headers.get('retry-after')).toBeNull();
    // The website is not requested again at once.
    await documents.fetch(origin + path).catch(() => undefined);
    expect(asked).toEqual([path]);
  });

  test('of an unresponsive website', async () => {
    const failed: OAuthRequestError = await open()
      .fetch(`${origin}/silent`)
      .catch((error) => error);
    const { status, headers } = failed.toResponse();
    expect([failed.code, status, headers.get('retry-after')]).toEqual(['temporarily_unavailable', 503, '30']);
  }, 15_000);

  test('at a private address is never requested', async () => {
    const guarded = open(undefined, { isAllowed: isPublicAddress });
    await expect(guarded.fetch(`${origin}/good`)).rejects.toThrow(texts.notOnThePublicInternet);
    expect(asked).toEqual([]);
  });

  test('at an internal host name gives the same error as an unknown name', async () => {
    const guarded = open(undefined, { isAllowed: isPublicAddress });
    const failures = ['localhost', 'nobody.invalid'].map(async (name) => {
      const failed: OAuthRequestError = await guarded.fetch(`https://${name}/good`).catch((error) => error);
      return { ...failed, message: failed.message.replace(name, 'NAME') };
    });
    const [internal, unknown] = await Promise.all(failures);
    expect(internal).toEqual(unknown);
    expect(internal).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
  });
});

test('one network can look up ten apps per minute, and other networks are not affected', async () => {
  let at = 0;
  const documents = open(() => at);
  const lookUp = (path: string, address: string) =>
    documents.fetch(origin + path, address).then(
      () => 200,
      ({ status }: OAuthRequestError) => status,
    );
  const all = await Promise.all(Array.from({ length: 12 }, (_, n) => lookUp(`/gone${n}`, '8.8.8.8')));
  expect(all).toEqual([...Array(10).fill(401), 503, 503]);
  expect(await lookUp('/good', '8.8.4.4')).toBe(200);
  // Cached documents need no lookup.
  expect(await lookUp('/good', '8.8.8.8')).toBe(200);
  at = 61_000;
  expect(await lookUp('/gone12', '8.8.8.8')).toBe(401);
  expect(asked).toHaveLength(12);
});

test('one host gets at most sixty requests per minute, from all networks together', async () => {
  const documents = open();
  const all = await Promise.allSettled(Array.from({ length: 70 }, (_, n) => documents.fetch(`${origin}/gone${n}`)));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(70);
  expect(asked).toHaveLength(60);
});

test('the document of an app with a sign-in remains available while its host fails', async () => {
  let at = 0;
  const documents = open(() => at);
  const id = `${origin}/lasting`;
  await documents.fetch(id);
  documents.keep(id);
  const { '/lasting': usual = () => ({}) } = ANSWERS;
  onTestFinished(() => void Object.assign(ANSWERS, { '/lasting': usual }));
  at += 25 * 60 * 60_000;
  ANSWERS['/lasting'] = () => ({ status: 500 });
  expect(await documents.fetch(id)).toMatchObject({ client_id: id });
  at += 61_000;
  ANSWERS['/lasting'] = () => ({ status: 404 });
  await expect(documents.fetch(id)).rejects.toMatchObject({ status: 401 });
});

const sandbox = await closeAfterAll(createSandbox());

describe('a server without outbound internet', () => {
  let hosted: HostedServer;
  const isOffered = async () => {
    const metadata = await fetch(`${hosted.url}/.well-known/oauth-authorization-server`);
    return ((await metadata.json()) as Record<string, unknown>)['client_id_metadata_document_supported'];
  };
  const openHosted = async (args: readonly string[] = []) => {
    hosted = await openHostedInProcess({ baseUrl: sandbox.url, documents: open(), args });
    onTestFinished(hosted.close);
  };
  const load = (host: TestHost) => createPerson(hosted.url).load(authorizePath(host));

  /** Hosts with a document, and the redirect that each requests. */
  test.each([
    ['Claude Code', 'http://localhost:53211/callback', 1],
    ['Visual Studio Code in a browser', 'https://vscode.dev/redirect', 2],
    ['Cursor', 'cursor://anysphere.cursor-mcp/oauth/callback', 2],
  ])('signs in users of %s and redirects them to %s', async (client_name, redirect, attempts) => {
    await openHosted();
    const clientId = `https://127.0.0.1:1/${encodeURIComponent(client_name)}`;
    const add = async () =>
      (await isOffered())
        ? { clientId, redirect }
        : registerHost(hosted.url, { client_name, redirect_uris: [redirect] });
    let host = await add();
    const page = await load(host);
    expect(page.html).not.toContain('Published by');
    if (attempts === 2) {
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '30']);
      expect(page.html).toContain('--no-client-documents');
      // The page says to remove the server from the app and to add it again.
      host = await add();
      expect(host.clientId).not.toBe(clientId);
    }
    const { tokens } = await tokensAt(hosted.url, { key: sandbox.key(), host, groups: ['links'] });
    expect((await rpcAt(hosted.url, tokens.access_token, 'tools/list')).status).toBe(200);
    expect(await isOffered()).toBe(false);
  });

  test('does not offer client ID documents with --no-client-documents', async () => {
    await openHosted(['--no-client-documents']);
    expect(await isOffered()).toBe(false);
    const page = await load({ clientId: 'https://127.0.0.1:1/app', redirect: 'https://a.example/' });
    expect([page.status, page.headers.get('retry-after')]).toEqual([400, null]);
  });
});
