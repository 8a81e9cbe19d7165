/** A stream that is uploaded: when its reading ends, and what becomes of it then. */
import { expect, test } from 'vitest';
import { bytesOfStream } from '../../src/upload/read-stream.ts';

/** Gives one byte whenever it is asked, without an end. */
function endless() {
  const seen = { asked: 0, ended: false };
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        seen.asked += 1;
        return { done: false, value: new Uint8Array(1) };
      },
      return: async () => {
        seen.ended = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { source, seen };
}

test('an abort while the last bytes are still written ends the reading: no more is asked for', async () => {
  const { source, seen } = endless();
  const control = new AbortController();
  const reason = new Error('enough');
  const bytes = bytesOfStream(source, control.signal);
  expect((await bytes.next()).done).toBe(false);
  control.abort(reason);
  await expect(bytes.next()).rejects.toBe(reason);
  expect(seen).toEqual({ asked: 1, ended: true });
});

test('a stream that is given up in its middle is ended', async () => {
  const { source, seen } = endless();
  for await (const _ of bytesOfStream(source, undefined)) break;
  expect(seen).toEqual({ asked: 1, ended: true });
});
