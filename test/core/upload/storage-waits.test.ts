import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Hooks, RequestEndEvent } from '../../../src/index.ts';
import { endWithTest } from '../../support/cleanup.ts';
import { json, type ScriptedAnswer, startScripted } from '../../support/scripted-service.ts';

const bytes = new Blob(['%PDF-1.7']);
const start = json({ uploadUrl: '/storage?sig=1', headers: { 'x-signed': '1' }, storageKey: 'k', token: 't' });
const busy = (after: string): ScriptedAnswer => json({}, 503, { 'retry-after': after });
const file: ScriptedAnswer = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
const address = json({ url: '/stored/a.pdf?sig=1' });

test('a Retry-After of the storage is awaited in full, and then a new session starts', async () => {
  const service = endWithTest(await startScripted([start, busy('0.3'), start, json({}), json({ id: 'doc_1' })]));
  await service.client.upload(bytes, { via: 'direct', name: 'a.pdf' });
  expect(service.requests.map(({ line }) => line.replace('/api/v1', ''))).toEqual([
    ...['POST /documents/uploads', 'PUT /storage?sig=1'],
    ...['POST /documents/uploads', 'PUT /storage?sig=1'],
    'POST /documents/uploads/finalize',
  ]);
  expect((service.requests[2]?.at ?? 0) - (service.requests[1]?.at ?? 0)).toBeGreaterThan(295);
});

test.each([
  ['asks for a pause of a day', '86400', {}, { retryAfterMs: 86_400_000 }],
  ['fails an upload without retries', '0', { retries: 0 }, {}],
])('a storage that %s rejects at once, and the upload URL is used once', async (_, pause, options, time) => {
  const service = endWithTest(await startScripted([start, busy(pause)]));
  const input = { via: 'direct', name: 'a.pdf', ...options } as const;
  const error: unknown = await service.client.upload(bytes, input).catch((one) => one);
  expect(error).toMatchObject({ name: 'UploadError', status: 503, ...time });
  expect(service.requests).toHaveLength(2);
});

test('the download of a stored file waits, follows redirects and has events, never with the key', async () => {
  const ends: RequestEndEvent[] = [];
  const hooks: Hooks = { onRequestEnd: (end) => void ends.push(end) };
  const moved: ScriptedAnswer = (_, response) =>
    void response.writeHead(302, { location: '/elsewhere?token=hidden' }).end();
  const service = endWithTest(await startScripted([address, busy('0.3'), moved, file], { hooks }));
  const download = await service.client.agreements.document({ id: 'a' });
  const { bytes: stored } = await download.open();
  expect(await text(stored)).toBe('%PDF-1.7');
  expect((service.requests[2]?.at ?? 0) - (service.requests[1]?.at ?? 0)).toBeGreaterThan(295);
  expect(service.requests.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(undefined));
  expect(ends.map(({ operation, attempt, hops, outcome }) => [operation, attempt, hops, outcome])).toEqual([
    ['agreements.document', 0, 0, 'succeeded'],
    ['storage.get', 0, 0, 'rejected'],
    ['storage.get', 1, 0, 'redirected'],
    ['storage.get', 1, 1, 'succeeded'],
  ]);
  expect(JSON.stringify(ends)).not.toMatch(/hidden|sig=1|key_live/);
});
