import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { coreIndex } from '../../support/entry.ts';
import { openClientOf } from '../../support/listen.ts';

const text = JSON.stringify({ id: 'doc_1', name: 'ü'.repeat(200_000) });

async function startService(encoding?: string, encode: (text: string) => Buffer = Buffer.from) {
  let connections = 0;
  const server = createServer((_, response) => {
    const head = encoding === undefined ? {} : { 'content-encoding': encoding };
    response.writeHead(200, { 'content-type': 'application/json', ...head }).end(encode(text));
  });
  server.on('connection', () => {
    connections += 1;
  });
  const { client } = await openClientOf(server);
  return { client, baseUrl: client.baseUrl, connections: () => connections };
}

test.each<[string, (text: string) => Buffer]>([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('a response in %s is read completely', async (encoding, encode) => {
  const { client } = await startService(encoding, encode);
  expect(await client.documents.get({ id: 'doc_1' })).toEqual(JSON.parse(text));
});

const bomb = `{"id":"doc_1","name":"${'a'.repeat(4 * 1024 * 1024)}"}`;

test('a decompression bomb fails a read without a retry, and a write still succeeds', async () => {
  const { client } = await startService('br', () => brotliCompressSync(bomb));
  await expect(client.documents.get({ id: 'doc_1' })).rejects.toMatchObject({
    name: 'UnexpectedResponseError',
    message: expect.stringContaining('500'),
  });
  const { response } = await client.webhooks.create({ url: 'https://example.com', events: ['view'] }).withResponse();
  expect(response.status).toBe(200);
  expect(response.note).toContain('500');
  expect(response.text?.length).toBeLessThan(2 * 1024 * 1024);
});

test('a regular list of 2 MB that Brotli compresses well is read completely', async () => {
  const contacts = Array.from({ length: 8000 }, (_, index) => ({
    id: `con_${100_000 + index}`,
    name: `Contact ${100_000 + index}`,
    email: `contact${100_000 + index}@northwind-capital.example`,
    company: 'Northwind Capital',
    created_at: '2026-10-01T10:00:00.000Z',
    tags: ['investor', 'newsletter'],
    custom_fields: { region: null, owner: null, source: 'import' },
  }));
  // Quality 4 compresses these better than the default, in 30 ms instead of 7 s.
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  const { client } = await startService('br', () => brotliCompressSync(JSON.stringify({ items: contacts }), quick));
  expect((await client.contacts.list()).items).toHaveLength(8000);
});

test('many sequential calls leave no connections behind', async () => {
  const { client, connections } = await startService(undefined, () => Buffer.from('{"id":"doc_1"}'));
  for (let n = 0; n < 200; n++) await client.documents.get({ id: 'doc_1' });
  // undici frees a connection one turn of the event loop after its response: a quick caller opens a second one.
  expect(connections()).toBeLessThanOrEqual(2);
});

test.each([
  ['after close()', 'await client.close();'],
  ['without close()', ''],
])('a process ends by itself %s', async (_, end) => {
  const { baseUrl } = await startService();
  const program = `import { createClient } from '${pathToFileURL(coreIndex).href}';
    const client = createClient({ apiKey: 'key', baseUrl: '${baseUrl}' });
    await client.documents.get({ id: 'doc_1' }); ${end}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
  expect(await new Promise((done) => child.on('exit', done))).toBe(0);
});

test.each([
  ['utf-8', 'utf8'],
  ['iso-8859-1', 'latin1'],
  ['"UTF-16LE"', 'utf16le'],
  ['no-such-charset', 'utf8'],
] as const)('a response that declares the charset %s is decoded correctly', async (charset, encoding) => {
  expect(await readDocument(charset, encoding)).toEqual({ id: 'é1', name: 'Müller' });
});

test('a response in an unknown charset is an error that names it', async () => {
  await expect(readDocument('no-such-charset', 'latin1')).rejects.toMatchObject({
    name: 'UnexpectedResponseError',
    message: expect.stringContaining('no-such-charset'),
  });
});

async function readDocument(charset: string, encoding: BufferEncoding): Promise<unknown> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', `application/json; charset=${charset}`);
    response.end(Buffer.from('{"id":"é1","name":"Müller"}', encoding));
  });
  const { client } = await openClientOf(server);
  return await client.documents.get({ id: 'é1' });
}
