import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import type { Scope } from '../../../src/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterAll } from '../../support/cleanup.ts';

const sandbox = await closeAfterAll(createSandbox());

const send = (key: string, method: string, path: string, body?: object) =>
  sendJson(sandbox, { key, method, path, body });

test('a revoked key ends at once; a rotated key is replaced by one with the same scopes', async () => {
  const key = sandbox.key(['links:read']);
  const renewed = sandbox.rotate(key);
  expect(() => sandbox.rotate(key)).toThrow('already rotated');
  expect((await send(key, 'GET', '/links')).status).toBe(401);
  expect((await send(renewed, 'GET', '/links')).status).toBe(200);
  expect((await send(renewed, 'GET', '/rooms')).status).toBe(403);
  sandbox.revoke(renewed);
  expect((await send(renewed, 'GET', '/links')).status).toBe(401);
});

test('groups and the matrix require datarooms:permissions', async () => {
  const admin = sandbox.key();
  const room = (await send(admin, 'POST', '/rooms', { name: 'R' })).body;
  const investors = { name: 'Investors', emails: ['i@example.com'] };
  const group = (await send(admin, 'POST', `/rooms/${room.id}/groups`, investors)).body;
  const matrix = [{ group_id: group.id, folder_id: 'any', access: 'download' }];
  const put = await send(admin, 'PUT', `/rooms/${room.id}/permissions`, { permissions: matrix, note: 'kept' });
  expect(put).toMatchObject({ status: 200, body: { permissions: matrix, note: 'kept' } });

  const read = async (...scopes: Scope[]) => (await send(sandbox.key(scopes), 'GET', '/rooms')).body.data[0];
  expect(JSON.stringify(await read('datarooms:read'))).not.toMatch(/"(?:groups|permissions)"|i@example\.com/);
  expect(await read('datarooms:read', 'datarooms:permissions')).toMatchObject({
    groups: [{ id: group.id, emails: ['i@example.com'] }],
    permissions: { permissions: matrix, note: 'kept' },
  });
  const write = sandbox.key(['datarooms:write']);
  expect((await send(write, 'POST', `/rooms/${room.id}/groups`, { name: 'G' })).status).toBe(403);
  expect((await send(write, 'POST', `/rooms/${room.id}/folders`, { name: 'F' })).status).toBe(201);
});

test('the log names keys by fingerprint, wherever a request contains one', async () => {
  const key = sandbox.key();
  await send(key, 'POST', '/contacts', { email: 'k@example.com', note: `my key is ${key}` });
  await send('sk_live_of_another_service', 'GET', '/links');
  await fetch(`${sandbox.url}/links?key=${key}`, { headers: { 'x-key': key } });
  const text = JSON.stringify(sandbox.log.entries());
  for (const secret of [key, 'sk_live_of_another_service']) expect(text).not.toContain(secret);
  expect(sandbox.log.entries().at(-3)).toMatchObject({
    operation: 'contacts.create',
    key: expect.stringMatching(/^key-[0-9a-f]{12}$/),
    body: { note: expect.stringMatching(/^my key is key-[0-9a-f]{12}$/) },
  });
});
