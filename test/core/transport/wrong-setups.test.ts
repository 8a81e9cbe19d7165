/** Setups that cannot work: the error names the true cause. */
import { writeFileSync } from 'node:fs';
import { createServer, Agent as HttpAgent } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { beforeEach, expect, test, vi } from 'vitest';
import { type CreateClientOptions, createClient, createLimiter, openSqliteLimitStore } from '../../../src/index.ts';
import { createFolderForFile, endWithTest } from '../../support/cleanup.ts';
import { listenForFile } from '../../support/listen.ts';
import { startProxy } from '../../support/proxy.ts';
import { cert, key } from '../../support/self-signed.ts';
import { untyped } from '../../support/untyped.ts';

const LIST = Buffer.from('{"data":[{"id":"a"}]}');
const bodies: Readonly<Record<string, readonly [encoding: string, body: Buffer]>> = {
  raw: ['deflate', deflateRawSync(LIST)],
  twice: ['deflate, gzip', gzipSync(deflateSync(LIST))],
  zstd: ['zstd', zstdCompressSync(LIST)],
  plain: ['gzip', LIST],
  unknown: ['compress', gzipSync(LIST)],
  large: ['identity', Buffer.alloc(33 * 1024 * 1024, ' ')],
};
const server = createServer(({ url = '' }, response) => {
  const [encoding = '', body] = bodies[url.split('/')[1] ?? ''] ?? [];
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
});
const http = await listenForFile(server);
const https = await listenForFile(createTlsServer({ cert, key }, (_, response) => response.end(LIST)));
const folder = createFolderForFile('docshare-');
const textFile = join(folder, 'notes.txt');
writeFileSync(textFile, 'Not a database. '.repeat(100));
beforeEach(() => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined);
});

async function list(origin: string | undefined, options: CreateClientOptions = {}): Promise<unknown> {
  const limiter = createLimiter({ requests: 1000 });
  const client = createClient({ apiKey: 'k', baseUrl: `${origin}/api/v1`, limiter, retry: { retries: 0 }, ...options });
  return client.links.list().collect().finally(client.close);
}

async function listThroughProxy(proxy: string | number, origin = https): Promise<unknown> {
  const recording = typeof proxy === 'number' ? endWithTest(await startProxy({ rejectWith: proxy })) : undefined;
  vi.stubEnv('HTTPS_PROXY', recording?.origin ?? String(proxy));
  return list(origin);
}

/** Behaves like undici 6 and older. */
const oldDispatcher = untyped<Dispatcher>({
  dispatch(_: unknown, handler: object) {
    if ('onConnect' in handler) return true;
    const cause = Object.assign(new Error('invalid onConnect method'), { code: 'UND_ERR_INVALID_ARG' });
    throw new TypeError('fetch failed', { cause });
  },
});

test.each<[setup: string, run: () => Promise<unknown>, name: string, facts: readonly string[]]>([
  ['undici 6 dispatcher', () => list(http, { dispatcher: oldDispatcher }), 'NetworkError', ['dispatcher', 'undici 7']],
  ['Agent', () => list(http, { dispatcher: untyped(new HttpAgent()) }), 'InputError', ['dispatcher', 'http.Agent']],
  ['proxy with 407', () => listThroughProxy(407), 'NetworkError', ['proxy', '407', 'password']],
  ['proxy with 403', () => listThroughProxy(403), 'NetworkError', ['proxy', '403', 'NO_PROXY']],
  [
    'proxy that is not running',
    () => listThroughProxy('127.0.0.1:1'),
    'NetworkError',
    ['proxy http://127.0.0.1:1', 'ECONNREFUSED'],
  ],
  ['proxy with another protocol', () => listThroughProxy('ftp://x'), 'InputError', ['HTTPS_PROXY']],
  ['private certificate authority', () => list(https), 'NetworkError', ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA']],
  ['https URL of an http server', () => list(http.replace('http', 'https')), 'NetworkError', ['TLS', 'port']],
  ['plain text declared as gzip', () => list(`${http}/plain`), 'UnexpectedResponseError', ['content-encoding: gzip']],
  ['unknown encoding', () => list(`${http}/unknown`), 'UnexpectedResponseError', ['content-encoding: compress']],
  ['33 MiB', () => list(`${http}/large`), 'UnexpectedResponseError', ['32 MiB', '`limit`']],
  ['SQLite without a folder', () => openSqliteLimitStore(join(folder, 'a/b')), 'FileError', ['folder does not exist']],
  ['SQLite on a text file', () => openSqliteLimitStore(textFile), 'FileError', ['not a SQLite database']],
])('%s: the error names the cause', async (_, run, name, facts) => {
  const error: unknown = await run().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name });
  for (const fact of facts) expect(String(error)).toContain(fact);
});

test.each(['raw', 'twice', 'zstd'])('a body with the encoding "%s" is read', async (path) => {
  expect(await list(`${http}/${path}`)).toEqual([{ id: 'a' }]);
});
