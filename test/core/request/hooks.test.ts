import { expect, test } from 'vitest';
import type { Hooks } from '../../../src/index.ts';
import { json, openScripted, raw } from '../../support/scripted-service.ts';

/** Hooks that record every event. */
function listen() {
  const told: [name: string, event: Record<string, unknown>][] = [];
  const note = (name: string) => (event: object) => void told.push([name, { ...event }]);
  const names = ['onCall', 'onWait', 'onRequest', 'onResponse', 'onRequestEnd', 'onRetry', 'onCallEnd'];
  const hooks: Hooks = Object.fromEntries(names.map((name) => [name, note(name)]));
  return { hooks, told, of: (name: string) => told.filter(([one]) => one === name).map(([, event]) => event) };
}

test('the events of each request have the ID of the call, the attempt, the URL and the result', async () => {
  const { hooks, told, of } = listen();
  const service = await openScripted([json({}, 503), json({ data: [] }, 200, { 'x-request-id': 'r1' })], { hooks });
  await service.client.documents.list({ limit: 2, token: 'hidden-from-hooks' });
  expect(new Set(told.map(([, { callId }]) => callId)).size).toBe(1);
  expect(told.map(([name]) => name)).toEqual([
    'onCall',
    ...['onRequest', 'onResponse', 'onRequestEnd', 'onRetry'],
    ...['onRequest', 'onResponse', 'onRequestEnd', 'onCallEnd'],
  ]);
  const url = `${service.origin}/api/v1/documents?limit=2&token=[redacted]`;
  expect(of('onRequest')).toMatchObject([
    { operation: 'documents.list', target: 'api', attempt: 0, hops: 0, method: 'GET', url },
    { attempt: 1, url },
  ]);
  expect(of('onRequestEnd')).toMatchObject([
    { outcome: 'rejected', status: 503, durationMs: expect.any(Number), error: { name: 'ServerError' } },
    { outcome: 'succeeded', status: 200, attempt: 1 },
  ]);
  expect(of('onRequestEnd')[1]).not.toHaveProperty('error');
  expect(of('onResponse')[1]).toMatchObject({ status: 200, requestId: 'r1', attempt: 1 });
  expect(of('onRetry')).toMatchObject([{ attempt: 1, error: { name: 'ServerError' } }]);
  expect(of('onCallEnd')).toMatchObject([{ requests: 2, durationMs: expect.any(Number) }]);
});

test('the event of a request says whether it failed, was cut off or was aborted by the caller', async () => {
  const { hooks, of } = listen();
  const stop = new AbortController();
  const service = await openScripted(
    [
      (request) => request.socket.destroy(),
      raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"'),
      () => stop.abort(new Error('mine')),
    ],
    { hooks },
  );
  const mine = service.client.documents.get({ id: 'd' }, { signal: stop.signal });
  await expect(mine).rejects.toThrow('mine');
  const ends = of('onRequestEnd').map((end) => [end.outcome, 'status' in end, 'error' in end].join());
  expect(ends).toEqual(['failed,false,true', 'failed,true,true', 'aborted,false,true']);
  expect(of('onRequest')).toHaveLength(3);
  expect(of('onCallEnd')).toMatchObject([{ requests: 3, error: { message: 'mine' } }]);
});

test('the events of storage requests name only the origin', async () => {
  const { hooks, of, told } = listen();
  const service = await openScripted(
    [
      (request, response) =>
        json({
          uploadUrl: `http://${request.headers.host}/bucket/secret-path?X-Amz-Signature=secret-query`,
          headers: { 'Content-Type': 'application/pdf' },
          storageKey: 'k',
          token: 't',
        })(request, response),
      json({}),
      json({ id: 'doc_1' }),
    ],
    { hooks },
  );
  await service.client.upload(new Blob(['%PDF-1.7']), { name: 'a.pdf', via: 'direct' });
  const ends = of('onRequestEnd');
  expect(ends.map(({ operation, target, method, outcome }) => [operation, target, method, outcome])).toEqual([
    ['documents.startUpload', 'api', 'POST', 'succeeded'],
    ['storage.put', 'storage', 'PUT', 'succeeded'],
    ['documents.finalizeUpload', 'api', 'POST', 'succeeded'],
  ]);
  expect(ends[1]?.url).toBe(`${service.origin}/[redacted]`);
  expect(JSON.stringify(told)).not.toContain('secret');
  expect(JSON.stringify(told)).not.toContain('key_live');
});

test('a hook, logger or onResponse that throws or rejects changes nothing and leaks no connection', async () => {
  const fail = () => {
    throw new Error('mine');
  };
  const reject = async () => fail();
  const hooks: Hooks = {
    onCall: fail,
    onWait: fail,
    onRequest: fail,
    onResponse: reject,
    onRequestEnd: fail,
    onRetry: fail,
    onCallEnd: reject,
  };
  const service = await openScripted([json({}, 503), json({ data: [] })], { hooks, logger: fail });
  const { client, requests } = service;
  for (let n = 0; n < 20; n++) {
    expect((await client.documents.list({}, { onResponse: n % 2 ? fail : reject, onWait: fail })).items).toEqual([]);
  }
  expect(requests).toHaveLength(21);
  expect(await service.connections()).toBeLessThanOrEqual(2);
});

test('a call that never leaves the queue has an event without a request', async () => {
  const { hooks, told, of } = listen();
  const { createLimiter } = await import('../../../src/index.ts');
  const limiter = createLimiter({ requests: 1, windowMs: 600_000 });
  const service = await openScripted([json({ data: [] })], { hooks, limiter });
  await service.client.documents.list();
  await expect(service.client.documents.list({}, { maxWaitMs: 5 })).rejects.toThrow('limit of 120');
  expect(told.map(([name]) => name).filter((name) => name.startsWith('onCall'))).toEqual([
    ...['onCall', 'onCallEnd'],
    ...['onCall', 'onCallEnd'],
  ]);
  expect(of('onCallEnd')[1]).toMatchObject({ requests: 0, error: expect.anything() });
});
