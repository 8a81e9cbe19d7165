import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { closeAfterAll } from '../../support/cleanup.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { listenForFile } from '../../support/listen.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'x')]);

/** A service whose agreement files are set by the tests. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let stored: (request: IncomingMessage, response: ServerResponse) => void;
const service = createServer((request, response) =>
  request.url?.startsWith('/api/') ? answer(request, response) : stored(request, response),
);
const ended = new Set<string>();
const origin = await listenForFile(service);
beforeEach(() => {
  answer = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: `${origin}/f?sig=s` }));
  stored = (_, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.byteLength }).end(PDF);
});
const grants = { mine: { grant: 'mine', key: 'key_of_the_download_test', browser: '' } };
const replica = await closeAfterAll(
  openReplica({ baseUrl: `${origin}/api/v1`, state: createMemoryState(), grants, ended }),
);
const host = await closeAfterAll(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'mine' }));

async function asked(id = 'agr_1') {
  const { data } = await host.call('download_agreement', { id });
  return { url: String(data['url']), data };
}

test('the URL of the service stays private, and a program gets the file once, as an attachment that cannot run', async () => {
  const { url, data } = await asked();
  expect(data).toMatchObject({ id: 'agr_1', name: 'agreement-agr_1.pdf', seconds_left: expect.closeTo(600, -2) });
  expect(JSON.stringify(data)).not.toContain('sig=');
  const file = await fetch(url);
  expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(PDF.byteLength),
    'content-disposition': expect.stringMatching(/^attachment; filename="agreement-agr_1.pdf"/),
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  expect((await fetch(url)).status).toBe(404);
});

test('previews do not use up the URL, and the button in a browser does', async () => {
  const { url } = await asked();
  // Uses a raw request, because `fetch` sets its own mode.
  for (const options of [
    { method: 'HEAD' },
    { headers: { 'sec-purpose': 'prefetch' } },
    { headers: { accept: 'text/html' } },
    { headers: { 'sec-fetch-mode': 'navigate' } },
  ]) {
    const [response] = (await once(request(url, options).end(), 'response')) as [IncomingMessage];
    response.resume();
    expect(response.headers['content-type']).toContain('text/html');
  }
  expect((await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403);
  const file = await fetch(url, { method: 'POST', headers: { origin: replica.url } });
  expect((await file.arrayBuffer()).byteLength).toBe(PDF.byteLength);
});

test('one of two simultaneous requests gets the file', async () => {
  const { url } = await asked();
  const both = await Promise.all([fetch(url), fetch(url)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  await Promise.all(both.map((one) => one.arrayBuffer()));
});

test('a missing file, or a web page instead of it, is reported, and the URL stays valid', async () => {
  const { url } = await asked();
  const good = stored;
  for (const bad of [
    (_: IncomingMessage, response: ServerResponse) => response.writeHead(500).end('<script>alert(1)</script>'),
    (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Log in</h1>'),
  ]) {
    stored = bad;
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([502, expect.stringContaining('Download failed')]);
  }
  stored = good;
  expect((await fetch(url)).status).toBe(200);
});

test('a file in the response of the service is passed on too, under a name that cannot break a header', async () => {
  answer = (_, response) =>
    response
      .writeHead(200, {
        'content-type': 'application/pdf',
        'content-disposition':
          "attachment; filename*=UTF-8''..%2f..%2fVertr%C3%A4ge%22%0d%0aset-cookie%3A%20x%3D1%E2%80%AE.pdf",
      })
      .end(PDF);
  const { url, data } = await asked('agr_2');
  expect(data['name']).toBe('Verträge_set-cookie_ x=1.pdf');
  const file = await fetch(url);
  expect(file.headers.getSetCookie()).toEqual([]);
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="Vertr_ge_set-cookie_ x_1.pdf"; filename*=UTF-8\'\'Vertr%C3%A4ge_set-cookie_%20x%3D1.pdf',
  );
  expect((await file.arrayBuffer()).byteLength).toBe(PDF.byteLength);
});

test.each([
  // These types can contain programs, which would run with the origin of this server.
  ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a.xhtml', 'words'],
  ['a', 'words'],
])('%s is sent with a type that no browser runs', async (name, content) => {
  answer = (_, response) =>
    response.writeHead(200, { 'content-disposition': `attachment; filename="${name}"` }).end(content);
  const { headers } = await fetch((await asked(name)).url);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toMatch(/^attachment;/);
});

test('a client that disconnects ends the read at the service', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  stored = (_, response) => {
    response.once('close', () => resolve());
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 2 ** 30 });
    const more = () => {
      while (!response.destroyed && response.write(PDF));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const { url } = await asked();
  const stop = new AbortController();
  const file = await fetch(url, { signal: stop.signal });
  await file.body?.getReader().read();
  stop.abort();
  expect(await closed).toBe(undefined);
});

test('a file that ends early at the service ends early here, without appended data', async () => {
  stored = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write(PDF, () => setTimeout(() => response.destroy(), 50));
  };
  const { url } = await asked();
  await expect(fetch(url).then((file) => file.arrayBuffer())).rejects.toThrow();
});

test('the URL of a revoked grant and an unknown URL give no file', async () => {
  const { url } = await asked();
  ended.add('mine');
  for (const address of [url, `${replica.url}/download/x`, `${replica.url}/download/${'x'.repeat(43)}`])
    expect((await fetch(address)).status).toBe(404);
  ended.clear();
  expect((await fetch(url)).status).toBe(200);
});
