/** A 2xx is a success (§7), whatever its body. Checked with raw servers for every write of the catalog. */

import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { getNote, operations, UnexpectedResponseError, UnknownOutcomeError } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { openClientOf } from '../../support/listen.ts';
import { texts } from '../texts.ts';

/** A server that writes these bytes per request, then the last ones again. `{ start }` hangs after its bytes. */
async function serve(...answers: readonly (string | Buffer | { start: string })[]) {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (end < 0 || received.length < end + 4 + length) return;
      requests.push(received.slice(0, received.indexOf(' HTTP')));
      received = '';
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? '';
      if (typeof answer === 'object' && 'start' in answer) socket.write(answer.start);
      else socket.end(answer);
    });
  });
  const { client } = await openClientOf(server, { retry: { baseDelayMs: 1, maxDelayMs: 5 }, timeoutMs: 5000 });
  return { client, requests };
}

const answer = (status: string, headers: string, body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
const text = 'content-type: text/plain\r\n';
const json = 'content-type: application/json\r\n';
const gzip = 'content-encoding: gzip\r\n';

const ODD: Readonly<Record<string, [string | Buffer | { start: string }, string]>> = {
  'the text deleted': [answer('200 OK', text, 'deleted'), texts.n200AndATextThat],
  'the text queued': [answer('202 Accepted', text, 'queued'), texts.n202AndATextThat],
  'OK with the type of a web page': [answer('200 OK', 'content-type: text/html\r\n', 'OK'), texts.n200AndATextThat],
  'an empty 200': [answer('200 OK', '', ''), '200 and no body'],
  'an empty 200 with content-encoding: gzip': [answer('200 OK', gzip, ''), '200 and no body'],
  'plain text with content-encoding: gzip': [
    answer('200 OK', gzip, 'not gzip at all'),
    '200 and a body that is not compressed as its header says (content-encoding: gzip)',
  ],
  'an unknown compression': [
    answer('200 OK', 'content-encoding: compress\r\n', Buffer.from([0x1f, 0x9d])),
    "200 and a body that is compressed in a way that the client can't read (content-encoding: compress)",
  ],
  'truncated gzip': [answer('200 OK', gzip, gzipSync('{"id":"x"}').subarray(0, 15)), '200 and a body that was cut off'],
  'truncated JSON': [answer('200 OK', json, '{"id":"l_1","na'), '200 and truncated JSON'],
  'a JSON string': [answer('200 OK', json, '"deleted"'), '200 and a string in JSON'],
  null: [answer('200 OK', json, 'null'), '200 and null'],
  'an empty list': [answer('200 OK', json, '[]'), '200 and an array'],
};

test.each(Object.entries(ODD))('PATCH, DELETE and POST with a response of %s succeed once', async (_, [bytes, how]) => {
  const { client, requests } = await serve(bytes);
  const note = `The call succeeded. The service responded with status ${how}.`;
  for (const call of [
    () => client.links.update({ id: 'l', email_required: true }),
    () => client.links.delete({ id: 'l' }),
    () => client.agreements.send({ id: 'l' }),
  ]) {
    const { data, response } = await call().withResponse();
    expect(data).toMatchObject({ id: 'l', note });
    expect(getNote(data)).toBe(note);
    expect(response).toMatchObject({ note, text: expect.any(String) });
  }
  expect(requests).toEqual(['PATCH /api/v1/links/l', 'DELETE /api/v1/links/l', 'POST /api/v1/agreements/l/send']);
});

test.each(['', gzip, 'content-encoding: br\r\n'])('a 204 needs no note, even with the header %j', async (header) => {
  const { client } = await serve(`HTTP/1.1 204 No Content\r\n${header}connection: close\r\n\r\n`);
  expect(await client.links.update({ id: 'l' })).toEqual({ id: 'l' });
  expect(await client.rooms.create({ name: 'R' })).toEqual({});
});

test('every write without promised fields succeeds with a text response, and none is sent twice', async () => {
  const { client, requests } = await serve(answer('202 Accepted', text, 'queued'));
  const inputs: Record<string, object> = { 'documents.finalizeUpload': { storageKey: 's', token: 't' } };
  const writes = operations.filter(
    ({ operation }) => operation.effect !== 'read' && operation.output.safeParse({}).success,
  );
  for (const { name, group } of writes) {
    const methods: Record<string, unknown> = client[group];
    const method = methods[name.slice(group.length + 1)] as (input: object) => Promise<object>;
    expect(getNote(await method(inputs[name] ?? { id: 'x' })), name).toBe(texts.callSucceededWithText);
  }
  expect(requests).toHaveLength(writes.length);
});

test('withResponse returns the text of the body, even of a truncated one', async () => {
  const { client } = await serve(
    answer('200 OK', text, 'deleted'),
    'HTTP/1.1 200 OK\r\ncontent-length: 500\r\nconnection: close\r\n\r\n{"id":"l',
    answer('200 OK', json, '{"id":"l","note":"mine"}'),
  );
  expect((await client.links.delete({ id: 'l' }).withResponse()).response).toMatchObject({ text: 'deleted' });
  expect((await client.links.delete({ id: 'l' }).withResponse()).response).toMatchObject({ text: '{"id":"l' });
  const { data, response } = await client.links.update({ id: 'l' }).withResponse();
  expect([data, 'note' in response, getNote(data)]).toEqual([{ id: 'l', note: 'mine' }, false, undefined]);
});

test('a created sub-resource does not take the ID of its parent', async () => {
  const { client } = await serve(answer('200 OK', text, 'OK'));
  expect(await client.rooms.addFolder({ id: 'room', name: 'F' })).toEqual({ note: texts.callSucceededStatus });
});

test('a response whose body never arrives is a success when the attempt times out', async () => {
  const { client, requests } = await serve({ start: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{' });
  const result = await client.links.delete({ id: 'l' }, { timeoutMs: 2000 });
  expect(result).toMatchObject({ id: 'l', note: expect.stringContaining('was cut off') });
  expect(requests).toHaveLength(1);
  const control = new AbortController();
  const reason = new Error('mine');
  setTimeout(() => control.abort(reason), 50);
  expect(await failureOf(client.links.delete({ id: 'l' }, { signal: control.signal }))).toBe(reason);
});

test.each([
  ['<!DOCTYPE html><html><body>Log in</body></html>', ''],
  ['\n  <!-- proxy --><html>', ''],
  ['<div>Log in</div>', 'content-type: text/html; charset=utf-8\r\n'],
])('the web page %s after a write leaves its outcome unknown and suspects the base URL', async (page, type) => {
  const { client, requests } = await serve(answer('200 OK', type, page));
  for (const call of [() => client.links.delete({ id: 'l' }), () => client.links.create({ document_id: 'd' })]) {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ cause: { name: 'UnexpectedResponseError', status: 200 } });
    expect(String(error)).toMatch(/base URL may be wrong.*unknown whether the call took effect.*list the links/);
  }
  expect(requests).toHaveLength(2);
});

test.each<[string, Buffer | string]>([
  ['a text', answer('201 Created', text, 'created')],
  ['nothing', answer('201 Created', '', '')],
  ['an object without the URL', answer('201 Created', json, '{"id":"l_1","token":"CANARY"}')],
  ['a truncated body', 'HTTP/1.1 201 Created\r\ncontent-length: 99\r\nconnection: close\r\n\r\n{"url":"https://s'],
])('a new link with a response of %s is an error that says how to find the link', async (what, bytes) => {
  const { client, requests } = await serve(bytes);
  const error = await failureOf(client.links.create({ document_id: 'd' }));
  if (!(error instanceof UnexpectedResponseError)) throw error;
  expect(error.message).toMatch(/list the links to find its result/);
  expect(error.body).toEqual(what.startsWith('an object') ? { id: 'l_1', token: 'CANARY' } : undefined);
  expect(JSON.stringify(error) + String(error.stack)).not.toContain('CANARY');
  expect(requests).toHaveLength(1);
});

test('promised fields that are missing are named: the ID of a new document, each part of an upload session', async () => {
  const { client } = await serve(
    answer('200 OK', json, '{"name":"Deck"}'),
    answer('200 OK', json, '{"uploadUrl":"https://s.test/u","token":"t"}'),
  );
  expect(String(await failureOf(client.documents.create({ file: new Blob(['x']) })))).toContain('(id)');
  expect(String(await failureOf(client.documents.startUpload({})))).toContain('(headers, storageKey)');
});

test('a field that is not promised never makes a success an error, whatever its type', async () => {
  const { client } = await serve(
    answer('200 OK', json, '{"url":"u","email_required":"true","document_id":7}'),
    answer('200 OK', json, '{"url":"u","email_required":{"on":true},"document_id":["d"]}'),
  );
  expect(await client.links.create({ document_id: 'd' })).toEqual({ url: 'u', email_required: true, document_id: '7' });
  expect(await client.links.create({ document_id: 'd' })).toEqual({
    url: 'u',
    email_required: { on: true },
    document_id: ['d'],
  });
});

test.each<[string, string | Buffer]>([
  ['is rejected', answer('403 Forbidden', text, 'no')],
  ['fails', answer('500 Oops', text, '')],
])('a write with a 303 has succeeded even if the follow-up GET %s', async (_, second) => {
  const { client, requests } = await serve(
    'HTTP/1.1 303 See Other\r\nlocation: /api/v1/links/l\r\ncontent-length: 0\r\n\r\n',
    second,
  );
  const { data, response } = await client.links.update({ id: 'l' }).withResponse();
  const note = expect.stringContaining(texts.respondedWith303);
  expect(data).toEqual({ id: 'l', note });
  expect(response).toMatchObject({ note });
  expect(requests.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
});

test('a 303 without a Location, or to another host, leaves the outcome of a write unknown; a read fails', async () => {
  for (const location of ['', 'location: https://login.test/\r\n']) {
    const { client, requests } = await serve(
      `HTTP/1.1 303 See Other\r\n${location}content-length: 0\r\nconnection: close\r\n\r\n`,
    );
    expect(await failureOf(client.links.update({ id: 'l' }))).toBeInstanceOf(UnknownOutcomeError);
    expect(await failureOf(client.links.list())).toMatchObject({ name: 'ApiError', status: 303 });
    expect(requests).toHaveLength(2);
  }
});

test('a read with a text response is still an error', async () => {
  const { client } = await serve(answer('200 OK', text, 'OK'));
  expect(await failureOf(client.templates.get({ id: 't' }))).toBeInstanceOf(UnexpectedResponseError);
});

test("a response nested too deeply rejects with one of the client's own errors", async () => {
  const { client } = await serve(answer('200 OK', json, `{"url":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
  expect(await failureOf(client.links.create({ document_id: 'd' }))).toBeInstanceOf(UnexpectedResponseError);
  expect(await client.templates.get({ id: 't' })).toHaveProperty('url');
});
