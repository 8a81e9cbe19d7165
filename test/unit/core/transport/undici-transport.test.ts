/** Requests that are not sent, with a dispatcher that the test drives. */
import { getEventListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { createUndiciTransport } from '../../../../src/index.ts';
import { readBodyBytes } from '../../../../src/transport/transport.ts';

const ADDRESS = 'https://docshare.test/api/v1/links';

/** Accepts requests and never responds by itself. */
function heldDispatcher() {
  const handlers: Dispatcher.DispatchHandler[] = [];
  const dispatch = (_request: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler) > 0;
  return { dispatcher: { dispatch } as unknown as Dispatcher, handlers };
}

/** The controller that undici passes when a request gets its connection. */
function controllerOf(aborted: unknown[]) {
  const abort = (reason: unknown) => void aborted.push(reason);
  return { abort, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
}

test('a request that is aborted while it waits for a connection is not sent later', async () => {
  const { dispatcher, handlers } = heldDispatcher();
  const transport = createUndiciTransport({ dispatcher });
  const control = new AbortController();
  const reason = new Error('enough');
  const sent = transport({ method: 'POST', url: ADDRESS, headers: {}, body: '{}', signal: control.signal });
  control.abort(reason);
  // It was reported as unsent, which must remain true.
  await expect(sent).rejects.toMatchObject({ unsent: true, cause: reason });
  const aborted: unknown[] = [];
  handlers[0]?.onRequestStart?.(controllerOf(aborted), {});
  expect(aborted).toEqual([reason]);
});

test('the body of a request that never gets a connection is closed', async () => {
  const { dispatcher, handlers } = heldDispatcher();
  const transport = createUndiciTransport({ dispatcher });
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
  const sent = transport({ method: 'PUT', url: ADDRESS, headers: { 'content-length': '1' }, body });
  handlers[0]?.onResponseError?.(controllerOf([]), Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
  await expect(sent).rejects.toMatchObject({ unsent: true });
  await expect.poll(() => ended).toBe(true);
});

test("an interim response is skipped, repeated headers are joined, and the caller's signal is released", async () => {
  const { dispatcher, handlers } = heldDispatcher();
  const { signal } = new AbortController();
  const sent = createUndiciTransport({ dispatcher })({ method: 'GET', url: ADDRESS, headers: {}, signal });
  const [handler] = handlers;
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
  const { dispatcher, handlers } = heldDispatcher();
  const sent = createUndiciTransport({ dispatcher })({ method: 'GET', url: ADDRESS, headers: {} });
  const [handler] = handlers;
  const controller = controllerOf([]);
  handler?.onRequestStart?.(controller, {});
  handler?.onResponseStart?.(controller, 200, {});
  handler?.onResponseData?.(controller, Buffer.from('half'));
  handler?.onResponseError?.(controller, new Error('reset'));
  await expect(readBodyBytes((await sent).body, 100)).rejects.toThrow('reset');
});
