/** A form as it goes out: no name and no type can end the part that it stands in. */
import { expect, test } from 'vitest';
import { encodeMultipart } from '../../../../src/upload/multipart.ts';

const part = (more: object = {}) => ({
  name: 'a.pdf',
  type: 'application/pdf',
  size: 4,
  async *stream() {
    yield Buffer.from('%PDF');
  },
  ...more,
});

async function sent(fields: Record<string, unknown>) {
  const { headers, body } = encodeMultipart(fields);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body()) chunks.push(chunk);
  const text = Buffer.concat(chunks);
  expect(headers['content-length']).toBe(String(text.byteLength));
  const boundary = headers['content-type']?.split('boundary=')[1] ?? '';
  return text.toString().replaceAll(boundary, '#');
}

test.each<[string, object, string]>([
  ['a quotation mark', { name: 'a".pdf' }, 'filename="a%22.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF'],
  ['a line break', { name: 'a\r\nx: 1' }, 'filename="a%0D%0Ax: 1"\r\n'],
  ['half a line break', { name: 'a\rx: 1' }, 'filename="a%0Dx: 1"\r\n'],
  ['a type of two lines', { type: 'text/plain\r\nx: 1' }, 'content-type: text/plainx: 1\r\n\r\n'],
  ['no type', { type: '' }, 'content-type: application/octet-stream\r\n\r\n'],
  ['no name', { name: '' }, 'filename="Deck"\r\n'],
])('a file with %s', async (_, more, line) => {
  expect(await sent({ name: 'Deck', file: part(more) })).toContain(line);
});

test('texts stand before the files, one part for each of a list', async () => {
  const text = await sent({ file: part(), tags: ['a', 'b'], 'a"b': { c: 1 }, none: null });
  expect(text.match(/name="[^"]*"/g)).toEqual([
    'name="tags"',
    'name="tags"',
    'name="a%22b"',
    'name="none"',
    'name="file"',
    'name="a.pdf"',
  ]);
  expect(text).toContain('name="a%22b"\r\n\r\n{"c":1}\r\n');
});
