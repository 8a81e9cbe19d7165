/** A stream that is uploaded: when its reading ends, and what becomes of it then. */
import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSource } from '../../../../src/upload/file-source.ts';
import { readStream } from '../../../../src/upload/read-stream.ts';
import { texts } from '../../../core/texts.ts';

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
  const bytes = readStream(source, { signal: control.signal });
  expect((await bytes.next()).done).toBe(false);
  control.abort(reason);
  await expect(bytes.next()).rejects.toBe(reason);
  expect(seen).toEqual({ asked: 1, ended: true });
});

test('a stream that is given up in its middle is ended', async () => {
  const { source, seen } = endless();
  for await (const _ of readStream(source, {})) break;
  expect(seen).toEqual({ asked: 1, ended: true });
});

test('a stream that is silent for longer than it may be is ended, and its time begins anew with each byte', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let give = (_: IteratorResult<Uint8Array>) => {};
  let isEnded = false;
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve) => {
      give = resolve;
    });
  const end = async () => {
    isEnded = true;
    return { done: true as const, value: undefined };
  };
  const bytes = readStream({ [Symbol.asyncIterator]: () => ({ next, return: end }) }, { idleTimeoutMs: 1000 });
  for (const _ of [1, 2]) {
    const got = bytes.next();
    vi.advanceTimersByTime(999);
    give({ done: false, value: new Uint8Array(1) });
    expect((await got).done).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(999);
  }
  const got = bytes.next().catch(String);
  vi.advanceTimersByTime(1000);
  expect(await got).toBe(texts.timeouterrorStreamSentBytes);
  expect([isEnded, vi.getTimerCount()]).toEqual([true, 0]);
});

test('a stream may be silent for as long as it likes, unless told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { source } = silent();
  void readStream(source, {}).next();
  expect(vi.getTimerCount()).toBe(0);
});

test('a signal that outlives the stream keeps nothing of it', async () => {
  const { signal } = new AbortController();
  for await (const _ of readStream(endless().source, { signal })) break;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

/** Never gives a byte. */
function silent() {
  const seen = { ended: false };
  const end = async () => {
    seen.ended = true;
    return { done: true as const, value: undefined };
  };
  const next = () => new Promise<never>(() => undefined);
  const source: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next, return: end }) };
  return { source, seen };
}

test.each([undefined, 100])('a file of %s bytes whose stream is silent is given up when told', async (sizeBytes) => {
  const { source, seen } = silent();
  const read = async () => {
    const file = await openSource(source, { sizeBytes, timeoutMs: 20 });
    for await (const _ of file.stream());
  };
  await expect(read()).rejects.toThrow(texts.streamSentBytes20);
  expect(seen.ended).toBe(true);
});
