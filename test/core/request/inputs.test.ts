import { expect, test } from 'vitest';
import { DocshareError, InputError } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { untyped } from '../../support/untyped.ts';
import { texts } from '../texts.ts';

const recorder = () => createReplyingClient([{ body: { url: 'u', id: 'd', data: [] } }]);
const circular: Record<string, unknown> = {};
circular['self'] = { deeper: [circular] };
let deep: unknown = 1;
for (let at = 0; at < 20_000; at += 1) deep = [deep];

test.each<[string, unknown, string]>([
  ['null', null, 'not null'],
  ['a string', 'abc', 'not a string'],
  ['a list', [{ id: 'l' }], 'not an array'],
  ['a Date', new Date(0), 'not a Date'],
  ['a promise without await', Promise.resolve({}), 'not a Promise'],
  ['a function', () => ({ id: 'l' }), 'not a function'],
])('%s as the input is rejected by every kind of call, and the error names the operation', async (_, input, words) => {
  const { client, requests } = recorder();
  for (const [name, call] of [
    ['links.list', () => client.links.list(untyped(input))],
    ['links.update', () => client.links.update(untyped(input))],
    ['links.delete', () => client.links.delete(untyped(input))],
    ['documents.create', () => client.documents.create(untyped(input))],
    ['agreements.document', () => client.agreements.document(untyped(input))],
    ['links.list', () => client.links.list(untyped(input)).collect()],
  ] as const) {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toContain(`InputError: ${name}: the input must be an object of fields`);
    expect(String(error)).toContain(words);
  }
  expect(requests).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['NaN', { expiry: Number.NaN }, 'links.update: expiry is NaN'],
  ['a bigint', { size: 1n }, 'links.update: size is a bigint'],
  ['a nested bigint', { a: { size: 1n } }, 'links.update: a.size is a bigint'],
  ['a function', { a: [() => 1] }, 'links.update: a[0] is a function'],
  ['bytes', { a: Buffer.from('x') }, 'links.update: a is a Uint8Array'],
  ['an invalid date', { at: new Date('x') }, 'links.update'],
  ['undefined in a list', { a: [1, undefined] }, 'links.update'],
  ['a circular object', circular, 'self.deeper[0].self contains itself'],
  ['a deeply nested list', { deep }, 'is nested deeper than 100 levels'],
  ['a field name with a space', { 'a b"': Symbol('x') }, 'links.update: "a b\\"" is a symbol'],
])('%s in a body is rejected with the path of the field', async (_, fields, words) => {
  const { client, requests } = recorder();
  const error = await failureOf(client.links.update({ id: 'l', ...(fields as object) }));
  expect(error).toBeInstanceOf(InputError);
  expect(String(error)).toContain(words);
  expect(requests).toEqual([]);
});

test('an input that throws when it is read is rejected, with the thrown error as the cause', async () => {
  const { client, requests } = recorder();
  const cause = new Error('mine');
  const throwing = () => {
    throw cause;
  };
  for (const input of [
    Object.defineProperty({ id: 'l' }, 'a', { get: throwing, enumerable: true }),
    { id: 'l', a: { toJSON: throwing } },
    { id: 'l', a: new Proxy({}, { ownKeys: throwing }) },
    new Proxy({ id: 'l' }, { ownKeys: throwing }),
  ]) {
    expect(await failureOf(client.links.update(untyped(input)))).toMatchObject({ name: 'InputError', cause });
  }
  expect(requests).toEqual([]);
});

test('a body is sent as it was when the call was made', async () => {
  const { client, requests } = recorder();
  class Cap {
    most = 3;
  }
  const input = {
    id: 'l',
    expiry: new Date(0),
    page: new URL('https://a.test/'),
    cap: new Cap(),
    gone: undefined,
    none: null,
    nested: { gone: undefined, list: [1, 'two', null] },
  };
  const call = client.links.update(input);
  input.nested.list.push('later');
  await call;
  expect(JSON.parse(String(requests[0]?.body))).toEqual({
    expiry: '1970-01-01T00:00:00.000Z',
    page: 'https://a.test/',
    cap: { most: 3 },
    none: null,
    nested: { list: [1, 'two', null] },
  });
});

test('an ID may be a number', async () => {
  const { client, requests } = recorder();
  await client.links.update({ id: 5 });
  await client.links.create({ document_id: 7 });
  await client.documents.finalizeUpload({ storageKey: 's', token: 't', documentId: 9n });
  await client.analytics.visitors({ id: 12345678901234567890n });
  expect(requests.map(({ url, body }) => [new URL(url).pathname, body && JSON.parse(String(body))])).toEqual([
    ['/api/v1/links/5', {}],
    ['/api/v1/links', { document_id: '7' }],
    ['/api/v1/documents/uploads/finalize', { storageKey: 's', token: 't', documentId: '9' }],
    ['/api/v1/analytics/links/12345678901234567890/visitors', undefined],
  ]);
  for (const id of [Number.NaN, 1.5, true, {}, [], null, ''])
    expect(await failureOf(client.links.delete({ id: untyped(id) }))).toBeInstanceOf(InputError);
});

test.each([
  ['email_requred', 'email_required'],
  ['emailRequired', 'email_required'],
  ['Email_Required', 'email_required'],
  ['documentId', 'document_id'],
])('%s is rejected before it is sent: a typo must not remove a gate', async (typo, meant) => {
  const { client, requests } = recorder();
  const error = await failureOf(client.links.create(untyped({ document_id: 'd', [typo]: true })));
  expect(error).toBeInstanceOf(InputError);
  expect(String(error)).toMatch(new RegExp(`^InputError: links\\.create: .*${typo}; did you mean ${meant}\\?`));
  if (meant === 'email_required')
    expect(await failureOf(client.links.update({ id: 'l', [typo]: true }))).toBeInstanceOf(InputError);
  expect(requests).toEqual([]);
});

test('a misspelled `extra` is rejected: its content would be sent as one field of that name', async () => {
  const { client, requests } = recorder();
  for (const typo of ['exta', 'Extra', 'extras', 'xetra']) {
    const error = await failureOf(client.links.update({ id: 'l', [typo]: { password: 'p' } }));
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).toMatch(new RegExp(`did you mean extra\\?.*extra: \\{ ${typo}: … \\}`));
  }
  expect(requests).toEqual([]);
});

test('other names pass: short ones, those of the service, and the query of a list', async () => {
  const { client, requests } = recorder();
  await client.links.create(untyped({ document_id: 'd', password: 'p', require_email: true, ids: ['a'], uri: 'u' }));
  await client.links.list({ limit: 5, emailRequired: true });
  await client.rooms.addFile({ id: 'r', _id: 'x', ids: ['d'] });
  expect(requests).toHaveLength(3);
  expect(await failureOf(client.links.update({ id: 'l', ID: 'x' }))).toBeInstanceOf(InputError);
});

test('any name below extra is sent unchanged, beside the fields, in the body, the query and a form', async () => {
  const { client, requests } = recorder();
  await client.links.create({ document_id: 'd', extra: { email_requred: 1, emailRequired: true, extra: { a: 1 } } });
  await client.links.update({ id: 'l', extra: { id: 'in the body', __proto__: null } });
  await client.links.list({ extra: { extra: 'x', limit: 2 } });
  await client.links.update({ id: 'l', extra: undefined });
  expect(requests.map(({ url, body }) => [url.slice(url.indexOf('/links')), body && JSON.parse(String(body))])).toEqual(
    [
      ['/links', { document_id: 'd', email_requred: 1, emailRequired: true, extra: { a: 1 } }],
      ['/links/l', { id: 'in the body' }],
      ['/links?extra=x&limit=2', undefined],
      ['/links/l', {}],
    ],
  );
  await client.documents.create({ file: new Blob(['x']), extra: { folder: 'f' } });
  const parts: Buffer[] = [];
  const form = requests[4]?.body as AsyncIterable<Uint8Array>;
  for await (const part of form) parts.push(Buffer.from(part));
  expect(Buffer.concat(parts).toString()).toContain('name="folder"\r\n\r\nf\r\n');
  for (const extra of ['x', 1, [1], null, new Date(0)])
    expect(String(await failureOf(client.links.update({ id: 'l', extra: untyped(extra) })))).toContain(
      texts.extraMustBeAnObject,
    );
  expect(
    String(
      await failureOf(
        client.links.create({ document_id: 'd', email_required: true, extra: { email_required: false } }),
      ),
    ),
  ).toContain(texts.emailRequiredSetBoth);
});

test('invalid options are rejected', async () => {
  const { client, requests } = recorder();
  for (const options of [null, 5, 'abc', { signal: {} }, { signal: 'stop' }])
    expect(await failureOf(client.links.list({}, untyped(options)))).toBeInstanceOf(InputError);
  expect(requests).toEqual([]);
});

test('the input of a raw request is checked too', async () => {
  const { client, requests } = recorder();
  for (const raw of [
    null,
    {},
    { method: 'POST', path: '/links', body: circular },
    { method: 'GET', path: '/links', query: { a: {} } },
  ])
    expect(await failureOf(client.request(untyped(raw)))).toBeInstanceOf(InputError);
  expect(requests).toEqual([]);
});

test("an error's stack leads to the line that made the call", async () => {
  const { client } = recorder();
  const { client: broken } = createReplyingClient([{ status: 500, body: 'no' }], {
    retry: { retries: 1, baseDelayMs: 1 },
  });
  const calls: (() => PromiseLike<unknown>)[] = [
    () => client.links.update(untyped(5)),
    () => broken.links.update({ id: 'l' }),
    () => broken.links.list().collect(),
    () => broken.request({ method: 'GET', path: '/x' }),
    () => broken.upload(new Blob(['x'])),
    () => broken.links.update({ id: 'l' }).withResponse(),
  ];
  for (const call of calls) {
    const error = await failureOf(call());
    if (!(error instanceof DocshareError)) throw error;
    const [head, first] =
      error.stack?.slice(error.stack.indexOf(error.message) + error.message.length).split('\n') ?? [];
    expect(head).toBe('');
    expect(first).toContain('inputs.test.ts');
    expect(error.stack?.startsWith(`${error.name}: ${error.message}`)).toBe(true);
  }
});

test('an unexpected error inside the client is a DocshareError with its cause', async () => {
  const { client } = recorder();
  const cause = new TypeError('no such thing');
  const options = Object.defineProperty({}, 'timeoutMs', {
    get() {
      throw cause;
    },
  });
  expect(await failureOf(client.links.list({}, options))).toMatchObject({ name: 'DocshareError', cause });
});
