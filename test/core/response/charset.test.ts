import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/index.ts';

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
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createClient({ apiKey: `charset-${charset.length}`, baseUrl: `http://127.0.0.1:${port}/api/v1` });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return await client.documents.get({ id: 'é1' });
}
