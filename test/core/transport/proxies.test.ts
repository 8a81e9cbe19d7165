import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent, MockAgent } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createClient, InputError } from '../../../src/index.ts';
import { endWithTest } from '../../support/cleanup.ts';
import { openClientOf } from '../../support/listen.ts';
import { startProxy } from '../../support/proxy.ts';
import { json, startScripted } from '../../support/scripted-service.ts';
import { cert, key } from '../../support/self-signed.ts';

const KEY = 'key_live_0123456789';
const page = json({ data: [] });
const trusted = getCACertificates('default');

beforeAll(() => setDefaultCACertificates([...trusted, cert]));
afterAll(() => setDefaultCACertificates(trusted));
beforeEach(() => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined);
});

/** A service over TLS, and a client that is created in the current environment. */
async function startTls() {
  const keys: (string | undefined)[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    keys.push(request.headers.authorization);
    request.resume();
    response.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
  const { origin, client } = await openClientOf(server, { apiKey: KEY, retry: { baseDelayMs: 1 } });
  return { client, keys, host: new URL(origin).host };
}

test("HTTPS_PROXY: the service is reached through a tunnel, so the proxy can't read the key", async () => {
  const proxy = endWithTest(await startProxy());
  vi.stubEnv('HTTPS_PROXY', proxy.origin.replace('//', '//me:secret@'));
  const service = await startTls();
  await service.client.documents.list();
  expect(proxy.seen.map(({ line }) => line)).toEqual([`CONNECT ${service.host}`]);
  expect(proxy.seen[0]?.headers).not.toHaveProperty('authorization');
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('me:secret')}`);
  expect(proxy.tunnelled().length).toBeGreaterThan(0);
  expect(proxy.tunnelled()).not.toContain(KEY);
  expect(service.keys).toEqual([`Bearer ${KEY}`]);
});

test('NO_PROXY: hosts in it are reached directly', async () => {
  const proxy = endWithTest(await startProxy());
  vi.stubEnv('HTTPS_PROXY', proxy.origin);
  vi.stubEnv('HTTP_PROXY', proxy.origin);
  vi.stubEnv('NO_PROXY', 'example.com,127.0.0.1');
  const service = await startTls();
  await service.client.documents.list();
  const plain = endWithTest(await startScripted([page]));
  await plain.client.documents.list();
  expect(proxy.seen).toEqual([]);
  expect([service.keys.length, plain.requests.length]).toEqual([1, 1]);
});

test('HTTP_PROXY: plain HTTP uses it, the bytes of an upload without the key', async () => {
  const proxy = endWithTest(await startProxy());
  vi.stubEnv('HTTP_PROXY', proxy.origin);
  const service = endWithTest(
    await startScripted([
      json({ uploadUrl: '/storage?sig=1', headers: {}, storageKey: 'k', token: 't' }),
      json({}),
      json({ id: 'doc_1' }),
    ]),
  );
  await service.client.upload(new Blob(['bytes']), { via: 'direct', name: 'a.txt' });
  expect(proxy.seen.map(({ line }) => line)).toEqual([
    `POST ${service.origin}/api/v1/documents/uploads`,
    `PUT ${service.origin}/storage?sig=1`,
    `POST ${service.origin}/api/v1/documents/uploads/finalize`,
  ]);
  expect(proxy.seen[1]?.headers).not.toHaveProperty('authorization');
  expect(service.requests[1]?.body).toBe('bytes');
});

test.each([
  [407, 'user name and password'],
  [502, 'could not reach'],
  [403, 'administrator'],
])('a write is not sent if the proxy rejects the tunnel with %i', async (status, advice) => {
  vi.stubEnv('HTTPS_PROXY', endWithTest(await startProxy({ rejectWith: status })).origin);
  const service = await startTls();
  const sent = service.client.agreements.send({ id: 'a' });
  await expect(sent).rejects.toMatchObject({ name: 'NetworkError', message: expect.stringContaining(advice) });
  expect(service.keys).toEqual([]);
});

test('a dispatcher of the caller sends all requests, even beside a proxy of the environment, and is left open', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  const dispatcher = new Agent();
  const service = endWithTest(await startScripted([page], { dispatcher }));
  await service.client.documents.list();
  expect(service.requests).toHaveLength(1);
  await service.client.close();
  expect(dispatcher.closed || dispatcher.destroyed).toBe(false);
  await dispatcher.close();
});

test("undici's own mocks work as a dispatcher", async () => {
  const mock = new MockAgent();
  mock.disableNetConnect();
  mock
    .get('https://docs.example.com')
    .intercept({ path: '/api/v1/documents/d1', headers: { authorization: `Bearer ${KEY}` } })
    .reply(200, { id: 'd1' }, { headers: { 'content-type': 'application/json' } });
  const client = createClient({ apiKey: KEY, baseUrl: 'https://docs.example.com/api/v1', dispatcher: mock });
  expect(await client.documents.get({ id: 'd1' })).toEqual({ id: 'd1' });
  await client.close();
  await mock.close();
});

test('a write over a closed dispatcher of the caller is not sent, and the error says so', async () => {
  const dispatcher = new Agent();
  await dispatcher.close();
  const service = endWithTest(await startScripted([page], { dispatcher }));
  const error: unknown = await service.client.agreements.send({ id: 'a' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'NetworkError' });
  expect(String(error)).toMatch(/closed, so nothing was sent/);
});

test('a transport and a dispatcher together are rejected', () => {
  const both = { transport: async () => Promise.reject(new Error('unused')), dispatcher: new Agent() };
  const options = { apiKey: KEY, baseUrl: 'https://docs.example.com/api/v1', ...both };
  expect(() => createClient(options)).toThrow(InputError);
});
