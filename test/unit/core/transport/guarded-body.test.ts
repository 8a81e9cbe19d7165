/** The bytes of a file while it is received: a truncated body is not a file. */
import { getEventListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { expect, test, vi } from 'vitest';
import { createUndiciTransport, NetworkError, TimeoutError, type TransportRequest } from '../../../../src/index.ts';
import { createBodyStream } from '../../../../src/transport/body-stream.ts';
import { guardBody } from '../../../../src/transport/guard-body.ts';
import { drainBody, readBodyBytes } from '../../../../src/transport/transport.ts';
import { texts } from '../../../core/texts.ts';

async function* chunks(...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

async function read(headers: Record<string, string>, ...sizes: readonly number[]) {
  const response = { status: 200, headers, body: chunks(...sizes) };
  let bytes = 0;
  for await (const chunk of guardBody(response, { controller: new AbortController() })) bytes += chunk.byteLength;
  return bytes;
}

test.each([
  ['fewer bytes than the content length', '5', [2, 2], '4 of 5'],
  ['no bytes despite a content length', '5', [], '0 of 5'],
  ['more bytes than the content length', '5', [5, 1], '6 of 5'],
])('%s are an error, even if the body ended normally', async (_, length, sizes, words) => {
  const reading = read({ 'content-length': length }, ...sizes);
  await expect(reading).rejects.toThrow(NetworkError);
  await expect(reading).rejects.toThrow(`cut off after ${words} bytes`);
});

test.each<[string, Record<string, string>]>([
  ['as many bytes as the content length', { 'content-length': '5' }],
  ['any number of bytes without a content length', {}],
  [
    'any number of bytes if the content length is that of the compressed body',
    { 'content-length': '3', 'content-encoding': 'gzip' },
  ],
  ['any number of bytes with an invalid content length', { 'content-length': 'five' }],
])('%s are the file', async (_, headers) => {
  expect(await read(headers, 2, 3)).toBe(5);
});

const never = () => new Promise<never>(() => undefined);
const MINUTE = 60_000;

/** The bytes of `next` behind a guard, with all that may end them, and a fake clock. */
function guarded(next: () => Promise<IteratorResult<Uint8Array>>, idleTimeoutMs?: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const [controller, caller, closing] = [new AbortController(), new AbortController(), new AbortController()];
  const body = { [Symbol.asyncIterator]: () => ({ next, return: never }) };
  const guard = { controller, signal: caller.signal, closing: closing.signal, idleTimeoutMs };
  const bytes = guardBody({ status: 200, headers: {}, body }, guard)[Symbol.asyncIterator]();
  return { controller, caller, closing, bytes };
}

const ENDS: readonly [string, (guard: ReturnType<typeof guarded>) => void, object][] = [
  ['an abort', ({ caller }) => caller.abort(new RangeError('enough')), { message: 'enough' }],
  ['close()', ({ closing }) => closing.abort(), { code: 'CLIENT_CLOSED' }],
  ['an idle timeout', () => vi.advanceTimersByTime(1000), new TimeoutError(texts.filesStorageSentNothing)],
];

test.each(ENDS)('%s ends the reading of bytes, even if the transport ignores its signal', async (_, end, error) => {
  const guard = guarded(never, 1000);
  const reading = guard.bytes.next().catch((fault: unknown) => fault);
  end(guard);
  expect(await reading).toMatchObject(error);
  expect([guard.controller.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
});

test.each(ENDS.slice(0, 2))('%s ends bytes that are not being read yet', async (_, end, error) => {
  const guard = guarded(never);
  end(guard);
  expect([guard.controller.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  await expect(guard.bytes.next()).rejects.toMatchObject(error);
});

test('neither slow reading nor a paused reader counts as idle', async () => {
  const slow = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve) => {
      setTimeout(() => resolve({ done: false, value: new Uint8Array(1) }), MINUTE - 1);
    });
  const { bytes } = guarded(slow);
  for (const _ of [1, 2, 3]) {
    const reading = bytes.next();
    vi.advanceTimersByTime(MINUTE - 1);
    expect((await reading).done).toBe(false);
    vi.advanceTimersByTime(MINUTE - 1);
  }
});

const KB = 1024;

test('the sender is paused while 64 KB are unread, and resumes as soon as fewer are', async () => {
  const events: string[] = [];
  const bodyStream = createBodyStream({
    pause: () => events.push('pause'),
    resume: () => events.push('resume'),
    cancel: () => events.push('cancel'),
  });
  const reader = bodyStream.body[Symbol.asyncIterator]();
  for (let chunk = 0; chunk < 3; chunk += 1) bodyStream.push(new Uint8Array(20 * KB));
  expect(events).toEqual([]);
  bodyStream.push(new Uint8Array(20 * KB));
  expect(events).toEqual(['pause']);
  await reader.next();
  expect(events).toEqual(['pause', 'resume']);
  await reader.return?.();
  expect(events).toEqual(['pause', 'resume', 'cancel']);
});

test('draining an unwanted body reads a little and cancels the rest', async () => {
  let sentChunks = 0;
  let isCut = false;
  async function* endless() {
    try {
      for (; sentChunks < 1000; sentChunks += 1) yield new Uint8Array(16 * KB);
    } finally {
      isCut = true;
    }
  }
  await drainBody({ status: 500, headers: {}, body: endless() });
  expect([sentChunks < 10, isCut]).toEqual([true, true]);
});

const ADDRESS = 'https://docshare.test/api/v1/links';

/** Sends a request, which undici accepts and never answers by itself. */
function hold(request: Partial<TransportRequest> = {}) {
  const handlers: Dispatcher.DispatchHandler[] = [];
  const dispatch = (_request: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler) > 0;
  const transport = createUndiciTransport({ dispatcher: { dispatch } as unknown as Dispatcher });
  const sent = transport({ method: 'GET', url: ADDRESS, headers: {}, ...request });
  return { sent, handler: handlers[0] };
}

/** The controller that undici passes when a request gets its connection. */
function controllerOf(aborted: unknown[]) {
  const abort = (reason: unknown) => void aborted.push(reason);
  return { abort, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
}

test('a request that is aborted while it waits for a connection is not sent later', async () => {
  const control = new AbortController();
  const reason = new Error('enough');
  const { sent, handler } = hold({ method: 'POST', body: '{}', signal: control.signal });
  control.abort(reason);
  // It was reported as unsent, which must remain true.
  await expect(sent).rejects.toMatchObject({ unsent: true, cause: reason });
  const aborted: unknown[] = [];
  handler?.onRequestStart?.(controllerOf(aborted), {});
  expect(aborted).toEqual([reason]);
});

test('the body of a request that never gets a connection is closed', async () => {
  let ended = false;
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: new Uint8Array(1) }),
      return: async () => {
        ended = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const { sent, handler } = hold({ method: 'PUT', headers: { 'content-length': '1' }, body });
  handler?.onResponseError?.(controllerOf([]), Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
  await expect(sent).rejects.toMatchObject({ unsent: true });
  await expect.poll(() => ended).toBe(true);
});

test("an interim response is skipped, repeated headers are joined, and the caller's signal is released", async () => {
  const { signal } = new AbortController();
  const { sent, handler } = hold({ signal });
  const controller = controllerOf([]);
  handler?.onRequestStart?.(controller, {});
  handler?.onResponseStart?.(controller, 103, { link: '</a>' });
  handler?.onResponseStart?.(controller, 200, { 'x-a': ['1', '2'], 'x-b': '3' });
  handler?.onResponseData?.(controller, Buffer.from('whole'));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  handler?.onResponseEnd?.(controller, {});
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const { status, headers, body } = await sent;
  expect([status, headers]).toEqual([200, { 'x-a': '1, 2', 'x-b': '3' }]);
  expect(Buffer.from((await readBodyBytes(body, 100)).bytes).toString()).toBe('whole');
});

test('a body that fails before it is read fails for its reader, after the received bytes', async () => {
  const { sent, handler } = hold();
  const controller = controllerOf([]);
  handler?.onRequestStart?.(controller, {});
  handler?.onResponseStart?.(controller, 200, {});
  handler?.onResponseData?.(controller, Buffer.from('half'));
  handler?.onResponseError?.(controller, new Error('reset'));
  await expect(readBodyBytes((await sent).body, 100)).rejects.toThrow('reset');
});
