import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openClientOf } from '../../support/listen.ts';

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
