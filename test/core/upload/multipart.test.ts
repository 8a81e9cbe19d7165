/** The form of a multipart upload: no file name or type can end its part. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/index.ts';
import { createUploadClient, MULTIPART, readBody } from '../../support/upload-client.ts';

async function formOf(file: object, more: object = {}) {
  let form = '';
  const { client } = createUploadClient({
    [MULTIPART]: async (request) => {
      const bytes = await readBody(request);
      expect(request.headers['content-length']).toBe(String(bytes.byteLength));
      form = bytes.toString().replaceAll(request.headers['content-type']?.split('boundary=')[1] ?? '', '#');
      return [201, { id: 'd' }];
    },
  });
  const part = { name: 'a.pdf', type: 'application/pdf', size: 4, stream: () => Readable.from([Buffer.from('%PDF')]) };
  await client.documents.create({ name: 'Deck', ...more, file: { ...part, ...file } });
  return form;
}

test.each<[string, object, string]>([
  ['a quotation mark', { name: 'a".pdf' }, 'filename="a%22.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF'],
  ['a line break', { name: 'a\r\nx: 1' }, 'filename="a%0D%0Ax: 1"\r\n'],
  ['a type with a line break', { type: 'text/plain\r\nx: 1' }, 'content-type: text/plainx: 1\r\n\r\n'],
  ['no type', { type: '' }, 'content-type: application/octet-stream\r\n\r\n'],
  ['no name', { name: '' }, 'filename="Deck"\r\n'],
])('a file with %s stays in its part', async (_, more, line) => {
  expect(await formOf(more)).toContain(line);
});

test.each<object>([{ size: '4' }, { type: undefined }, { stream: 'bytes' }])(
  '%j is no file: nothing is sent',
  async (more) => {
    await expect(formOf(more)).rejects.toThrow(InputError);
  },
);

test('a form has its text fields before the file, and one part for each item of a list', async () => {
  const form = await formOf({}, { tags: ['a', 'b'], 'a"b': { c: 1 }, none: null });
  expect(form.match(/(?<=; name=")[^"]*/g)).toEqual(['name', 'tags', 'tags', 'a%22b', 'none', 'file']);
  expect(form).toContain('name="a%22b"\r\n\r\n{"c":1}\r\n');
});
