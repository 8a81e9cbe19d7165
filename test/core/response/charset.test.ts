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
  expect(await client.documents.get({ id: 'é1' })).toEqual({ id: 'é1', name: 'Müller' });
});
