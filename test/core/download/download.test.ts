import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fetchUrl } from '../../../src/download/download.ts';
import {
  type DownloadBody,
  InputError,
  NetworkError,
  TimeoutError,
  type Transport,
  UnexpectedResponseError,
} from '../../../src/index.ts';
import { openClientOf } from '../../support/listen.ts';
import { texts } from '../texts.ts';

const KEY = 'key_test_download_123456';
const pdf = Buffer.from('%PDF-1.7 '.repeat(50_000));

type Answer = (response: ServerResponse, times: number) => void;

/** `api` answers the operation, `store` the short-lived download URL. */
async function start(
  api: (origin: string) => Answer,
  store: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': pdf.byteLength }).end(pdf),
) {
  const log: { url: string; key: boolean }[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    log.push({ url, key: request.headers.authorization === `Bearer ${KEY}` });
    const isApi = url.startsWith('/api/');
    (isApi ? api(origin) : store)(response, log.filter((one) => one.url.startsWith('/api/') === isApi).length);
  });
  const { origin, client } = await openClientOf(server, { apiKey: KEY, retry: { baseDelayMs: 5 } });
  return { client, log, origin, ask: () => client.agreements.document({ id: 'agr_1' }) };
}

async function bytesOf(body: DownloadBody): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const json =
  (value: unknown, type = 'application/json'): Answer =>
  (response) =>
    response
      .writeHead(200, type === '' ? {} : { 'content-type': type })
      .end(typeof value === 'string' ? value : JSON.stringify(value));

test.each<[string, (origin: string) => Answer]>([
  ['url', (origin) => json({ url: `${origin}/f?sig=s` })],
  ['downloadUrl', (origin) => json({ id: 'a', url: `${origin}/api/page`, downloadUrl: `${origin}/f?sig=s` })],
  ['a nested URL', (origin) => json({ data: { document: { signed_url: `${origin}/f?sig=s` } } })],
  ['an unknown field name', (origin) => json({ id: 'a', result: { grab_it_here: `${origin}/f?sig=s` } })],
  ['a relative URL', () => json({ url: '/f?sig=s' })],
  ['a JSON string', (origin) => json(JSON.stringify(`${origin}/f?sig=s`))],
  ['a bare URL', (origin) => json(`${origin}/f?sig=s\n`, 'text/plain')],
  ['JSON without a type', (origin) => json({ url: `${origin}/f?sig=s` }, '')],
  ['a redirect', (origin) => (response) => response.writeHead(302, { location: `${origin}/f?sig=s` }).end()],
])('a file located by %s is fetched without the key', async (_, api) => {
  const { ask, log, origin } = await start(api);
  const { data: file, response } = await ask().withResponse();
  expect(file.url).toBe(`${origin}/f?sig=s`);
  expect(response.status).toBeGreaterThanOrEqual(200);
  const body = await file.open();
  expect(body).toMatchObject({ type: 'application/pdf', sizeBytes: pdf.byteLength });
  expect((await bytesOf(body)).equals(pdf)).toBe(true);
  expect(log.map(({ key }) => key)).toEqual([true, false]);
});

test.each([
  ['application/pdf', 'application/pdf'],
  ['', 'application/octet-stream'],
  ['application/pdf ; charset=x', 'application/pdf'],
])('a response of type "%s" is the file itself and can be opened once', async (type, told) => {
  const { ask } = await start(
    () => (response) =>
      response
        .writeHead(200, {
          ...(type && { 'content-type': type }),
          'content-disposition': 'attachment; filename="signed.pdf"',
        })
        .end(pdf),
  );
  const file = await ask();
  expect([file.url, file.name, file.type]).toEqual([undefined, 'signed.pdf', told]);
  expect((await bytesOf(await file.open())).equals(pdf)).toBe(true);
  await expect(file.open()).rejects.toThrow(InputError);
});

test.each([
  [`attachment; filename="Pr\u00e9s.pdf"; filename*=UTF-8''Pr%C3%A9s%20%E2%82%AC.pdf`, 'Prés €.pdf'],
  [`attachment; filename*=iso-8859-1''Pr%E9s.pdf`, 'Prés.pdf'],
  [`attachment; filename*=UTF-8''%E0%A4%A; filename=plain.pdf`, 'plain.pdf'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ["attachment; filename*=UTF-8''a%E2%80%AEfdp.exe", 'afdp.exe'],
  ['inline', undefined],
])('the header %s names the file %s', async (disposition, name) => {
  const { ask } = await start(
    () => (response) =>
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-disposition': disposition }).end(pdf),
  );
  expect((await ask()).name).toBe(name);
});

test.each<[string, Answer]>([
  ['JSON without a URL', json({ id: 'agr_1', status: 'draft' })],
  ['nothing', (response) => response.writeHead(204).end()],
  ['a web page', json('<!doctype html><title>Sign in</title>', 'text/html')],
  ['a redirect to nowhere', (response) => response.writeHead(302).end()],
  ['a URL with another scheme', json({ url: 'file:///etc/passwd', link: 'javascript:alert(1)' })],
])('a response that is %s is a typed error after one request', async (_, api) => {
  const { ask, log } = await start(() => api);
  await expect(ask()).rejects.toThrow(UnexpectedResponseError);
  expect(log).toHaveLength(1);
});

test('an expired URL is requested again, once', async () => {
  const expired: Answer = (response, times) =>
    times === 1 ? response.writeHead(403).end('<Error>Request has expired</Error>') : response.writeHead(200).end(pdf);
  const { ask, log } = await start(
    (origin) => (response, times) => json({ url: `${origin}/f/${times}?sig=secret` })(response, times),
    expired,
  );
  expect((await bytesOf(await (await ask()).open())).equals(pdf)).toBe(true);
  expect(log.map(({ url }) => url.replace('/api/v1/agreements', ''))).toEqual([
    '/agr_1/document',
    '/f/1?sig=secret',
    '/agr_1/document',
    '/f/2?sig=secret',
  ]);
  const never = await start(
    (origin) => json({ url: `${origin}/f?sig=secret` }),
    (response) => response.writeHead(403).end('no'),
  );
  await expect((await never.ask()).open()).rejects.toThrow(texts.andANewOneToo);
});

test.each<[string, Answer]>([
  [
    'cut off',
    (response) => {
      response.writeHead(200, { 'content-length': pdf.byteLength });
      response.write(pdf.subarray(0, 9000), () => response.socket?.destroy());
    },
  ],
  [
    'cut off inside gzip',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(pdf).subarray(0, 200)),
  ],
])('bytes that are %s reject with a NetworkError', async (_, store) => {
  const { ask } = await start((origin) => json({ url: `${origin}/f?sig=secret` }), store);
  const error: unknown = await bytesOf(await (await ask()).open()).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(NetworkError);
  expect(String(error)).not.toContain('secret');
});

test.each([
  [200, { sizeBytes: 8, type: 'application/pdf' }],
  [300, { name: 'NetworkError', problem: { code: 'file_unavailable', status: 300 } }],
  [404, { name: 'NetworkError', problem: { code: 'file_unavailable', status: 404 } }],
])('a file at any URL that responds with status %i', async (status, expected) => {
  const transport: Transport = async () => ({
    status,
    headers: { 'content-type': 'application/pdf', 'content-length': '8' },
    body: Readable.from([Buffer.from('%PDF-1.7')]),
  });
  const opened = fetchUrl(transport, 'https://files.test/a.pdf').catch((error: unknown) => error);
  expect(await opened).toMatchObject(expected);
});

test('a body may take longer than timeoutMs as long as it keeps sending', async () => {
  const slow: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    for (let n = 0; n < 6; n++) {
      response.write(pdf.subarray(0, 1000));
      await sleep(250);
    }
    response.end();
  };
  const { client } = await start(() => slow);
  const file = await client.agreements.document({ id: 'a' }, { timeoutMs: 1000, deadlineMs: 1000 });
  expect((await bytesOf(await file.open())).byteLength).toBe(6000);
  const silent = await start(
    (origin) => json({ url: `${origin}/f` }),
    (response) => void response.writeHead(200).write('x'),
  );
  await expect(
    silent
      .ask()
      .then((one) => one.open({ timeoutMs: 200 }))
      .then(bytesOf),
  ).rejects.toThrow(TimeoutError);
});

test('an abort rejects both the wait and the bytes with its reason; leaving the loop closes the connection', async () => {
  let closed = 0;
  const endless: Answer = (response) => {
    response.writeHead(200).write(pdf);
    response.on('close', () => {
      closed += 1;
    });
  };
  const { ask } = await start((origin) => json({ url: `${origin}/f` }), endless);
  const reason = new Error('enough');
  const abort = new AbortController();
  const body = await (await ask()).open({ signal: abort.signal });
  setTimeout(() => abort.abort(reason), 50);
  await expect(bytesOf(body)).rejects.toBe(reason);
  for await (const _ of (await (await ask()).open()).bytes) break;
  await expect.poll(() => closed).toBe(2);
  await expect((await ask()).open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
