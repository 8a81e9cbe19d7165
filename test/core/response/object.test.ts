import { expect, test } from 'vitest';
import { createReplyingClient } from '../../support/replying-client.ts';

/** Returns the link that the client reads from this response body. */
const read = (json: unknown) =>
  createReplyingClient([{ status: 201, body: json }]).client.links.create({ document_id: 'd' });

test.each<[unknown, unknown]>([
  // A non-empty string would be truthy.
  ['false', false],
  [0, false],
  [null, undefined],
  ['perhaps', 'perhaps'],
])('email_required: %j is read as %j', async (written, email_required) => {
  expect(await read({ url: 'u', email_required: written })).toEqual({ url: 'u', email_required });
});

test.each<[object, object]>([
  [{ url: 7 }, { url: '7' }],
  [{ data: { url: 'u', other: null } }, { url: 'u', other: null }],
  [{ thing: { url: 'u' }, meta: { took: 3 } }, { url: 'u' }],
  [{ data: { link: { url: 'u' } } }, { url: 'u' }],
  [[{ url: 'u' }], { url: 'u' }],
  [{ data: { type: 'link', attributes: { url: 'u' } } }, { url: 'u', type: 'link', attributes: { url: 'u' } }],
  [{ status: 'ok', request_id: 'r1', thing: { url: 'u' } }, { url: 'u' }],
])('%j is read as %j', async (json, link) => {
  expect(await read(json)).toEqual(link);
});

test.each([
  [{ one: { title: 'A' }, two: { title: 'B' } }],
  [{ email_required: true }],
  [{ url: null }],
  [{ url: ['u'] }],
  [[]],
  [[{ url: 'a' }, { url: 'b' }]],
])('%j is rejected: it lacks a documented field', async (json) => {
  await expect(read(json)).rejects.toThrow(/url/);
});

test('a read returns no fields for an empty body, and a value that is no object, but rejects an array', async () => {
  const usage = (body: unknown) => createReplyingClient([{ body }]).client.billing.usage();
  expect([await usage(''), await usage('42')]).toEqual([{}, { value: 42 }]);
  await expect(usage([])).rejects.toThrow('(an object)');
});

test('a write says that its response is an array, and reads a number in a signed header as text', async () => {
  const session = { uploadUrl: 'u', storageKey: 's', token: 't', headers: { 'content-length': 3 } };
  const { client } = createReplyingClient([{ body: [] }, { body: session }]);
  expect(await client.links.update({ id: 'l' })).toMatchObject({ id: 'l', note: expect.stringContaining('an array') });
  expect(await client.documents.startUpload({})).toMatchObject({ headers: { 'content-length': '3' } });
});

test('IDs that a JavaScript number would round are exact, in a list and in the next request', async () => {
  const ids = ['900719925474099200', '900719925474099201', '900719925474099202'];
  const { client, requests } = createReplyingClient([{ body: `{"data":[${ids.map((id) => `{"id":${id}}`)}]}` }]);
  const links = await client.links.list().collect();
  expect(links.map(({ id }) => id)).toEqual(ids);
  await client.links.delete({ id: String(links[1]?.['id']) });
  expect(requests.at(-1)?.url).toBe(`https://docshare.test/api/v1/links/${ids[1]}`);
});

test('beside another list, that of the route is read', async () => {
  const { client } = createReplyingClient([{ body: { pages: [{ id: 'p' }], visitors: [{ id: 'v' }] } }]);
  expect(await client.analytics.visitors({ id: 'l' }).collect()).toEqual([{ id: 'v' }]);
});
