/** Requests that the service rejects, values that it hides, and side effects of operations. */

import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { texts } from './texts.ts';

const ANN = 'Ann@Example.com';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const documentId = (await call('POST', '/documents', { name: 'Deck', content: 'aGVsbG8=' })).body.id;

function call(method: string, path: string, body?: object) {
  return sendJson(sandbox, { key: sandbox.key(), method, path, body });
}

const create = async (path: string, body: object) => (await call('POST', path, body)).body;

async function sentAgreement(fields: object = {}) {
  const agreement = await create('/agreements', { name: 'NDA', recipients: [ANN], ...fields });
  return (await call('POST', `/agreements/${agreement.id}/send`)).body;
}

async function uploadForm(name: string) {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob(['hello']), 'deck.txt');
  const headers = { authorization: `Bearer ${sandbox.key()}` };
  const response = await fetch(`${sandbox.url}/documents`, { method: 'POST', headers, body: form });
  return { status: response.status, text: await response.text() };
}

test.each(['declined', 'voided', 'expired'] as const)('an agreement that was %s cannot be signed', async (status) => {
  const { id } = await sentAgreement();
  await sandbox.endAgreement(id, status);
  await expect(sandbox.sign(id, { email: ANN })).rejects.toThrow(status);
});

test('a signer is recognized by the email address in upper or lower case', async () => {
  const { id } = await sentAgreement();
  expect(await sandbox.sign(id, { email: ANN.toLowerCase() })).toMatchObject({ id, status: 'signed' });
});

test('a folder or group of another room is rejected with its name', async () => {
  const [here, there] = [await create('/rooms', { name: 'Here' }), await create('/rooms', { name: 'There' })];
  const folder = await create(`/rooms/${there.id}/folders`, { name: 'Legal' });
  const group = await create(`/rooms/${there.id}/groups`, { name: 'Buyers' });
  const file = { document_id: documentId, folder_id: folder.id };
  expect((await call('POST', `/rooms/${here.id}/files`, file)).text).toContain(texts.isNotAFolderOf);
  const link = { room_id: here.id, group_id: group.id };
  expect((await call('POST', '/links', link)).text).toContain(texts.isNotAGroupOf);
  expect((await call('POST', '/links', { ...link, room_id: there.id })).body.group_id).toBe(group.id);
});

test.each([
  ['', 'name'],
  ['a\0b', 'NUL'],
])('a form with the name %j is rejected, and its file is not stored', async (name, words) => {
  const before = sandbox.snapshot().state.files.size;
  const { status, text } = await uploadForm(name);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain(words);
  expect(sandbox.snapshot().state.files.size).toBe(before);
});

test('the log hides the cookie of a visitor', async () => {
  const { url } = await create('/links', { document_id: documentId });
  const response = await fetch(url, { redirect: 'manual' });
  await response.text();
  expect(response.headers.get('set-cookie')).toMatch(/=\S{8}.*HttpOnly/i);
  expect(sandbox.log.entries().at(-1)?.response?.headers).toMatchObject({ 'set-cookie': '(hidden)' });
});
