import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';

const sandbox = await closeAfterAll(
  createSandbox({ seed: 1, clock: 'manual', profile: 'modern+undocumentedDeletes=all' }),
);

const remove = (path: string, key = sandbox.key()) => sendJson(sandbox, { key, method: 'DELETE', path });

test.each(['documents', 'rooms', 'agreements', 'proposals', 'contacts'] as const)(
  'one of %s can be deleted once, with a key that has its write scope',
  async (group) => {
    sandbox.reset();
    const { state } = sandbox.snapshot();
    const [id = ''] = state[group].keys();
    expect((await remove(`/${group}/${id}`, sandbox.key(['billing:read']))).status).toBe(403);
    expect((await remove(`/${group}/${id}`)).status).toBe(204);
    expect((await remove(`/${group}/${id}`)).status).toBe(404);
    const left = sandbox.snapshot().state;
    expect(left[group].size).toBe(state[group].size - 1);
    expect([...left.links.values()].filter((link) => [link.document_id, link.room_id].includes(id))).toEqual([]);
    expect(sandbox.log.entries().at(-1)).toMatchObject({ route: `DELETE /${group}/{id}`, status: 404 });
  },
);

test('a deleted document is in no room, and no link leads to it', async () => {
  sandbox.reset();
  const [documentId = ''] = sandbox.snapshot().state.documents.keys();
  const create = async (path: string, body: object) =>
    (await sendJson(sandbox, { key: sandbox.key(), method: 'POST', path, body })).body;
  const room = await create('/rooms', { name: 'Deal' });
  await create(`/rooms/${room.id}/files`, { document_id: documentId });
  const link = await create('/links', { room_id: room.id });
  const filesOf = () => sandbox.snapshot().state.rooms.get(room.id)?.files;
  expect(filesOf()).toMatchObject([{ document_id: documentId }]);
  await remove(`/documents/${documentId}`);
  expect(filesOf()).toEqual([]);
  expect(sandbox.snapshot().state.links.has(link.id)).toBe(true);
  await remove(`/rooms/${room.id}`);
  expect(sandbox.snapshot().state.links.has(link.id)).toBe(false);
});

test('a service that deletes only documented objects does not have the routes', async () => {
  const other = await closeAfterTest(createSandbox({ clock: 'manual' }));
  const asked = async (path: string, key = other.key()) =>
    (await sendJson(other, { key, method: 'DELETE', path })).status;
  const paths = ['/documents/x', '/rooms', '/rooms/x', '/nothing'];
  expect(await Promise.all(paths.map((path) => asked(path)))).toEqual([405, 405, 404, 404]);
  expect(await asked('/nothing', 'wrong')).toBe(401);
});
