import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { createClient, InputError } from '../../../src/index.ts';
import { json, openScripted } from '../../support/scripted-service.ts';

const page = json({ data: [] });

test('every request has a User-Agent, unless the caller sets one', async () => {
  const service = await openScripted([page]);
  await service.client.documents.list();
  await service.client.documents.list({}, { headers: { 'User-Agent': 'deck-bot/3' } });
  expect(service.requests.map(({ headers }) => headers['user-agent'])).toEqual([
    `docshare/${manifest.version} node/${process.versions.node}`,
    'deck-bot/3',
  ]);
});

test("a call's headers are sent with each of its attempts and override the client's, whatever their case", async () => {
  const service = await openScripted([json({}, 429), json({ url: 'u' })], {
    headers: { 'X-Team': 'sales', traceparent: 'from-the-client', 'x-none': undefined },
  });
  const headers = { 'Idempotency-Key': 'once-1', TraceParent: '00-abc' };
  await service.client.links.create({ document_id: 'd' }, { headers });
  for (const { headers } of service.requests)
    expect(headers).toMatchObject({ 'x-team': 'sales', traceparent: '00-abc', 'idempotency-key': 'once-1' });
  expect(service.requests).toHaveLength(2);
});

test("the caller's headers are never sent to a storage", async () => {
  const headers = { 'x-team': 'sales', 'user-agent': 'deck-bot/3' };
  const service = await openScripted(
    [
      json({ uploadUrl: '/storage?sig=1', headers: { 'x-signed': '1' }, storageKey: 'k', token: 't' }),
      json({}),
      json({ id: 'doc_1' }),
    ],
    { headers },
  );
  await service.client.upload(new Blob(['x']), { via: 'direct', name: 'a.txt', headers: { traceparent: 't' } });
  const [start, put, finalize] = service.requests;
  expect(start?.headers).toMatchObject({ ...headers, traceparent: 't' });
  expect(finalize?.headers).toMatchObject({ ...headers, traceparent: 't' });
  expect(put?.headers['x-signed']).toBe('1');
  for (const name of ['x-team', 'traceparent', 'authorization', 'user-agent'])
    expect(put?.headers).not.toHaveProperty(name);
});

const SECRET = 'secret-value\r\nx-evil: 1';

test.each<[object, RegExp]>([
  [{ Authorization: 'Bearer other' }, /Authorization can't be set here: .*apiKey/],
  [{ HOST: 'evil.example' }, /HOST can't be set here/],
  [{ 'transfer-encoding': 'chunked' }, /transfer-encoding can't be set/],
  [{ 'Proxy-Authorization': 'Basic x' }, /Proxy-Authorization can't be set/],
  [{ 'x-a': SECRET }, /the value of x-a must be a single-line string in Latin-1/],
  [{ 'x-a': 5 }, /the value of x-a must be a single-line string in Latin-1/],
  [{ 'x-a': 'ключ' }, /value of x-a/],
  [{ 'x-a': 'a\n' }, /value of x-a/],
  [{ 'x a': '1' }, /"x a" is not a valid header name/],
  [new Headers({ 'x-a': '1' }), /must be an object/],
])('the headers %o are rejected by name, and nothing is sent', async (headers, message) => {
  const service = await openScripted([page]);
  const given = headers as Record<string, string>;
  const error: unknown = await service.client.documents
    .list({}, { headers: given })
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect(String(error)).toMatch(message);
  expect(String(error)).not.toContain('secret-value');
  expect(service.requests).toHaveLength(0);
  expect(() => createClient({ apiKey: 'k', baseUrl: service.origin, headers: given })).toThrow(message);
});
