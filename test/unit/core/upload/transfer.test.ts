import { beforeEach, expect, test, vi } from 'vitest';
import { TimeoutError } from '../../../../src/index.ts';
import type { FileSource } from '../../../../src/upload/file-source.ts';
import { createTransfer, UPLOAD_IDLE_TIMEOUT_MS } from '../../../../src/upload/upload-transfer.ts';
import { createStub } from '../../../support/create-stub.ts';

beforeEach(() => void vi.useFakeTimers());

type Step = Uint8Array | Error | (() => unknown);
/** A file with these chunks; an error is thrown, a function is called before the next one. */
const fileOf = (...steps: Step[]) =>
  createStub<FileSource>({
    size: 10,
    async *stream() {
      for (const step of steps) {
        if (step instanceof Error) throw step;
        if (typeof step === 'function') await step();
        else yield step;
      }
    },
  });
const bytes = (length: number) => new Uint8Array(length);
async function drain(stream: AsyncIterable<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const chunk of stream) sizes.push(chunk.byteLength);
  return sizes;
}

test('a retry restarts the progress at 0', async () => {
  const told: number[] = [];
  const transfer = createTransfer(fileOf(bytes(4), bytes(6)), { onProgress: ({ sentBytes }) => told.push(sentBytes) });
  await drain(transfer.stream());
  const again = transfer.stream()[Symbol.asyncIterator]();
  await again.next();
  expect(transfer.isComplete()).toBe(false);
  await again.next();
  expect(told).toEqual([4, 10, 4]);
});

test('an upload without progress or response is cancelled, after two minutes by default', async () => {
  expect(UPLOAD_IDLE_TIMEOUT_MS).toBe(120_000);
  for (const [timeoutMs, ms] of [
    [undefined, 120_000],
    [500, 500],
  ] as const) {
    const transfer = createTransfer(fileOf(bytes(4), bytes(6)), { timeoutMs });
    transfer.startTimer();
    await vi.advanceTimersByTimeAsync(ms - 1);
    // An accepted byte restarts the timer, and so does the next call of startTimer.
    await transfer.stream()[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(transfer.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(transfer.signal.reason).toEqual(
      new TimeoutError(`The upload made no progress for ${ms} ms and was cancelled.`, {
        problem: { code: 'upload_too_slow' },
      }),
    );
  }
});

test('after the last byte the response has the same time, and the timer ends with it', async () => {
  const silent = createTransfer(fileOf(bytes(4)), { timeoutMs: 500 });
  await drain(silent.stream());
  await vi.advanceTimersByTimeAsync(499);
  expect(silent.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(silent.signal.reason).toBeInstanceOf(TimeoutError);
  const answered = createTransfer(fileOf(bytes(4)), { timeoutMs: 500 });
  await drain(answered.stream());
  answered.stopTimer();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answered.signal.aborted).toBe(false);
});

test('a file that is read slowly is not a stalled network', async () => {
  const slow = () => vi.advanceTimersByTimeAsync(10_000);
  const transfer = createTransfer(fileOf(bytes(4), slow, bytes(6)), { timeoutMs: 500 });
  expect(await drain(transfer.stream())).toEqual([4, 6]);
  expect(transfer.signal.aborted).toBe(false);
});

/** Returns whether a promise settles before any timer could run. */
async function isAtOnce(end: Promise<unknown>): Promise<boolean> {
  let ended = false;
  void end.then(() => (ended = true));
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  return ended;
}

test('with waitForEarlyResponse it pauses after the first bytes, and only then', async () => {
  for (const listen of [true, false]) {
    const transfer = createTransfer(fileOf(bytes(1), bytes(2), bytes(3)), { waitForEarlyResponse: listen });
    const stream = transfer.stream()[Symbol.asyncIterator]();
    await stream.next();
    const second = stream.next();
    expect(await isAtOnce(second)).toBe(!listen);
    await second;
    expect(await isAtOnce(stream.next())).toBe(true);
  }
  const told = createTransfer(fileOf(bytes(1), bytes(2)), {})
    .stream()
    [Symbol.asyncIterator]();
  await told.next();
  expect(await isAtOnce(told.next())).toBe(true);
});
