/** Bytes that nobody wants after all: what brings them is told, whether or not anything was read of them. */
import { expect, test } from 'vitest';
import { peekStart } from '../../../../mcp/hosted/file-transfer/upload-stream.ts';
import { cancelBody } from '../../../../src/transport/transport.ts';

function source(chunks: number) {
  let ended = 0;
  let sent = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (; sent < chunks; sent += 1) yield new Uint8Array(100).fill(sent);
    } finally {
      ended += 1;
    }
  }
  return { bytes: bytes(), ended: () => ended, sent: () => sent };
}

test.each([0, 1, 3])('a file whose beginning was read is given up behind %i more of its parts', async (reads) => {
  const { bytes, ended } = source(1000);
  const file = await peekStart(bytes, 250);
  expect(file.start).toHaveLength(300);
  for (let read = 0; read < reads; read += 1) expect((await file.bytes.next()).done).toBe(false);
  expect(ended()).toBe(0);
  await file.bytes.return(undefined);
  expect(ended()).toBe(1);
  expect(await file.bytes.next()).toEqual({ done: true, value: undefined });
});

test('a file is whole behind its beginning', async () => {
  const { bytes, ended } = source(5);
  const file = await peekStart(bytes, 250);
  const parts: number[] = [];
  for await (const [first = -1] of file.bytes) parts.push(first);
  expect(parts).toEqual([0, 1, 2, 3, 4]);
  expect(ended()).toBe(1);
});

test('bytes of which nothing was read are given up', async () => {
  const { bytes, ended, sent } = source(1000);
  await cancelBody(bytes);
  expect(ended()).toBe(1);
  expect(sent()).toBe(0);
});
